import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';
import { flag, globs, integer, stringList } from '../input/lenient.ts';
import { filesNamed, linesFound } from '../search/find.ts';
import { displayPath, renderFoundLines } from '../search/found-line.ts';
import { rootOf, type SearchRoot } from '../search/search-root.ts';
import { isTruncated } from '../search/text-query.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { definitionLines } from './definition-lines.ts';

const input = z.object({
  query: z.string().min(1),
  mode: z.enum(['text', 'files', 'symbols']).default('text'),
  repositories: stringList().optional(),
  glob: globs().optional(),
  regex: flag().default(false),
  case_sensitive: flag().default(false),
  limit: integer(z.int().positive()).default(50),
});

type SearchInput = z.output<typeof input>;

/** Name of the workspace itself among the repositories. */
const ownName = 'workspace';

/** The result of one repository, each item rendered. */
interface Answer {
  readonly name: string;
  readonly path: string;
  readonly items: readonly string[];
  readonly notes: readonly string[];
  readonly truncated: boolean;
}

/** Searches the workspace and the registered repositories, and groups the results. */
export const repoSearch = defineTool({
  name: 'repo_search',
  argumentAliases: { repos: 'repositories', pattern: 'query' },
  description:
    'Search across the workspace and every other registered repository: text, files by name, or definitions of symbols, grouped by repository.',
  exposure: 'deferred',
  findBy: ['other repositories', 'other|another repo|repos|repository'],
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: `${args.mode} "${args.query}" in ${args.repositories?.join(', ') ?? 'all repositories'}`,
    paths: [{ path: '.', access: 'read' }],
  }),
  async execute(args, context) {
    const chosen = chooseRoots(args.repositories, context.repositories);
    const answers = await Promise.all(chosen.map((one) => searchIn(one, args, context)));
    const blocks: string[] = [];
    const repositories = answers.map(({ name, path, items, notes, truncated }) => {
      const shown = items.slice(0, args.limit);
      const more = items.length - shown.length;
      blocks.push(
        [
          `== ${name} (${path}) ==`,
          ...(items.length === 0 && notes.length === 0 ? ['nothing found'] : shown),
          ...(more > 0 ? [`[${more} more; narrow the query or raise limit]`] : []),
          ...notes,
        ].join('\n'),
      );
      return { name, path, total: items.length, truncated: truncated || more > 0 };
    });
    if (context.repositories.length === 0)
      blocks.push('[no other repository is registered for this run; only the workspace was searched]');
    const total = repositories.reduce((sum, one) => sum + one.total, 0);
    return { content: blocks.join('\n\n'), data: { mode: args.mode, total, repositories } };
  },
});

interface Chosen {
  readonly name: string;
  readonly root: SearchRoot;
}

/** Resolves repositories by name or path. Default: all. */
function chooseRoots(
  names: readonly string[] | undefined,
  repositories: readonly RegisteredRepository[],
): Chosen[] {
  const own: Chosen = { name: ownName, root: { path: '.', kind: 'directory' } };
  const all = [own, ...repositories.map((one) => ({ name: one.name, root: rootOf(one) }))];
  if (names === undefined || names.length === 0) return all;
  return [...new Set(names)].map((name) => {
    const wanted = name.replace(/(?<=.)\/+$/, '');
    const found = all.find((one) => one.name === wanted || one.root.path === wanted);
    if (found !== undefined) return found;
    throw new ToolError(
      'not_found',
      `No repository "${name}" is registered. There are: ${all.map((one) => one.name).join(', ')}.`,
    );
  });
}

async function searchIn({ name, root }: Chosen, args: SearchInput, context: ToolContext): Promise<Answer> {
  const answer = { name, path: root.path };
  try {
    if (args.mode === 'files') {
      const { found, truncated } = await filesNamed(args, [root], context);
      const notes = truncated ? ['[too many files to look at all]'] : [];
      return { ...answer, items: found.map(displayPath), notes, truncated };
    }
    const { lines, result, notes } =
      args.mode === 'symbols'
        ? await definitionLines(args, [root], context)
        : await linesFound({ ...args, mode: args.mode }, [root], context);
    const items = lines.map((line) => renderFoundLines([line], 0));
    return { ...answer, items, notes, truncated: isTruncated(result) };
  } catch (error) {
    // A repository that disappeared must not prevent the other answers.
    if (!(error instanceof ToolError) || error.kind === 'invalid_input') throw error;
    return { ...answer, items: [], notes: [`[not searched: ${error.message}]`], truncated: true };
  }
}
