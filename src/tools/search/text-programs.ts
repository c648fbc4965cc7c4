import { escapeRegex } from './escape-regex.ts';
import type { FoundLine } from './found-line.ts';
import { parseGrep, parseRipgrep } from './parse-found-lines.ts';
import { ripgrepBase, ripgrepPath } from './ripgrep-path.ts';
import { splitGlobs } from './split-globs.ts';
import type { TextQuery } from './text-query.ts';

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
