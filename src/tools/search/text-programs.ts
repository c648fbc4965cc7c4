import { escapeRegex } from './escape-regex.ts';
import type { FoundLine } from './found-line.ts';
import { parseGrep, parseRipgrep } from './parse-found-lines.ts';
import { ripgrepBase, ripgrepPath } from './ripgrep-path.ts';
import { splitGlobs } from './split-globs.ts';
import type { TextQuery } from './text-query.ts';

/** A program that can search text, and how its answer is read. */
export interface TextSearch {
  readonly program: () => Promise<string>;
  /** Whether it takes a file as standard input, and expressions over several lines. */
  readonly standardInput: boolean;
  readonly multiline: boolean;
  /** Whether ignored files are left out in every folder above the searched one too, or by none. */
  readonly ignores: boolean;
  /** Arguments, one list for each dialect of expressions to try. */
  readonly arguments: (query: TextQuery, kind: 'file' | 'directory', outer: boolean) => string[][];
  /** The lines of one line of output; null for one too long to be read. */
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

/** True for a query that only makes sense over several lines. */
export function spansLines(query: TextQuery): boolean {
  return query.pattern.includes('\n') || (query.regex && query.pattern.includes('\\n'));
}

function ripgrepArguments(query: TextQuery, kind: 'file' | 'directory', outer: boolean): string[][] {
  // A literal with a newline would be taken for two patterns, so it goes as an escaped expression.
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
      // One more than is shown tells whether there are more.
      `--max-count=${query.maxMatches + 1}`,
      `--context=${query.context}`,
      ...(kind === 'file' ? [] : globArguments(query.glob)),
      ...['-e', query.regex || literal ? query.pattern : escapeRegex(query.pattern)],
      ...['--', kind === 'file' ? '-' : '.'],
    ],
  ];
}

/** A glob that means the same to everybody. */
const plainGlob = /^[\w.*?-]*(?:\{[\w.*?,-]*\})?[\w.*?-]*$/;

/**
 * What of a glob ripgrep may apply itself, so that it reads less; the answer is filtered by the whole of it anyway.
 * Its own `--glob` overrides ignore files where it includes; a type does not, and knows names only. What excludes
 * overrides nothing.
 */
function globArguments(glob: string | undefined): string[] {
  if (glob === undefined || splitGlobs(glob).length > 1) return [];
  if (glob.startsWith('!')) return plainGlob.test(glob.slice(1)) ? [`--glob=${glob}`] : [];
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return plainGlob.test(name) && name !== '' && !name.includes('**')
    ? [`--type-add=wanted:${name}`, '--type=wanted']
    : [];
}

/** Without a repository of its own, so that no index leaves files out or in and no setting steers it. */
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

/** Perl's expressions are the nearest to ripgrep's; not every build knows them. */
function dialects(query: TextQuery): string[] {
  return query.regex ? ['-P', '-E'] : ['-F'];
}

function sharedFlags(query: TextQuery): string[] {
  return [...(query.caseSensitive ? [] : ['-i']), ...(query.wordMatch ? ['-w'] : []), `-C${query.context}`];
}
