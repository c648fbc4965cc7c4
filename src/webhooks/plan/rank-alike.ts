/** A thread from a list of threads. */
export interface OtherThread {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
}

/** Words that do not describe a topic. */
const common = new Set(
  'about after also and are because been but can cannot could does doing done for from get has have how into issue its just like make more need not one only other our out please problem should some than that the their them then there these they this use using was what when where which while will with without would you your'.split(
    ' ',
  ),
);

/**
 * Returns up to `most` threads that share the most words with one, best first. Title words count
 * three times, and rare words more than common ones. Threads with little in common are excluded.
 * Pure.
 */
export function rankSimilar<Other extends OtherThread>(
  one: Pick<OtherThread, 'title' | 'body'>,
  others: readonly Other[],
  most: number,
): Other[] {
  const documents = others.map((other) => ({
    other,
    words: keywordsOf(`${other.title} ${other.body.slice(0, 4_000)}`),
  }));
  const weight = (word: string): number => {
    const having = documents.filter(({ words }) => words.has(word)).length;
    return Math.log(1 + documents.length / (1 + having));
  };
  const title = keywordsOf(one.title);
  const body = keywordsOf(one.body.slice(0, 4_000));
  const weights = new Map(
    [...new Set([...title, ...body])].map((word) => [word, weight(word) * (title.has(word) ? 3 : 1)]),
  );
  const whole = [...weights.values()].reduce((sum, value) => sum + value, 0);
  return documents
    .map(({ other, words }) => {
      const shared = [...weights].reduce((sum, [word, value]) => sum + (words.has(word) ? value : 0), 0);
      // Without any word the score is NaN, and no thread is similar.
      return { other, score: shared / whole };
    })
    .filter(({ score }) => score >= 0.15)
    .sort((a, b) => b.score - a.score || b.other.number - a.other.number)
    .slice(0, most)
    .map(({ other }) => other);
}

/** Returns the significant words, without case and plural. */
export function keywordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) ?? [];
  return new Set(words.filter((word) => !common.has(word)).map((word) => word.replace(/(?<=\w{3})s$/u, '')));
}
