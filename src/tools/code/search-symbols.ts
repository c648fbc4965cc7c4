import { ToolError } from '../../contract/errors.ts';
import { append } from '../../contract/lists.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { definitionPattern, namePart } from '../search/finder-patterns.ts';
import { byLocation } from '../search/found-line.ts';
import type { SearchRoot } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';
import { escapeRegex } from '../search/text-query.ts';
import type { ParseFailure, SyntaxParser } from '../services/run-services.ts';
import type { FoundSymbol, NameQuery } from './grammars/syntax-symbol.ts';
import { type Language, languageOf, scriptLanguage } from './languages.ts';
import { liesIn, type SymbolQuery } from './symbol-query.ts';

/** A symbol with its location and its line. */
export interface LocatedSymbol extends FoundSymbol {
  readonly path: string;
  readonly text: string;
  readonly generated: boolean;
  /** Name of its language. */
  readonly language: string;
}

export interface SymbolSearch {
  readonly roots: readonly SearchRoot[];
  readonly query: SymbolQuery;
  readonly glob: string | undefined;
  readonly language: Language | null;
}

/** The symbols by path and line, and the number of files not searched, by reason. */
export interface SymbolsFound {
  readonly symbols: readonly LocatedSymbol[];
  readonly parsed: number;
  /** Files read completely, without invalid syntax. */
  readonly sound: ReadonlySet<string>;
  readonly omitted: Readonly<Partial<Record<OmissionReason | ParseFailure | 'late' | 'more', number>>>;
  /** The first files in another language that have the name. Default: none. */
  readonly others?: readonly string[];
  /** False if there is no parser, and nothing was searched. */
  readonly parser: boolean;
}

/** The services a search needs. */
interface SymbolServices {
  readonly workspace: Workspace;
  readonly syntax: SyntaxParser;
  readonly signal: AbortSignal;
}

/** Files in another language that are named. */
const mostNamed = 3;

/** Limits of a search: files, milliseconds, symbols. */
const mostFiles = 2000;
const mostMs = 10_000;
const mostSymbols = 5000;

/**
 * Finds the meanings of a name in the files that contain it, each parsed on its own. Files past the
 * limits are counted as `late`. `more` means an unknown number of further files.
 */
export async function searchSymbols(search: SymbolSearch, services: SymbolServices): Promise<SymbolsFound> {
  const { workspace, syntax, signal } = services;
  const { roots, query, glob, language } = search;
  const candidates = await findCandidates(workspace, roots, { ...query, glob }, signal);
  const until = monotonicMs() + mostMs;
  const symbols: LocatedSymbol[] = [];
  const omitted: Partial<Record<OmissionReason | ParseFailure | 'late' | 'more', number>> = {};
  const countOmitted = (why: keyof typeof omitted, count = 1): void => {
    omitted[why] = (omitted[why] ?? 0) + count;
  };
  const others: string[] = [];
  const sound = new Set<string>();
  let parsed = 0;
  let parsedFiles = 0;
  if (candidates.more) countOmitted('more');
  for (const [index, path] of candidates.paths.entries()) {
    if (parsedFiles >= mostFiles || monotonicMs() > until || symbols.length > mostSymbols) {
      countOmitted('late', candidates.paths.length - index);
      break;
    }
    const source = await wantedSource(path, language, workspace, (why) => {
      countOmitted(why);
      if (why === 'other' && others.length < mostNamed) others.push(path);
    });
    if (source === null) continue;
    parsedFiles += 1;
    const found = await namesOf(source, query, syntax, signal);
    if (found === null) return { symbols: [], parsed: 0, sound, omitted, parser: false };
    if (typeof found === 'string') {
      countOmitted(found);
      continue;
    }
    parsed += 1;
    append(symbols, found.symbols);
    if (found.sound) sound.add(path);
  }
  const matching = ofMembers(symbols, query);
  matching.sort(byLocation);
  return { symbols: matching, parsed, sound, omitted, others, parser: true };
}

/** Reads a file to parse; null for one of another language, or one that is counted as omitted. */
async function wantedSource(
  path: string,
  language: Language | null,
  workspace: Workspace,
  countOmitted: (why: OmissionReason) => void,
): Promise<Source | null> {
  const source = await readSource(workspace, path);
  if (typeof source !== 'string') return isWanted(source.language, language) ? source : null;
  if (source !== 'gone') countOmitted(source);
  return null;
}

/** Languages in which a member of the own object can be named without a receiver. */
const bareMembers = ['java', 'csharp', 'cpp', 'c', 'ruby'];

/** Excludes bare names for methods, in languages that need a receiver. */
function ofMembers(symbols: readonly LocatedSymbol[], { owners }: SymbolQuery): LocatedSymbol[] {
  const definitions = symbols.filter(({ role }) => role === 'definition');
  const onlyMembers = definitions.length > 0 && definitions.every(({ containers }) => containers.length > 0);
  if (owners.length === 0 || !onlyMembers) return [...symbols];
  return symbols.filter(
    ({ role, receiver, language }) =>
      role === 'definition' || receiver !== null || bareMembers.includes(language),
  );
}

/** True if a file's language is requested. C and C++ share their headers. */
function isWanted(language: Language, wanted: Language | null): boolean {
  if (wanted === null || wanted.name === language.name) return true;
  return wanted.grammar === 'cpp' && language.grammar === 'cpp' && language.name === 'c';
}

/** Returns the symbols of one file that match the query. */
async function namesOf(
  source: Source,
  query: SymbolQuery,
  syntax: SyntaxParser,
  signal: AbortSignal,
): Promise<{ symbols: LocatedSymbol[]; sound: boolean } | ParseFailure | null> {
  const { name, prefix, ignoreCase = false, anywhere = false } = query;
  const request = {
    grammar: source.language.grammar,
    text: source.text,
    query: { name, prefix, ignoreCase, anywhere },
  };
  const answer = await syntax.analyse(request, signal);
  if (answer === null || typeof answer === 'string') return answer;
  const lines = source.text.split('\n');
  const placed = answer.symbols.map((symbol) => ({
    ...symbol,
    path: source.path,
    text: lines[symbol.line - 1] ?? '',
    generated: source.generated,
    language: source.language.name,
  }));
  const matching = placed.filter((symbol) => mayBelong(symbol, placed, query));
  return { symbols: matching, sound: answer.sound };
}

/**
 * Returns false for a reference to a member of another owner: a local variable, or `this` in a
 * class with such a member. True in doubt.
 */
function mayBelong(symbol: LocatedSymbol, all: readonly LocatedSymbol[], query: SymbolQuery): boolean {
  if (query.owners.length === 0) return true;
  if (symbol.role === 'definition') return liesIn(symbol, symbol.path, query);
  if (symbol.local) return false;
  if (symbol.receiver === null || !/^(?:this|self|cls|\$this|Self)$/.test(symbol.receiver)) return true;
  const owner = symbol.containers.findLast(({ kind }) => kind === 'class')?.name;
  if (owner === undefined || owner === query.owners.at(-1)) return true;
  return !all.some((one) => one.role === 'definition' && one.containers.at(-1)?.name === owner);
}

/** Above this many files, likely ones are sorted first, as time may run out. */
const manyFiles = 300;

/** Files to parse, the likeliest first. */
interface Candidates {
  readonly paths: readonly string[];
  /** True if more files have the name than the text search could list. */
  readonly more: boolean;
}

/**
 * Finds the files that contain a name, as the text searches see files: ignored files and
 * credentials are excluded. If there are many, files with lines that look like its definition come
 * first.
 */
async function findCandidates(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  query: NameQuery & { readonly glob: string | undefined },
  signal: AbortSignal,
): Promise<Candidates> {
  const { name, prefix, glob, anywhere = false } = query;
  // A name that ends in `?` or `!` is no whole word to the search programs.
  const word = !prefix && /^\w.*\w$|^\w$/.test(name);
  const one = {
    regex: false,
    caseSensitive: query.ignoreCase !== true,
    wordMatch: word,
    glob,
    maxMatches: 1,
    context: 0,
  };
  const written = anywhere ? { ...one, regex: true, pattern: namePart(name) } : { ...one, pattern: name };
  const found = await searchText(workspace, roots, written, { signal });
  const all = found.lines.map(({ path }) => path);
  const more = found.dropped > 0 || found.unfinished !== null || found.problems.length > 0;
  if (!more && all.length <= manyFiles) return { paths: all, more };
  const defining = {
    ...one,
    regex: true,
    wordMatch: false,
    pattern: definitionPattern(anywhere ? namePart(name) : escapeRegex(name)),
  };
  const likely = await searchText(workspace, roots, defining, { signal });
  return { paths: [...new Set([...likely.lines.map(({ path }) => path), ...all])], more };
}

/** A file to parse. */
interface Source {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  /** True if its header declares it as generated. */
  readonly generated: boolean;
}

/** Reason a file is excluded. `other`: an unsupported language, or no program. */
type OmissionReason = 'other' | 'large' | 'minified' | 'binary' | 'gone';

const mostBytes = 1024 * 1024;
/** A file is minified with a line this long and an average that no person writes. */
const longestLine = 5000;
const averageLine = 200;
const generatedMark = /(?:^|\s)@generated\b|Code generated .{0,200}DO NOT EDIT|<auto-generated>/;

/** Reads a workspace file for the parser, or returns why it is not parsed. */
export async function readSource(workspace: Workspace, path: string): Promise<Source | OmissionReason> {
  const known = languageOf(path);
  // A file with an unknown extension is not opened.
  if (known === null && /[^/]\.[^./]+$/.test(path)) return 'other';
  let bytes: Buffer;
  try {
    const info = await workspace.files.stat(path);
    if (info?.kind !== 'file') return 'gone';
    if (info.size > mostBytes) return 'large';
    bytes = (await workspace.files.read(path, mostBytes)).bytes;
  } catch (error) {
    if (error instanceof ToolError) return 'gone';
    throw error;
  }
  if (bytes.includes(0)) return 'binary';
  const text = bytes.toString('utf8');
  const language = known ?? scriptLanguage(text.slice(0, 200).split('\n', 1)[0] ?? '');
  if (language === null) return 'other';
  if (isMinified(path, text)) return 'minified';
  return { path, language, text, generated: generatedMark.test(text.slice(0, 2000)) };
}

function isMinified(path: string, text: string): boolean {
  if (/\.min\.[a-z]+$/.test(path)) return true;
  const lines = text.split('\n');
  return text.length / lines.length > averageLine && lines.some((line) => line.length > longestLine);
}
