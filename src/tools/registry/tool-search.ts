import * as z from 'zod';
import { integer } from '../input/lenient.ts';
import { type DeferredTool, defineTool } from '../tool.ts';
import { foundBy } from './tool-kinds.ts';

const input = z.object({
  query: z.string().default(''),
  limit: integer(z.int().positive().max(50)).default(5).meta({ hidden: true }),
});

/** Maximum further matches listed by name only. */
const mostOthers = 20;

/** Finds deferred tools; an exact name has priority. */
export const toolSearch = defineTool({
  name: 'tool_search',
  // The kinds of deferred tools are added when the tool definition is made.
  description: 'Find more tools.',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.query }),
  async execute(args, context) {
    const deferred = await context.deferredTools();
    const names = deferred.map((definition) => definition.name).join(', ');
    if (args.query.trim() === '') {
      // An overview needs no definitions of the first five tools.
      const content = `Search by a name or by what you need. There are: ${names}.`;
      return { content, data: { tools: deferred.map((definition) => definition.name) } };
    }
    const fitting = rank(deferred, args.query);
    const found = fitting.slice(0, args.limit);
    if (found.length === 0) {
      return { content: `No tool fits "${args.query}". There are: ${names}.`, data: { tools: [] } };
    }
    const shown = found.map(({ findBy: _, ...definition }) => JSON.stringify(definition)).join('\n');
    const others = fitting.slice(args.limit, args.limit + mostOthers).map(({ name }) => name);
    const rest = others.length === 0 ? '' : `\nThese fit too, searched by name: ${others.join(', ')}.`;
    return {
      content: `${shown}${rest}\nCall one with use_tool: {"name": "${found[0]?.name}", "args": {…}}.`,
      data: { tools: found.map((definition) => definition.name) },
    };
  },
});

/**
 * Ranks tools for a query. A query of names only returns just those. Otherwise named tools come
 * first, as a name may be a common word (`fetch a page`). Then come tools whose kind is named or
 * that share words with the query, if they score at least half of the best. An unknown name matches
 * names and kinds only.
 */
function rank(definitions: readonly DeferredTool[], query: string): DeferredTool[] {
  const names = query
    .replace(/^select:/, '')
    .split(/[\s,]+/)
    .map((name) => name.replaceAll('.', '_'));
  const named = definitions.filter((definition) => names.includes(definition.name));
  if (query.startsWith('select:') && named.length > 0) return named;
  if (names.every((name) => name === '' || named.some((definition) => definition.name === name)))
    return named;
  const words = wordsOf(query);
  const isName = /^\w+[._]\w+$/.test(query.trim());
  const isOfKind = foundBy(query);
  const scored = definitions
    .map((definition) => ({
      definition,
      score: scoreOf(definition, words, isName) + (isOfKind(definition) ? kindScore : 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  const fitting = scored.filter(({ score }) => score * 2 > best).map(({ definition }) => definition);
  return [...named, ...fitting.filter((definition) => !named.includes(definition))];
}

/** Outweighs two words of a name, so that the words of the description find what they mean. */
const kindScore = 8;

/** Scores a tool: a word of the name counts more than one of the description. */
function scoreOf(definition: DeferredTool, words: readonly string[], nameOnly: boolean): number {
  const fields = Object.keys(definition.input_schema.properties ?? {}).join(' ');
  const [name, rest] = [wordsOf(definition.name), wordsOf(`${definition.description} ${fields}`)];
  const matches = (known: readonly string[], word: string) =>
    known.some((one) => one === word || (word.length > 3 && (one.startsWith(word) || word.startsWith(one))));
  return words.reduce(
    (score, word) => score + (matches(name, word) ? 3 : 0) + (!nameOnly && matches(rest, word) ? 1 : 0),
    0,
  );
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}
