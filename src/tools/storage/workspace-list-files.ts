import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { integer } from '../input/integer.ts';
import { unlessNull } from '../input/unless-null.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool } from '../tool.ts';
import { listTree, renderTree } from './list-tree.ts';

const input = z.object({
  path: unlessNull(z.string()).describe('left out: every folder there is'),
  depth: unlessNull(integer(z.int().min(1).max(4))).describe('default 2, at most 4'),
});

/** Lists the run's own files. */
export const workspaceListFiles = defineTool({
  name: 'workspace.list_files',
  description:
    'List your own files, which lie outside the repository: output/, scratch/, plan/, summaries/, and persist/, which later runs see.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({ what: args.path ?? '.' }),
  async execute(args, context) {
    const { storage } = context;
    const path = storage.locate(args.path ?? '');
    const { files } = await storage.open();
    const info = await files.stat(path);
    if (info === null) {
      throw new ToolError('not_found', `${path} does not exist. Leave path out to see what there is.`);
    }
    const listed =
      info.kind === 'directory' ? await listTree(files, path, args.depth ?? 2) : [{ path, bytes: info.size }];
    const content = listed.length === 0 ? `${path}/ is empty.` : renderTree(listed);
    return { content, data: toJson({ path, entries: listed }) };
  },
});
