import type { Outcome } from '../../contract/outcome.ts';
import { contentWords } from '../findings/same-claim.ts';

/** The words that a reviewer without more to say ends with, as the system prompt asks. */
const nothing = /(?:^|\n)[\s>*_]*Nothing to add\.?[\s*_]*$/iu;

/** Returns an answer without the words that there is nothing to add. */
export function withoutNothing(answer: string): string {
  return answer.replace(nothing, '').trimEnd();
}

/** Share of a sentence's words that must be elsewhere for it to say nothing new. */
const saidShare = 0.5;

/** A sentence of fewer words with a meaning says nothing. */
const fewestWords = 2;

/** Words of sentences that only say that a review took place, or that all is well. */
const ofReviews = contentWords(
  'add all change code comment correct critical defect few fine finding found good high info inline issue lgtm line look low ' +
    'medium no nothing one other overall problem pull real reported request review reviewed see seen severity solid ' +
    'suggestion summary three two well',
);

/**
 * Returns the sentences of a reviewer's last message that neither its findings nor its walkthrough
 * say: a question to the author, what it could not check. '' for none. A message with code is kept
 * whole. Pure.
 */
export function unsaidPart({
  answer,
  findings,
  walkthrough,
}: Pick<Outcome, 'answer' | 'findings' | 'walkthrough'>): string {
  if (answer.includes('```')) return answer.trim();
  const groups = walkthrough?.groups.map(({ title, what }) => `${title} ${what}`) ?? [];
  const told = [
    walkthrough?.overview ?? '',
    ...groups,
    ...findings.map(({ title, body, path }) => `${title} ${body} ${path}`),
  ];
  const said = new Set([...ofReviews, ...contentWords(told.join(' '))]);
  const isNew = (sentence: string) => {
    const words = [...contentWords(sentence)];
    const known = words.filter((word) => said.has(word)).length;
    if (sentence.trim().endsWith('?')) return true;
    return words.length >= fewestWords && known < saidShare * words.length;
  };
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
  const lines = answer
    .trim()
    .split('\n')
    .map((line) =>
      [...sentences.segment(line)]
        .map(({ segment }) => segment)
        .filter(isNew)
        .join('')
        .trimEnd(),
    );
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
