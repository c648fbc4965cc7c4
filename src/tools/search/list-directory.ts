import * as z from 'zod';
import { flag } from '../input/flag.ts';
import { integer } from '../input/integer.ts';
import { stringList } from '../input/list.ts';
import { defineTool } from '../tool.ts';
import { directoryTree } from './directory-tree.ts';

const input = z.object({
  path: z.string().default('.'),
  depth: integer(z.int().min(1).max(5)).default(1),
  limit: integer(z.int().min(1).max(2000)).default(200),
  include_hidden: flag().default(false),
  ignore: stringList().optional(),
});

/** Lists a directory as a tree, with sizes and link targets. */
export const listDirectory = defineTool({
  name: 'list_directory',
  aliases: { list_dir: {}, LS: {} },
  argumentAliases: { dir_path: 'path', directory: 'path' },
  description:
    'List a directory as a tree with sizes of files and targets of links; ignored entries are only counted.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({
    what: args.path,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const { lines, entries, omitted, left } = await directoryTree(context, args);
    const shown =
      args.path === '.' || args.path === '' ? '.' : context.workspace.files.relative(args.path) || '.';
    const heading = shown.endsWith('/') ? shown : `${shown}/`;
    const notes: string[] = [];
    if (entries === 0 && omitted.ignored + omitted.hidden === 0) notes.push('(empty)');
    if (left)
      notes.push(`[only the first ${args.limit} entries are shown; list a folder below, or raise limit]`);
    const counts = [
      ...(omitted.hidden > 0 ? [`${omitted.hidden} hidden (include_hidden shows them)`] : []),
      ...(omitted.ignored > 0 ? [`${omitted.ignored} ignored`] : []),
    ];
    if (counts.length > 0) notes.push(`[left out: ${counts.join(', ')}]`);
    if (shown === '.' && context.repositories.length > 0)
      notes.push(`[other repositories: ${context.repositories.map((one) => one.shown).join(', ')}]`);
    return {
      content: [heading, ...lines, ...notes].join('\n'),
      data: { path: shown, entries, hidden: omitted.hidden, ignored: omitted.ignored, truncated: left },
    };
  },
});
