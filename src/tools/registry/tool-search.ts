import * as z from 'zod';
import { integer } from '../input/lenient.ts';
import { type DeferredTool, defineTool, type NamedTool } from '../tool.ts';
import { foundBy } from './tool-kinds.ts';

const input = z.object({
  query: z.string().default(''),
  limit: integer(z.int().positive().max(50)).default(5).meta({ hidden: true }),
});

/** Maximum further matches listed by name only. */
const mostOthers = 20;

/** Maximum notes on tools that are not to be found. */
const mostNotes = 3;

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
    if (args.query.trim() === '') {
      const tools = deferred.map((definition) => definition.name);
      // An overview needs no definitions of the first five tools.
      const content = `Search by a name or by what you need. There are: ${tools.join(', ')}.`;
      return { content, data: { tools } };
    }
    const notes = notesOn(await context.namedTools(), args.query);
    // Words that are meant for another tool are no reason for these.
    const fitting = rank(deferred, args.query, notes.length === 0 ? 0 : kindScore);
    const found = fitting.slice(0, args.limit);
    if (found.length === 0) {
      const none = `No tool matches "${args.query}"; an empty query lists all.`;
      return { content: notes.length === 0 ? none : notes.join('\n'), data: { tools: [] } };
    }
    const shown = found.map(({ findBy: _, ...definition }) => JSON.stringify(definition)).join('\n');
    const others = fitting.slice(args.limit, args.limit + mostOthers).map(({ name }) => name);
    const rest = others.length === 0 ? '' : `\nThese match too, searched by name: ${others.join(', ')}.`;
    return {
      content: [
        `${shown}${rest}`,
        `Call one with use_tool: {"name": "${found[0]?.name}", "args": {…}}.`,
        ...notes,
      ].join('\n'),
      data: { tools: found.map((definition) => definition.name) },
    };
  },
});

/** Returns what to say of tools that a query means and that are not to be found. */
function notesOn(tools: readonly NamedTool[], query: string): string[] {
  const isMeant = foundBy(query);
  const notes = tools.filter(isMeant).map(({ note }) => note);
  return [...new Set(notes)].slice(0, mostNotes);
}

/**
 * Ranks tools for a query. A query of names only returns just those. Otherwise named tools come
 * first, as a name may be a common word (`fetch a page`). Then come tools whose kind is named, or
 * that have most of the words, if they score more than half of the best, or of `least`. An unknown
 * name matches names and kinds only.
 */
function rank(definitions: readonly DeferredTool[], query: string, least: number): DeferredTool[] {
  const asked = query.replace(/^select:/, '');
  const names = asked.split(/[\s,]+/).map((name) => name.replaceAll('.', '_'));
  const named = definitions.filter((definition) => names.includes(definition.name));
  if (query.startsWith('select:') && named.length > 0) return named;
  if (names.every((name) => name === '' || named.some((definition) => definition.name === name)))
    return named;
  const words = wordsOf(asked).filter((word) => !commonWords.has(word));
  const isName = /^\w+[._]\w+$/.test(asked.trim());
  const isOfKind = foundBy(asked);
  const matches = definitions.map((definition) => wordScores(definition, words, isName));
  // The rarer a word, the more a tool without it is something else; part of a name is a near miss.
  const weights = words.map((_, at) =>
    isName ? 0 : 1 / (1 + matches.filter((scores) => scores[at] !== 0).length),
  );
  const scored = definitions
    .map((definition, index) => ({
      definition,
      score: scoreOf(matches[index] ?? [], weights) + (isOfKind(definition) ? kindScore : 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = Math.max(least, scored[0]?.score ?? 0);
  const fitting = scored.filter(({ score }) => score * 2 > best).map(({ definition }) => definition);
  return [...named, ...fitting.filter((definition) => !named.includes(definition))];
}

/** Outweighs two words of a name, so that the words of the description find what they mean. */
const kindScore = 8;

/** Words of a request that say nothing about a tool. */
const commonWords = new Set(
  'about all and any are can could does find for from get have how into its like look make may need not one other please some something that the them there this tool tools use used using want what when where which will with you your'.split(
    ' ',
  ),
);

/** Scores each word for a tool: 3 for one in its name, 1 for one in its description. */
function wordScores(definition: DeferredTool, words: readonly string[], nameOnly: boolean): number[] {
  const fields = Object.keys(definition.input_schema.properties ?? {}).join(' ');
  const [name, rest] = [wordsOf(definition.name), wordsOf(`${definition.description} ${fields}`)];
  return words.map((word) => {
    const isIn = (known: readonly string[]) => known.some((one) => isSameWord(one, word));
    return (isIn(name) ? 3 : 0) + (!nameOnly && isIn(rest) ? 1 : 0);
  });
}

/** Sums the scores of words; 0 if those that are missing weigh more than those found. */
function scoreOf(scores: readonly number[], weights: readonly number[]): number {
  const balance = weights.reduce((sum, weight, at) => sum + (scores[at] === 0 ? -weight : weight), 0);
  return balance < 0 ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

/** True for equal words, and for one that is the other with an ending: `search`, `searching`. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 3 && long.length - short.length <= 4 && long.startsWith(short);
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}
