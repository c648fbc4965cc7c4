import type { Question } from '../../contract/run-results.ts';

type Option = Question['options'][number];

/** Words that change nothing about a choice. Negations and conditions are not among them. */
const fillers = new Set(
  (
    "a an the one option number choice it that this please pls thanks thank you i i'd i'll we we'd we'll my me us " +
    "let lets let's go with for use take pick choose prefer want say think vote is are be should would " +
    'will do then just ahead sounds looks good great fine best better works to so'
  ).split(' '),
);

const yes = new Set(['yes', 'yeah', 'yep', 'yup', 'sure', 'ok', 'okay']);
const no = new Set(['no', 'nope', 'nah']);

const ordinals: Readonly<Record<string, number>> = {
  ...{ '1': 1, first: 1, '1st': 1, '2': 2, second: 2, '2nd': 2, two: 2, '3': 3, third: 3, '3rd': 3 },
  ...{ three: 3, '4': 4, fourth: 4, '4th': 4, four: 4, '5': 5, fifth: 5, '5th': 5, five: 5 },
};

/** Sentences that agree without a word of their own: "go ahead". */
const agrees = /^(?:please )?(?:go ahead|do it|do that|sounds good|please do|looks good|go for it)\b/u;

/** Most words of a sentence that chooses. */
const mostWords = 20;

/**
 * Returns the only option that a sentence chooses: by the words of its name, its place ("the second
 * one"), or a yes or no. Every other word must mean nothing, so "not the first" chooses none. Null
 * for any other text. Expects lower case.
 */
export function optionInSentence(text: string, options: readonly Option[]): Option | null {
  // Quotes and code are somebody else's words.
  if (/[?`]|^\s*>/mu.test(text)) return null;
  const said = wordsOf(text.replaceAll(/(?:['’]d|would) like\b/gu, ''));
  if (said.length === 0 || said.length > mostWords) return null;
  const core = without(said, fillers);
  const only = (fits: (option: Option, index: number) => boolean): Option | null => {
    const [one, ...more] = options.filter(fits);
    return more.length === 0 ? (one ?? null) : null;
  };
  const named = (words: readonly string[]) =>
    words.length === 0 ? null : only((option) => namesOf(option).some((name) => isSame(name, words)));
  const chosen = without(core, yes);
  return (
    named(core) ??
    named(chosen) ??
    byPlace(chosen, options) ??
    byYesOrNo({ core, agreed: agrees.test(said.join(' ')) }, only)
  );
}

function byPlace([place = '', ...more]: readonly string[], options: readonly Option[]): Option | null {
  const index = more.length === 0 ? ordinals[place] : undefined;
  return index === undefined ? null : (options[index - 1] ?? null);
}

/** Returns the only option that begins with yes or no, if that is all that was said. */
function byYesOrNo(
  { core, agreed }: { readonly core: readonly string[]; readonly agreed: boolean },
  only: (fits: (option: Option) => boolean) => Option | null,
): Option | null {
  const beginsWith = (words: ReadonlySet<string>) =>
    only(({ id, label }) => [id, label].some((name) => words.has(wordsOf(name.toLowerCase())[0] ?? '')));
  if (core.length === 0) return agreed ? beginsWith(yes) : null;
  if (core.every((word) => yes.has(word))) return beginsWith(yes);
  return core.every((word) => no.has(word)) ? beginsWith(no) : null;
}

/** Returns the words of an option's id and label, the label also without its yes or no. */
function namesOf({ id, label }: Option): readonly string[][] {
  const names = [id, label, label.replace(/^(?:yes|no)[,:;.]\s*/iu, '')];
  return names.map((name) => without(wordsOf(name.toLowerCase()), fillers));
}

const wordsOf = (text: string): string[] => text.replaceAll('’', "'").match(/[\p{L}\p{N}']+/gu) ?? [];
const without = (words: readonly string[], left: ReadonlySet<string>) =>
  words.filter((word) => !left.has(word));
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, index) => word === b[index]);
