import * as z from 'zod';
import { flag } from './input/flag.ts';
import { integer } from './input/integer.ts';
import { droppedNotes } from './search/dropped-notes.ts';
import { definitionPattern, isImport, wordsPattern } from './search/finder-patterns.ts';
import { listFiles } from './search/list-files.ts';
import { globFilter } from './search/match-glob.ts';
import { renderFoundLines } from './search/render-found-lines.ts';
import { type SearchRoot, searchRoot } from './search/search-root.ts';
import { escapeRegex, searchText } from './search/search-text.ts';
import { defineTool, type ToolContext, type ToolOutput } from './tool.ts';

const input = z.object({
  mode: z
    .enum(['files', 'text', 'symbols', 'agent'])
    .default('text')
    .meta({ enum: ['text', 'files', 'symbols'] }),
  query: z.string().default(''),
  path: z.string().default('.'),
  glob: z.string().optional(),
  limit: integer(z.int().positive()).default(50),
  case_sensitive: flag().default(false).meta({ hidden: true }),
});
/** Enough to count what is left out. */
const mostMatchesOfOneFile = 1000;

type FinderInput = z.output<typeof input>;

/** Finds files by name, text, or definitions of symbols. */
export const finder = defineTool({
  name: 'finder',
  description: 'Find lines of text, files by part of their path, or likely definitions (symbols).',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({
    what: `${args.mode} "${args.query}" in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const root = await searchRoot(context.workspace, args.path);
    if (args.mode === 'files' || args.query === '') return findFiles(args, root, context);
    return findLines(args, root, context);
  },
});

async function findFiles(args: FinderInput, root: SearchRoot, context: ToolContext): Promise<ToolOutput> {
  const listing = await listFiles(context.workspace, root, { hidden: true, signal: context.signal });
  const byGlob = args.glob === undefined ? () => true : globFilter(args.glob, root.path);
  const byQuery = pathQuery(args, root);
  const found = listing.paths.filter((path) => byGlob(path) && byQuery(path));
  return {
    content: answer(found, args, (shown) => shown.join('\n')),
    data: { mode: 'files', paths: found.slice(0, args.limit), total: found.length },
  };
}

function pathQuery(args: FinderInput, root: SearchRoot): (path: string) => boolean {
  if (/[*?[\]{}]/.test(args.query)) return globFilter(args.query, root.path);
  const fold = (text: string): string => (args.case_sensitive ? text : text.toLowerCase());
  const words = fold(args.query).split(/\s+/);
  return (path) => words.every((word) => fold(path).includes(word));
}

async function findLines(args: FinderInput, root: SearchRoot, context: ToolContext): Promise<ToolOutput> {
  const query = {
    ...pattern(args),
    caseSensitive: args.case_sensitive,
    wordMatch: false,
    glob: args.glob,
    maxMatches: mostMatchesOfOneFile,
    context: 0,
  };
  const found = await searchText(context.workspace, root, query, context.signal);
  const { truncated, tooLong } = found;
  const lines = args.mode === 'symbols' ? found.lines.filter(({ text }) => !isImport(text)) : found.lines;
  const notes = droppedNotes({ truncated, tooLong });
  const none = lines.length === 0 && notes.length > 0;
  const content = none ? [] : [answer(lines, args, (shown) => renderFoundLines(shown, 0))];
  return {
    content: [...content, ...notes].join('\n'),
    data: {
      mode: args.mode === 'agent' ? 'text' : args.mode,
      total: lines.length,
      truncated,
      ...(args.mode === 'agent' ? { agent_fallback: true } : {}),
    },
  };
}

function pattern(args: FinderInput): { pattern: string; regex: boolean } {
  switch (args.mode) {
    case 'symbols':
      return { pattern: definitionPattern(escapeRegex(args.query)), regex: true };
    case 'agent':
      return { pattern: wordsPattern(args.query).map(escapeRegex).join('|'), regex: true };
    default:
      return { pattern: args.query, regex: false };
  }
}

function answer<Found>(
  found: readonly Found[],
  args: FinderInput,
  render: (shown: readonly Found[]) => string,
): string {
  if (found.length === 0)
    return `Nothing found for "${args.query}" (${args.mode}). Try another mode or word.`;
  const shown = render(found.slice(0, args.limit));
  const more = found.length - args.limit;
  return more > 0 ? `${shown}\n[${more} more; narrow the query or raise limit]` : shown;
}
