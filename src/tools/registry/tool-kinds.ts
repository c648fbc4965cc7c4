import type { Tool } from '../tool.ts';

/** Returns the kinds of deferred tools, by canonical name: the first of the `findBy` of each. */
export function toolKinds(tools: readonly Tool[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tools.flatMap(({ name, exposure, findBy: [kind] = [] }) =>
      kind === undefined || exposure !== 'deferred' ? [] : [[name, kind]],
    ),
  );
}

/** Returns a test for tools whose `findBy` has a phrase with all its words in the query. */
export function foundBy(query: string): (tool: Pick<Tool, 'findBy'>) => boolean {
  const given = new Set(wordsIn(query).flat());
  const fits = (phrase: string) =>
    wordsIn(phrase).every((alternatives) => alternatives.some((one) => given.has(one)));
  return ({ findBy = [] }) => findBy.some(fits);
}

/** Splits into words with their alternatives, in the singular and without articles. */
function wordsIn(text: string): string[][] {
  const words = text.toLowerCase().split(/[^a-z0-9|]+/);
  return words
    .filter((word) => word !== '' && !['the', 'that'].includes(word))
    .map((word) => word.split('|').map((one) => one.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')));
}
