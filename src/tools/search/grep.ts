import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { flag, globs, integer } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { confirmLines } from './confirm-lines.ts';
import { displayPath, type FoundLine, fitLines, renderFoundLines } from './found-line.ts';
import { rootsForGlob } from './search-root.ts';
import { searchText } from './search-text.ts';
import { droppedNotes, isTruncated, type TextQuery, type TextResult } from './text-query.ts';

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().default('.'),
  glob: globs().optional(),
  case_sensitive: flag().default(false),
  word_match: flag().default(false),
  regex: flag().default(false),
  max_matches: integer(z.int().positive()).default(50).meta({ hidden: true }),
  context: integer(z.int().nonnegative().max(50)).default(0),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).default('content').meta({ hidden: true }),
});

/** Searches file contents. */
export const grep = defineTool({
  name: 'grep',
  aliases: { Grep: { regex: true }, search: {} },
  argumentAliases: { query: 'pattern', include: 'glob', '-A': 'context', '-B': 'context', '-C': 'context' },
  description: 'Search files, literally unless regex is set.',
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: `"${args.pattern}" in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const { roots, glob } = await rootsForGlob(context, args.path, args.glob);
    const lines = args.output_mode === 'content';
    const query: TextQuery = {
      pattern: args.pattern,
      regex: args.regex,
      caseSensitive: args.case_sensitive,
      wordMatch: args.word_match,
      glob,
      maxMatches: matchesPerFile(args),
      context: lines ? args.context : 0,
    };
    const search = async (one: TextQuery): Promise<TextResult> =>
      confirmLines(await searchText(context.workspace, roots, one, context), context);
    const literally = await search(query);
    const asRegex =
      isEmpty(literally) && looksLikeExpression(query) ? await asExpression(query, search) : null;
    const result = asRegex ?? literally;
    const matches = result.lines.filter((line) => line.match && line.continued !== true);
    const files = new Set(matches.map((line) => line.path)).size;
    // Several matches of a file are expected if only its name is requested.
    const dropped = args.output_mode === 'files_with_matches' ? { ...result, capped: [] } : result;
    const notes = droppedNotes(dropped, query);
    if (asRegex !== null)
      notes.push('[no line has this text literally; it was searched as a regular expression]');
    const nothing = result.lines.length === 0 && notes.length === 0;
    const { shown, left } = lines
      ? fitLines(result.lines, mostCharacters)
      : fitLines(perFile(matches, args.output_mode === 'count'), mostCharacters);
    const rendered = lines
      ? renderFoundLines(shown, args.context)
      : shown.map(({ path, text }) => `${displayPath(path)}${text}`).join('\n');
    const parts = [nothing ? nothingFound(args) : rendered, ...omittedNote(left), ...notes];
    return {
      content: parts.filter((part) => part !== '').join('\n'),
      data: {
        matches: matches.length,
        files,
        truncated: isTruncated(dropped) || left.size > 0,
        ...(dropped.capped.length === 0 ? {} : { capped_files: [...dropped.capped] }),
      },
    };
  },
});

function matchesPerFile({ output_mode, max_matches }: z.output<typeof input>): number {
  if (output_mode === 'content') return max_matches;
  return output_mode === 'count' ? countedMatches : 1;
}

/** Maximum matches of one file that are counted. */
const countedMatches = 10_000;

/**
 * Signs of a regular expression that text rarely has: `\\d`, `.*`, `a|b`, `^a`, `a$`, `[a-z]`,
 * `(?:`.
 */
const expression = /\\[wdsbWDSB.()[\]{}|+*?$^/]|[.)\]][*+]|\w\|\w|\)\||\|\(|^\^|\w\$$|\[\^|\w-\w\]|\(\?/;

/** True for literal text that reads like an expression and does not match everything. */
function looksLikeExpression({ pattern, regex }: TextQuery): boolean {
  if (regex || !expression.test(pattern)) return false;
  try {
    return !new RegExp(pattern).test('');
  } catch {
    return false;
  }
}

/** Searches for the text as an expression. Null without a result, or if it is invalid. */
async function asExpression(
  query: TextQuery,
  search: (query: TextQuery) => Promise<TextResult>,
): Promise<TextResult | null> {
  try {
    const result = await search({ ...query, regex: true });
    return isEmpty(result) ? null : result;
  } catch (error) {
    if (error instanceof ToolError && error.kind === 'invalid_input') return null;
    throw error;
  }
}

function isEmpty(result: TextResult): boolean {
  return result.lines.length === 0 && !isTruncated(result);
}

/** Returns one line per file: its name, and the number of its matches if counted. */
function perFile(matches: readonly FoundLine[], counted: boolean): FoundLine[] {
  const files = new Map<string, FoundLine[]>();
  for (const line of matches) {
    const known = files.get(line.path);
    if (known === undefined) files.set(line.path, [line]);
    else known.push(line);
  }
  return [...files.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ ...first, text: counted ? `:${rest.length + 1}` : '' }],
  );
}

/** Maximum characters of one result. */
const mostCharacters = 20_000;
/** Maximum files named among those with omitted matches. */
const namedFiles = 20;

function omittedNote(left: ReadonlyMap<string, number>): string[] {
  if (left.size === 0) return [];
  const total = [...left.values()].reduce((sum, count) => sum + count, 0);
  const named = [...left].slice(0, namedFiles).map(([path, count]) => `${displayPath(path)} (${count})`);
  const others = left.size > namedFiles ? ` and ${left.size - namedFiles} more files` : '';
  return [
    `[${total} more ${total === 1 ? 'match' : 'matches'} not shown, in ${named.join(', ')}${others}; narrow the pattern, path or glob]`,
  ];
}

function nothingFound(args: z.output<typeof input>): string {
  const where = `${args.path === '.' ? '' : ` in ${args.path}`}${args.glob === undefined ? '' : ` (${args.glob})`}`;
  const literal = !args.regex && /[*+?^$|()[\]\\]/.test(args.pattern);
  return `No match for "${args.pattern}"${where}.${literal ? ' It was searched literally; set regex to true if it is an expression.' : ''}`;
}
