import * as z from 'zod';
import { flag } from './input/flag.ts';
import { integer } from './input/integer.ts';
import { confirmLines } from './search/confirm-lines.ts';
import { droppedNotes } from './search/dropped-notes.ts';
import { fitLines, renderFoundLines } from './search/render-found-lines.ts';
import { rootsForGlob } from './search/search-root.ts';
import { searchText } from './search/search-text.ts';
import { shownPath } from './search/shown-path.ts';
import { isTruncated } from './search/text-query.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().default('.'),
  glob: z.string().optional(),
  case_sensitive: flag().default(false),
  word_match: flag().default(false),
  regex: flag().default(false),
  max_matches: integer(z.int().positive()).default(50).meta({ hidden: true }),
  context: integer(z.int().nonnegative().max(50)).default(0),
});

/** Searches file contents. */
export const grep = defineTool({
  name: 'grep',
  aliases: { Grep: { regex: true }, search: {} },
  argumentAliases: { query: 'pattern', include: 'glob', '-C': 'context' },
  description: 'Search files, literally unless regex is set.',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({
    what: `"${args.pattern}" in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const { roots, glob } = await rootsForGlob(context, args.path, args.glob);
    const query = {
      pattern: args.pattern,
      regex: args.regex,
      caseSensitive: args.case_sensitive,
      wordMatch: args.word_match,
      glob,
      maxMatches: args.max_matches,
      context: args.context,
    };
    const found = await searchText(context.workspace, roots, query, context.signal);
    const result = await confirmLines(found, context);
    const matches = result.lines.filter((line) => line.match && line.continued !== true);
    const files = new Set(matches.map((line) => line.path)).size;
    const notes = droppedNotes(result, query);
    const nothing = result.lines.length === 0 && notes.length === 0;
    const { shown, left } = fitLines(result.lines, shownCharacters);
    const rendered = nothing ? nothingFound(args) : renderFoundLines(shown, args.context);
    const parts = [rendered, ...leftNote(left), ...notes].filter((part) => part !== '');
    return {
      content: parts.join('\n'),
      data: {
        matches: matches.length,
        files,
        truncated: isTruncated(result) || left.size > 0,
        ...(result.capped.length === 0 ? {} : { capped_files: [...result.capped] }),
      },
    };
  },
});

/** What one search may take of the conversation; more is for a narrower one. */
const shownCharacters = 20_000;
/** Files that are named among those with matches left. */
const namedFiles = 20;

function leftNote(left: ReadonlyMap<string, number>): string[] {
  if (left.size === 0) return [];
  const total = [...left.values()].reduce((sum, count) => sum + count, 0);
  const named = [...left].slice(0, namedFiles).map(([path, count]) => `${shownPath(path)} (${count})`);
  const others = left.size > namedFiles ? ` and ${left.size - namedFiles} more files` : '';
  return [
    `[${total} more ${total === 1 ? 'match' : 'matches'} not shown, in ${named.join(', ')}${others}; narrow the pattern, path or glob]`,
  ];
}

function nothingFound(args: z.output<typeof input>): string {
  const where = `${args.path === '.' ? '' : ` in ${args.path}`}${args.glob === undefined ? '' : ` (${args.glob})`}`;
  const literal = !args.regex && /[*+?^$|()[\]\\]/.test(args.pattern);
  return `No match for "${args.pattern}"${where}.${literal ? ' It was taken literally; set regex to true if it is an expression.' : ''}`;
}
