import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { globs } from '../input/globs.ts';
import { integer } from '../input/integer.ts';
import { renderFoundLines } from '../search/render-found-lines.ts';
import { rootsForGlob } from '../search/search-root.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { findLanguage, type Language, languages } from './languages.ts';
import { orderDefinitions, orderReferences } from './order-symbols.ts';
import { leftOutNotes, renderSymbol } from './render-symbols.ts';
import { searchAsText } from './search-as-text.ts';
import { searchInherited } from './search-inherited.ts';
import { type PlacedSymbol, type SymbolSearch, type SymbolsFound, searchSymbols } from './search-symbols.ts';
import { suggestWords } from './suggest-names.ts';
import { parseSymbolQuery } from './symbol-query.ts';

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
/** Time limit for name suggestions, which nobody asked for. */
const suggestMs = 3000;

type CodeSearchInput = z.output<typeof input>;

/** Finds where symbols are defined and used, by the syntax of the code. */
export const codeSearch = defineTool({
  name: 'code_search',
  argumentAliases: { symbol: 'query', name: 'query' },
  description: 'Find definitions and references by syntax: name, Class.method, prefix*.',
  input,
  level: 'auto_read',
  readOnly: true,
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
    const none = definitions.length + references.length === 0;
    const parts = none
      ? [await nothingFound(args, search, found, context)]
      : sections(definitions, references, args, search.query.owners.length > 0);
    return {
      content: [...parts, ...(elsewhere === null ? [] : [elsewhere.note]), ...leftOutNotes(found)].join('\n'),
      data: {
        definitions: definitions.length,
        references: references.length,
        parsed: found.parsed,
        left_out: { ...found.leftOut },
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
  throw new ToolError(
    'invalid_input',
    `The syntax of "${name}" is not known here; known are ${known}. Use grep.`,
  );
}

/** Lists definitions first. Each half gets its share if both are long. */
function sections(
  definitions: readonly PlacedSymbol[],
  references: readonly PlacedSymbol[],
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

function section(role: string, symbols: readonly PlacedSymbol[], limit: number): string[] {
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
  const what = args.kind === 'both' ? 'symbol' : args.kind === 'definitions' ? 'definition' : 'reference';
  const nothing = `No ${what} "${args.query}"${where}.`;
  const others = found.symbols.filter(({ local }) => !local).length;
  if (others > 0) {
    const other = args.kind === 'definitions' ? 'reference' : 'definition';
    return `${nothing} There ${others === 1 ? `is 1 ${other}` : `are ${others} ${other}s`}; leave kind out to see them.`;
  }
  const { query } = search;
  if (query.owners.length > 0) {
    const anywhere = { ...search, query: { ...query, owners: [] } };
    const outside = orderDefinitions((await searchSymbols(anywhere, context)).symbols).slice(0, 5);
    if (outside.length > 0)
      return [`${nothing} ${query.name} is defined elsewhere:`, ...outside.map(renderSymbol)].join('\n');
  }
  const near: string[] = [];
  const until = performance.now() + suggestMs;
  for (const word of await suggestWords(context.workspace, search.roots, query.name, context.signal)) {
    if (near.length === 3 || performance.now() > until) break;
    const exact = { name: word, prefix: false, owners: [], written: word };
    const { symbols } = await searchSymbols({ ...search, query: exact }, context);
    const [best] = orderDefinitions(symbols);
    if (best !== undefined) near.push(renderSymbol(best));
  }
  return near.length === 0
    ? `${nothing} Names are matched exactly; use grep for text.`
    : [`${nothing} Did you mean:`, ...near].join('\n');
}

/** Searches the text if there is no parser, and says so in the answer. */
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
