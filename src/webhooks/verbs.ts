/**
 * A word after `/anode`, and all that reading comments, the help and the documentation know of it. What a run of it
 * is asked to do stands in `plan-prompt.ts`, which rights it gets in `make-plan.ts`.
 */
export interface Verb {
  /** Other words for the same. */
  readonly aliases: readonly string[];
  readonly on: readonly ('pull_request' | 'issue')[];
  /** What has to stand behind it; `none` leaves out whatever does, a `hash` has 16 hexadecimal digits. */
  readonly words: 'none' | 'optional' | 'required' | 'hash';
  /** A run that only `reads` or that `writes`, one that goes on because somebody `decides`, or no run at all: `tells`. */
  readonly does: 'reads' | 'writes' | 'decides' | 'tells';
  /**
   * Where it counts after a mention (`@anode review`), so that no sentence is taken for a command: when nothing but its
   * own flags follows (`alone`), also before words (`words`), or never, as it has to be typed (`typed`).
   */
  readonly afterMention: 'alone' | 'words' | 'typed';
  /** What stands behind it in help and documentation: `<words>`, `[words]`, `<hash>`; '' for nothing. */
  readonly usage: string;
  /** What it does, for help and documentation, as the end of a sentence. */
  readonly help: string;
}

const both = ['pull_request', 'issue'] as const;

/** The verbs, in the order of the help. */
export const verbs = {
  task: {
    aliases: ['do'],
    on: both,
    words: 'required',
    does: 'writes',
    afterMention: 'typed',
    usage: '<words>',
    help: 'do what the words say',
  },
  review: {
    aliases: [],
    on: ['pull_request'],
    words: 'optional',
    does: 'reads',
    afterMention: 'alone',
    usage: '[-i] [--checks-only] [words]',
    help: 'review this pull request; with `-i` only what is new since the last review, with `--checks-only` without a model',
  },
  implement: {
    aliases: [],
    on: ['issue'],
    words: 'optional',
    does: 'writes',
    afterMention: 'alone',
    usage: '[words]',
    help: 'open a pull request that closes this issue',
  },
  answer: {
    aliases: [],
    on: both,
    words: 'required',
    does: 'decides',
    afterMention: 'words',
    usage: '<words>',
    help: 'answer a question I asked',
  },
  approve: {
    aliases: [],
    on: both,
    words: 'hash',
    does: 'decides',
    afterMention: 'typed',
    usage: '<hash>',
    help: 'let a call through that waits for approval',
  },
  deny: {
    aliases: ['reject'],
    on: both,
    words: 'hash',
    does: 'decides',
    afterMention: 'typed',
    usage: '<hash> [reason]',
    help: 'refuse a call that waits for approval, and go on without it',
  },
  help: {
    aliases: [],
    on: both,
    words: 'none',
    does: 'tells',
    afterMention: 'alone',
    usage: '',
    help: 'what I understand on this thread',
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbs;

const table: Readonly<Record<VerbName, Verb>> = verbs;

/** The names, in the order of the help. */
export const verbNames = Object.keys(verbs) as readonly VerbName[];

export const verbOf = (name: VerbName): Verb => table[name];

/** The verb that a word is, by name or alias and without case; null for none. */
export function findVerb(word: string): VerbName | null {
  const folded = word.toLowerCase();
  return verbNames.find((name) => name === folded || table[name].aliases.includes(folded)) ?? null;
}
