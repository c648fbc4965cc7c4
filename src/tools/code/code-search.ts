import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { nearNames } from '../../workspace/files/near-names.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { globs, integer } from '../input/lenient.ts';
import { definitionPattern, isImport } from '../search/finder-patterns.ts';
import { type FoundLine, renderFoundLines } from '../search/found-line.ts';
import { rootsForGlob, type SearchRoot } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';
import { escapeRegex, isTruncated } from '../search/text-query.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { findLanguage, type Language, languages } from './languages.ts';
import { omittedNotes, orderDefinitions, orderReferences, renderSymbol } from './render-symbols.ts';
import { searchInherited } from './search-inherited.ts';
import { type LocatedSymbol, type SymbolSearch, type SymbolsFound, searchSymbols } from './search-symbols.ts';
import { parseSymbolQuery, type SymbolQuery } from './symbol-query.ts';

const input = z.object({
  query: z.string().min(1),
  kind: z
    .preprocess(kindOf, z.enum(['definitions', 'references', 'both']))
    .default('both')
    .meta({ enum: ['definitions', 'references'] }),
  path: z.string().default('.'),
  glob: globs().optional().meta({ hidden: true }),
  language: z.string().optional().meta({ hidden: true }),
  limit: integer(z.int().positive()).default(50),
});
/** Time limit for name suggestions, which no one requested. */
const suggestMs = 3000;

type CodeSearchInput = z.output<typeof input>;

/** Finds where symbols are defined and used, by the syntax of the code. */
export const codeSearch = defineTool({
  name: 'code_search',
  argumentAliases: { symbol: 'query', name: 'query' },
  description: 'Find definitions and references by syntax: name, Class.method, prefix*.',
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: `symbol "${args.query}" in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const search = {
      query: parseSymbolQuery(args.query),
      ...(await rootsForGlob(context, args.path, args.glob)),
      language: args.language === undefined ? null : knownLanguage(args.language),
    };
    const direct = await searchSymbols(search, context);
    if (!direct.parser) return textAnswer(args, search, context);
    const defined = direct.symbols.some(({ role }) => role === 'definition');
    const elsewhere = defined ? null : await searchInherited(search, context);
    const found = elsewhere?.found ?? direct;
    const definitions = args.kind === 'references' ? [] : orderDefinitions(found.symbols);
    const references =
      args.kind === 'definitions' ? [] : orderReferences(found.symbols, search.query.owners.at(-1));
    const nothing = definitions.length + references.length === 0;
    const parts = nothing
      ? [await nothingFound(args, search, found, context)]
      : sections(definitions, references, args, search.query.owners.length > 0);
    return {
      content: [...parts, ...(elsewhere === null ? [] : [elsewhere.note]), ...omittedNotes(found)].join('\n'),
      data: {
        definitions: definitions.length,
        references: references.length,
        parsed: found.parsed,
        left_out: { ...found.omitted },
      },
    };
  },
});

/** Normalises the names models use for the kinds. Default: both. */
function kindOf(value: unknown): unknown {
  if (value === null || value === '' || value === 'all') return 'both';
  return value === 'definition' || value === 'reference' ? `${value}s` : value;
}

function knownLanguage(name: string): Language {
  const language = findLanguage(name);
  if (language !== null) return language;
  const known = [...new Set(languages.map((one) => one.name))].join(', ');
  throw invalidInput(`The syntax of "${name}" is not known here; known are ${known}. Use grep.`);
}

/** Lists definitions first. Each half gets its share if both are long. */
function sections(
  definitions: readonly LocatedSymbol[],
  references: readonly LocatedSymbol[],
  { limit, kind }: CodeSearchInput,
  ofMember: boolean,
): string[] {
  const forDefinitions = Math.max(limit - references.length, Math.ceil(limit / 2));
  const first = section('definition', definitions, forDefinitions);
  const forReferences = limit - Math.min(definitions.length, forDefinitions);
  const second = section('reference', references, forReferences);
  const note = ofMember && references.length > 0;
  return [
    ...(kind === 'references' ? [] : first),
    ...(kind === 'definitions' ? [] : second),
    ...(note ? ['[types are not known: references are those of any member of this name]'] : []),
  ];
}

function section(role: string, symbols: readonly LocatedSymbol[], limit: number): string[] {
  const more = symbols.length - limit;
  return [
    `${symbols.length} ${role}${symbols.length === 1 ? '' : 's'}`,
    ...symbols.slice(0, limit).map(renderSymbol),
    ...(more > 0 ? [`[${more} more; narrow path, or raise limit]`] : []),
  ];
}

/** Suggests an alternative: the other half, or a similar name. */
async function nothingFound(
  args: CodeSearchInput,
  search: SymbolSearch,
  found: SymbolsFound,
  context: ToolContext,
): Promise<string> {
  const where = args.path === '.' ? '' : ` in ${args.path}`;
  const nothing = `No ${wantedNames[args.kind]} "${args.query}"${where}.`;
  const others = found.symbols.filter(({ local }) => !local).length;
  if (others > 0) {
    const other = args.kind === 'definitions' ? 'reference' : 'definition';
    return `${nothing} There ${others === 1 ? `is 1 ${other}` : `are ${others} ${other}s`}; leave kind out to see them.`;
  }
  const outside = await definedElsewhere(search, context);
  if (outside.length > 0)
    return [`${nothing} ${search.query.name} is defined elsewhere:`, ...outside.map(renderSymbol)].join('\n');
  const near = await similarNames(search, context);
  return near.length === 0
    ? `${nothing} Names are matched exactly; use grep for text.`
    : [`${nothing} Did you mean:`, ...near.map(renderSymbol)].join('\n');
}

const wantedNames = { both: 'symbol', definitions: 'definition', references: 'reference' } as const;

/** Finds up to five definitions of a member's name under other owners. */
async function definedElsewhere(search: SymbolSearch, context: ToolContext): Promise<LocatedSymbol[]> {
  const { query } = search;
  if (query.owners.length === 0) return [];
  const anywhere = { ...search, query: { ...query, owners: [] } };
  return orderDefinitions((await searchSymbols(anywhere, context)).symbols).slice(0, 5);
}

/** Finds a definition for up to three similar names. */
async function similarNames(search: SymbolSearch, context: ToolContext): Promise<LocatedSymbol[]> {
  const near: LocatedSymbol[] = [];
  const until = monotonicMs() + suggestMs;
  const { name } = search.query;
  for (const word of await suggestNames(context.workspace, search.roots, name, context.signal)) {
    if (near.length === 3 || monotonicMs() > until) break;
    const exact = { name: word, prefix: false, owners: [], written: word };
    const { symbols } = await searchSymbols({ ...search, query: exact }, context);
    const [best] = orderDefinitions(symbols);
    if (best !== undefined) near.push(best);
  }
  return near;
}

/** Searches the text if there is no parser, and notes it in the answer. */
async function textAnswer(
  args: CodeSearchInput,
  search: SymbolSearch,
  context: ToolContext,
): Promise<ToolOutput> {
  const { definitions, references, truncated } = await searchAsText(context.workspace, search.roots, {
    query: search.query,
    glob: search.glob,
    signal: context.signal,
  });
  const shown = (lines: typeof definitions) => renderFoundLines(lines.slice(0, args.limit), 0);
  const parts = [
    '[no parser is installed here: lines are matched by their text, comments and strings included]',
    ...(args.kind === 'references' ? [] : [`${definitions.length} likely definitions`, shown(definitions)]),
    ...(args.kind === 'definitions' ? [] : [`${references.length} other lines`, shown(references)]),
    ...(truncated ? ['[there is more than could be kept; narrow path or glob]'] : []),
  ];
  return {
    content: parts.filter((part) => part !== '').join('\n'),
    data: { definitions: definitions.length, references: references.length, fallback: true },
  };
}

/**
 * Searches without a parser: lines with the name as a word, likely definitions apart. Names in
 * comments and strings are included.
 */
async function searchAsText(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  search: { readonly query: SymbolQuery; readonly glob: string | undefined; readonly signal: AbortSignal },
): Promise<{ definitions: FoundLine[]; references: FoundLine[]; truncated: boolean }> {
  const { query, glob, signal } = search;
  const name = escapeRegex(query.name);
  const ends = query.prefix ? '' : '(?!\\w)';
  const text = {
    pattern: query.prefix ? `\\b${name}` : query.name,
    regex: query.prefix,
    caseSensitive: true,
    wordMatch: !query.prefix,
    glob,
    maxMatches: 1000,
    context: 0,
  };
  const found = await searchText(workspace, roots, text, { signal });
  const pattern = new RegExp(definitionPattern(`${name}${ends}`));
  const defines = (line: FoundLine) => pattern.test(line.text) && !isImport(line.text);
  return {
    definitions: found.lines.filter(defines),
    references: found.lines.filter((line) => !defines(line)),
    truncated: isTruncated(found),
  };
}

/**
 * Returns at most six similar words, likeliest first. They differ in case or by a few typing
 * mistakes, or contain the name.
 */
async function suggestNames(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const words = (await namesLike(workspace, roots, name, signal)).filter((word) => word !== name);
  const lower = name.toLowerCase();
  const parts = name.length < 4 ? [] : words.filter((word) => word.toLowerCase().includes(lower));
  const longer = parts.sort((a, b) => a.length - b.length).slice(0, 3);
  return [...new Set([...nearNames(name, words), ...longer])];
}

/** Finds words that start or end as the name does, or contain it. */
async function namesLike(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const ends = name.length < 4 ? [name] : [name.slice(0, 3), name.slice(-3)];
  const either = `(${ends.map(escapeRegex).join('|')})`;
  const query = {
    pattern: `[A-Za-z0-9_]*${either}[A-Za-z0-9_]*`,
    regex: true,
    caseSensitive: false,
    wordMatch: false,
    glob: undefined,
    maxMatches: 20,
    context: 0,
  };
  const { lines } = await searchText(workspace, roots, query, { signal });
  const like = new RegExp(either, 'i');
  const words = lines.flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]{0,99}/gu) ?? []);
  return [...new Set(words)].filter((word) => like.test(word));
}
