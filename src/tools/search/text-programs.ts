import { decodeText } from '../text/text-file.ts';
import { aroundMatch, type FoundLine } from './found-line.ts';
import { splitGlobs } from './match-glob.ts';
import { ripgrepBase, ripgrepPath } from './run-search.ts';
import { escapeRegex, type TextQuery } from './text-query.ts';

/** A program that searches text, with its capabilities and output format. */
export interface TextSearch {
  readonly program: () => Promise<string>;
  /** True if it accepts a file as standard input; and expressions over several lines. */
  readonly standardInput: boolean;
  readonly multiline: boolean;
  /** True if it applies ignore files, also those above the searched folder. */
  readonly ignores: boolean;
  /** Arguments, one list for each expression dialect to try. */
  readonly arguments: (query: TextQuery, kind: 'file' | 'directory', outer: boolean) => string[][];
  /** Parses one line of output; null for one too long. */
  readonly parse: (record: string) => FoundLine[] | null;
}

/** The programs that search text, best first. */
export const textSearches: readonly TextSearch[] = [
  {
    program: ripgrepPath,
    standardInput: true,
    multiline: true,
    ignores: true,
    arguments: ripgrepArguments,
    parse: parseRipgrep,
  },
  {
    program: async () => 'git',
    standardInput: false,
    multiline: false,
    ignores: false,
    arguments: gitArguments,
    parse: parseGrep,
  },
  {
    program: async () => 'grep',
    standardInput: true,
    multiline: false,
    ignores: false,
    arguments: grepArguments,
    parse: parseGrep,
  },
];

/** True for a query that needs several lines. */
export function spansLines(query: TextQuery): boolean {
  return query.pattern.includes('\n') || (query.regex && query.pattern.includes('\\n'));
}

function ripgrepArguments(query: TextQuery, kind: 'file' | 'directory', outer: boolean): string[][] {
  // A literal newline would separate two patterns, so it is sent as an escaped expression.
  const multiline = spansLines(query);
  const literal = !query.regex && !multiline;
  return [
    [
      ...ripgrepBase,
      ...['--json', '--hidden', '--engine=auto'],
      ...(outer ? ['--no-ignore-parent'] : []),
      ...(literal ? ['--fixed-strings'] : []),
      ...(multiline ? ['--multiline'] : []),
      ...(query.caseSensitive ? [] : ['--ignore-case']),
      ...(query.wordMatch ? ['--word-regexp'] : []),
      // One match more than displayed tells whether there are more.
      `--max-count=${query.maxMatches + 1}`,
      `--context=${query.context}`,
      ...(kind === 'file' ? [] : globArguments(query.glob)),
      ...['-e', query.regex || literal ? query.pattern : escapeRegex(query.pattern)],
      ...['--', kind === 'file' ? '-' : '.'],
    ],
  ];
}

/** A glob with the same meaning in every dialect. */
const plainGlob = /^[\w.*?-]*(?:\{[\w.*?,-]*\})?[\w.*?-]*$/;

/**
 * Returns arguments for the part of a glob that ripgrep can apply, to read less; results are
 * filtered by the whole glob anyway. An including `--glob` overrides ignore files; a type does not,
 * but matches names only. An excluding glob overrides nothing.
 */
function globArguments(glob: string | undefined): string[] {
  if (glob === undefined || splitGlobs(glob).length > 1) return [];
  if (glob.startsWith('!')) return plainGlob.test(glob.slice(1)) ? [`--glob=${glob}`] : [];
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return plainGlob.test(name) && name !== '' && !name.includes('**')
    ? [`--type-add=wanted:${name}`, '--type=wanted']
    : [];
}

/** Runs outside a repository, so that neither an index nor settings affect it. */
function gitArguments(query: TextQuery): string[][] {
  return dialects(query).map((dialect) => [
    ...['grep', '--no-index', '--exclude-standard', '--no-color', '--no-textconv', '-I'],
    ...['-n', '--column', '--null', dialect],
    ...sharedFlags(query),
    ...['-e', query.pattern, '--', '.', ':(exclude,glob)**/.anode-harness/**'],
  ]);
}

function grepArguments(query: TextQuery, kind: 'file' | 'directory'): string[][] {
  return dialects(query).map((dialect) => [
    ...['-r', '-H', '-I', '-n', '-Z', '-s', '-D', 'skip', dialect],
    ...['--exclude-dir=.git', '--exclude-dir=.anode-harness'],
    ...sharedFlags(query),
    ...['-e', query.pattern, '--', kind === 'file' ? '-' : '.'],
  ]);
}

/** Perl's dialect is the nearest to ripgrep's, but not every build has it. */
function dialects(query: TextQuery): string[] {
  return query.regex ? ['-P', '-E'] : ['-F'];
}

function sharedFlags(query: TextQuery): string[] {
  return [...(query.caseSensitive ? [] : ['-i']), ...(query.wordMatch ? ['-w'] : []), `-C${query.context}`];
}

/** Text as ripgrep prints it: plain if UTF-8, otherwise base64. */
type Text = { readonly text: string } | { readonly bytes: string };

/**
 * A message of `rg --json`. It comes from the program itself, and there are tens of thousands, so
 * its shape is not validated.
 */
interface Message {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly path: Text;
    readonly lines: Text;
    readonly line_number: number;
    /** Offsets in bytes of `lines`. */
    readonly submatches: readonly { readonly start: number }[];
  };
}

/**
 * Parses one message of `rg --json`. A match over several lines yields several, each cut to size.
 * Null for a match whose message was too long to read.
 */
export function parseRipgrep(json: string): FoundLine[] | null {
  if (!/^\{"type":"(?:match|context)"/.test(json)) return [];
  const message = readMessage(json);
  if (message === null) return json.startsWith('{"type":"match"') ? null : [];
  const { type, data } = message;
  const lines = bytesOf(data.lines);
  // The offset of the match matters only for a line too long to display.
  const at = lines.length <= 300 ? 0 : decodeText(lines.subarray(0, data.submatches[0]?.start ?? 0)).length;
  const path = withoutDot(bytesOf(data.path).toString('utf8'));
  return decodeText(lines)
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((text, index) => ({
      path,
      line: data.line_number + index,
      text: aroundMatch(text.replace(/\r$/, ''), index === 0 ? at : 0),
      match: type === 'match',
      ...(type === 'match' && index > 0 ? { continued: true as const } : {}),
    }));
}

function bytesOf(text: Text): Buffer {
  return 'text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64');
}

function readMessage(json: string): Message | null {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * Parses a line of `grep -Z -n` (`path NUL line :|- text`) or of `git grep -z -n --column`. The
 * latter is `path NUL line NUL text`, with the column before a match. Groups of context are
 * separated by `--`.
 */
export function parseGrep(record: string): FoundLine[] {
  const parts = /^(?<path>[^\0]+)\0(?<line>\d+)(?:(?<mark>[:-])|\0(?:(?<column>\d+)\0)?)(?<text>.*)$/s.exec(
    record,
  )?.groups;
  if (parts === undefined) return [];
  const { path = '', line, mark, column, text = '' } = parts;
  const match = mark === ':' || column !== undefined;
  const shown = aroundMatch(text.replace(/\r$/, ''), Number(column ?? 1) - 1);
  return [{ path: withoutDot(path), line: Number(line), text: shown, match }];
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}
