import type { FlagName } from './flags.ts';

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
  /** The flags that may stand around its words. */
  readonly flags: readonly FlagName[];
  /** What stands behind it in help and documentation: `<words>`, `[words]`, `<hash>`; '' for nothing. */
  readonly usage: string;
  /** What it does, for help and documentation, as the end of a sentence. */
  readonly help: string;
}

/** Flags of any run, and of those whose profile may be chosen. */
const ofRuns = ['budget', 'turns', 'model', 'effort'] as const;
const ofWork = [...ofRuns, 'profile'] as const;

const both = ['pull_request', 'issue'] as const;

/** The verbs, in the order of the help. */
export const verbs = {
  task: {
    aliases: ['do'],
    on: both,
    words: 'required',
    does: 'writes',
    afterMention: 'typed',
    flags: ofWork,
    usage: '<words>',
    help: 'do what the words say',
  },
  review: {
    aliases: [],
    on: ['pull_request'],
    words: 'optional',
    does: 'reads',
    afterMention: 'alone',
    flags: [...ofRuns, 'incremental', 'checksOnly'],
    usage: '[-i] [--checks-only] [words]',
    help: 'review this pull request; with `-i` only what is new since the last review, with `--checks-only` without a model',
  },
  fix: {
    aliases: [],
    on: ['pull_request'],
    words: 'optional',
    does: 'writes',
    afterMention: 'alone',
    flags: ofWork,
    usage: '[words]',
    help: 'fix the open findings, the failing checks, or what the words say; below a finding, that one',
  },
  ask: {
    aliases: ['explain'],
    on: both,
    words: 'required',
    does: 'reads',
    afterMention: 'words',
    flags: ofRuns,
    usage: '<question>',
    help: 'answer a question about the code; changes nothing',
  },
  describe: {
    aliases: [],
    on: ['pull_request'],
    words: 'optional',
    does: 'reads',
    afterMention: 'alone',
    flags: ofRuns,
    usage: '[words]',
    help: 'write what this pull request does into its description',
  },
  improve: {
    aliases: ['suggest'],
    on: ['pull_request'],
    words: 'optional',
    does: 'reads',
    afterMention: 'alone',
    flags: ofRuns,
    usage: '[words]',
    help: 'suggest changes on the lines of this pull request; commits nothing',
  },
  plan: {
    aliases: [],
    on: both,
    words: 'optional',
    does: 'reads',
    afterMention: 'alone',
    flags: ofRuns,
    usage: '[words]',
    help: 'plan the work without doing it; `approve` with the hash of the plan carries it out',
  },
  implement: {
    aliases: [],
    on: ['issue'],
    words: 'optional',
    does: 'writes',
    afterMention: 'alone',
    flags: ofWork,
    usage: '[words]',
    help: 'open a pull request that closes this issue',
  },
  triage: {
    aliases: ['label'],
    on: both,
    words: 'none',
    does: 'reads',
    afterMention: 'alone',
    flags: ofRuns,
    usage: '',
    help: 'set fitting labels of this repository, and look for duplicates',
  },
  answer: {
    aliases: [],
    on: both,
    words: 'required',
    does: 'decides',
    afterMention: 'words',
    flags: [],
    usage: '<words>',
    help: 'answer a question I asked',
  },
  approve: {
    aliases: [],
    on: both,
    words: 'hash',
    does: 'decides',
    afterMention: 'typed',
    flags: [],
    usage: '<hash>',
    help: 'let a call through that waits for approval, or have a plan carried out',
  },
  deny: {
    aliases: ['reject'],
    on: both,
    words: 'hash',
    does: 'decides',
    afterMention: 'typed',
    flags: [],
    usage: '<hash> [reason]',
    help: 'refuse a call that waits for approval, and go on without it; or drop a plan',
  },
  resolve: {
    aliases: [],
    on: ['pull_request'],
    words: 'none',
    does: 'tells',
    afterMention: 'alone',
    flags: [],
    usage: '',
    help: 'resolve my threads that are fixed; below one of them, that one',
  },
  continue: {
    aliases: ['resume'],
    on: both,
    words: 'optional',
    does: 'decides',
    afterMention: 'alone',
    flags: ofRuns,
    usage: '[words]',
    help: 'go on with the last run where it was stopped, by a limit, by a failure or by somebody',
  },
  retry: {
    aliases: ['rerun'],
    on: both,
    words: 'none',
    does: 'decides',
    afterMention: 'alone',
    flags: ofWork,
    usage: '',
    help: 'do again what was asked for last',
  },
  stop: {
    aliases: ['cancel', 'abort'],
    on: both,
    words: 'none',
    does: 'tells',
    afterMention: 'alone',
    flags: [],
    usage: '',
    help: 'stop what runs or waits to run on this thread; what was done so far is told',
  },
  config: {
    aliases: ['configuration'],
    on: both,
    words: 'none',
    does: 'tells',
    afterMention: 'alone',
    flags: [],
    usage: '',
    help: 'show the configuration that holds here, and where each key comes from',
  },
  doctor: {
    aliases: ['status'],
    on: both,
    words: 'none',
    does: 'tells',
    afterMention: 'alone',
    flags: [],
    usage: '',
    help: 'show what works here and what is missing',
  },
  help: {
    aliases: ['commands'],
    on: both,
    words: 'none',
    does: 'tells',
    afterMention: 'alone',
    flags: [],
    usage: '',
    help: 'what I understand on this thread',
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbs;

const table: Readonly<Record<VerbName, Verb>> = verbs;

/** The names, in the order of the help. */
export const verbNames = Object.keys(verbs) as readonly VerbName[];

/** The verbs that a run of its own can be about. */
export const runVerbs = [
  'task',
  'review',
  'fix',
  'ask',
  'describe',
  'improve',
  'implement',
  'triage',
  'plan',
] as const satisfies readonly VerbName[];

export const verbOf = (name: VerbName): Verb => table[name];

/** The verb that a word is, by name or alias and without case; null for none. */
export function findVerb(word: string): VerbName | null {
  const folded = word.toLowerCase();
  return verbNames.find((name) => name === folded || table[name].aliases.includes(folded)) ?? null;
}
