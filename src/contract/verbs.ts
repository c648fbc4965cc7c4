/** The flags of a comment, which do not change what a run may do. */
export type FlagName = 'budget' | 'turns' | 'model' | 'effort' | 'profile' | 'incremental' | 'checksOnly';

/** A word after `/anode`. Comments, plans, runs, help and documentation use this table. */
export interface Verb {
  /** Other names. */
  readonly aliases: readonly string[];
  readonly on: readonly ('pull_request' | 'issue')[];
  /** The text after it. `none` ignores any; a `hash` has 16 hexadecimal digits. */
  readonly text: 'none' | 'optional' | 'required' | 'hash';
  /** `reads` and `writes` start a run, `decides` continues one, `replies` starts none. */
  readonly does: 'reads' | 'writes' | 'decides' | 'replies';
  /**
   * Use after a mention (`@anode review`), where sentences must not be read as commands: with its
   * flags only (`alone`), also before text (`words`), before the id of a finding (`id`), or never
   * (`typed`).
   */
  readonly afterMention: 'alone' | 'words' | 'id' | 'typed';
  /** The flags that may stand around its text. */
  readonly flags: readonly FlagName[];
  /** Its arguments in help and documentation: `<words>`, `[words]`, `<hash>`; '' for none. */
  readonly usage: string;
  /** The end of a sentence on its effect, for help and documentation. */
  readonly help: string;
  /** The built-in task of its run; null for the requester's text alone. */
  readonly prompt: string | null;
  /** The profile of its run, whatever the configuration contains; null for the configured one. */
  readonly profile: string | null;
  /** Target of a run's changes: a commit, suggested changes only, or none. */
  readonly push: 'commit' | 'suggestions' | 'none';
  /** The material that the broker reads before the run; null for the thread alone. */
  readonly material: 'checks' | 'labels' | null;
  /** Maximum bytes of a pull request's diff in the first message; 0 if it shows none. */
  readonly diffBytes: number;
  /** True if its run concerns a commit, which then gets a check. */
  readonly check: boolean;
  /** True if a label can start it. */
  readonly byLabel: boolean;
  /** The tool that states the result of its run; null if the answer is the result. */
  readonly result: string | null;
  /** True if the result is visible by itself. Then a run without other text posts no comment. */
  readonly silent: boolean;
}

/** Bytes of a diff that a run is about. */
export const wholeDiff = 160 * 1024;
/** Bytes of a diff that the request may be about. Larger files are named. */
const shortDiff = 32 * 1024;

/** Flags of any run, and of those with a free choice of profile. */
const ofRuns = ['budget', 'turns', 'model', 'effort'] as const;
const ofWork = [...ofRuns, 'profile'] as const;

const both = ['pull_request', 'issue'] as const;

/** The fields of a verb that states nothing else: it publishes no changes. */
const defaults = {
  aliases: [],
  on: both,
  afterMention: 'alone',
  prompt: null,
  profile: null,
  push: 'none',
  material: null,
  diffBytes: 0,
  check: true,
  byLabel: false,
  result: null,
  silent: false,
} as const;
/** The fields of a verb that executes its text. */
const work = { ...defaults, push: 'commit', does: 'writes', flags: ofWork } as const;
/** The fields of a verb that is answered at once. */
const reply = { ...defaults, text: 'none', does: 'replies', flags: [], usage: '' } as const;

/** The verbs, in the order of the help. */
export const verbs = {
  task: {
    ...work,
    diffBytes: shortDiff,
    aliases: ['do'],
    text: 'required',
    afterMention: 'typed',
    usage: '<words>',
    help: 'do what the words say',
  },
  review: {
    ...defaults,
    prompt:
      'Review the changes of this pull request. Look for defects that matter: wrong behaviour, missed cases, security, ' +
      'broken promises to callers, tests that prove nothing. Report each with report_findings, on lines of the diff, with ' +
      'a suggestion where the fix is certain. No praise, no remarks on taste.',
    profile: 'review',
    diffBytes: wholeDiff,
    byLabel: true,
    result: 'report_findings',
    on: ['pull_request'],
    text: 'optional',
    does: 'reads',
    flags: [...ofRuns, 'incremental', 'checksOnly'],
    usage: '[-i] [--checks-only] [words]',
    help: 'review this pull request; with `-i` only what is new since the last review, with `--checks-only` without a model',
  },
  fix: {
    ...work,
    prompt:
      'Fix this pull request: what its reviewers found and no one marked as resolved, and what its failing checks show. Find the cause ' +
      'before you change anything, and change no test only to make it pass. Stay within that. Run the checks that can run here ' +
      'before you are done, and say for each problem what you did, or why you left it.',
    material: 'checks',
    diffBytes: wholeDiff,
    byLabel: true,
    on: ['pull_request'],
    text: 'optional',
    usage: '[words]',
    help: 'fix the open findings, the failing checks, or what your text says; below a finding, only that one',
  },
  ask: {
    ...defaults,
    profile: 'ask',
    diffBytes: shortDiff,
    check: false,
    aliases: ['explain'],
    text: 'required',
    does: 'reads',
    afterMention: 'words',
    flags: ofRuns,
    usage: '<question>',
    help: 'answer a question about the code; changes nothing',
  },
  describe: {
    ...defaults,
    prompt: 'Describe this pull request from its changes, for those who will review and later look it up.',
    profile: 'describe',
    diffBytes: wholeDiff,
    check: false,
    byLabel: true,
    result: 'describe_pull_request',
    on: ['pull_request'],
    text: 'optional',
    does: 'reads',
    flags: ofRuns,
    usage: '[words]',
    help: 'write what this pull request does into its description',
  },
  improve: {
    ...defaults,
    prompt:
      'Suggest improvements to the lines that this pull request changes: simpler, clearer, safer, with the same behaviour, in the ' +
      'style of the code around them. Edit the files as they should be: your edits are posted as suggested changes on the lines, and ' +
      'nothing is committed. Few and certain ones; leave lines alone that the pull request does not touch.',
    push: 'suggestions',
    diffBytes: wholeDiff,
    byLabel: true,
    aliases: ['suggest'],
    on: ['pull_request'],
    text: 'optional',
    does: 'reads',
    flags: ofRuns,
    usage: '[words]',
    help: 'suggest changes on the lines of this pull request; commits nothing',
  },
  plan: {
    ...defaults,
    prompt:
      'Plan what this thread asks for, without doing it: find out in the code what has to change, and write the plan that somebody ' +
      'else can carry out without asking back. Say first what will be different when it is done, then the steps in order, each ' +
      'with the files it touches and how to see that it worked, then risks and what you leave out. Decide what you can decide.',
    profile: 'plan',
    diffBytes: wholeDiff,
    text: 'optional',
    does: 'reads',
    flags: ofRuns,
    usage: '[words]',
    help: 'plan the work without doing it; `approve` with the hash of the plan carries it out',
  },
  implement: {
    ...work,
    prompt:
      'Implement what this issue asks for, with tests, in the style of the code around it. Stay within what is asked. ' +
      'Run the tests before you are done, and say in a few sentences what you changed and why.',
    byLabel: true,
    on: ['issue'],
    text: 'optional',
    usage: '[words]',
    help: 'open a pull request that closes this issue',
  },
  triage: {
    ...defaults,
    prompt: 'Sort this thread: which labels fit it, and whether another thread says the same.',
    profile: 'triage',
    material: 'labels',
    check: false,
    byLabel: true,
    result: 'set_labels',
    silent: true,
    aliases: ['label'],
    text: 'none',
    does: 'reads',
    flags: ofRuns,
    usage: '',
    help: 'set fitting labels of this repository, and look for duplicates',
  },
  answer: {
    ...defaults,
    text: 'required',
    does: 'decides',
    afterMention: 'words',
    flags: [],
    usage: '<words>',
    help: 'answer a question I asked',
  },
  approve: {
    ...defaults,
    text: 'hash',
    does: 'decides',
    afterMention: 'typed',
    flags: [],
    usage: '<hash>',
    help: 'let a call through that waits for approval, or have a plan carried out; without the hash, list them',
  },
  deny: {
    ...defaults,
    aliases: ['reject'],
    text: 'hash',
    does: 'decides',
    afterMention: 'typed',
    flags: [],
    usage: '<hash> [reason]',
    help: 'refuse a call that waits for approval, and continue without it; or drop a plan',
  },
  resolve: {
    ...reply,
    on: ['pull_request'],
    help: 'resolve my threads that are fixed; below one of them, only that one',
  },
  dismiss: {
    ...reply,
    on: ['pull_request'],
    text: 'optional',
    afterMention: 'id',
    usage: '<id> [reason]',
    help: 'dismiss a finding by its id in the summary; below a finding, that one without its id',
  },
  continue: {
    ...defaults,
    aliases: ['resume'],
    text: 'optional',
    does: 'decides',
    flags: ofRuns,
    usage: '[words]',
    help: 'continue the last run that was stopped by a limit, a failure or a user',
  },
  retry: {
    ...defaults,
    aliases: ['rerun'],
    text: 'none',
    does: 'decides',
    flags: ofWork,
    usage: '',
    help: 'repeat the last request',
  },
  stop: {
    ...reply,
    aliases: ['cancel', 'abort'],
    help: 'stop the runs of this thread and drop the requests that wait, and name both',
  },
  config: {
    ...reply,
    aliases: ['configuration'],
    help: 'show the configuration that applies here, and the source of each key',
  },
  status: {
    ...reply,
    help: 'tell what runs and waits here, the open findings and questions, and the cost so far',
  },
  doctor: {
    ...reply,
    help: 'show what works here and what is missing',
  },
  help: {
    ...reply,
    aliases: ['commands'],
    help: 'what I understand on this thread',
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbs;

const table: Readonly<Record<VerbName, Verb>> = verbs;

/** The names, in the order of the help. */
export const verbNames = Object.keys(verbs) as readonly VerbName[];

type Does<Kind extends Verb['does']> = {
  [Name in VerbName]: (typeof verbs)[Name]['does'] extends Kind ? Name : never;
}[VerbName];
type ByLabel = { [Name in VerbName]: (typeof verbs)[Name]['byLabel'] extends true ? Name : never }[VerbName];

/** The verbs that a run of its own can be about. */
export type RunVerb = Does<'reads' | 'writes'>;
export const runVerbs = verbNames.filter((name): name is RunVerb =>
  /^(?:reads|writes)$/.test(table[name].does),
);

/** The verbs that a label can start. */
export const labelVerbs = verbNames.filter((name): name is ByLabel => table[name].byLabel);

export const verbOf = (name: VerbName): Verb => table[name];

/** The tool that states the result of a run with this profile; null if its answer is the result. */
export function resultTool(profile: string): string | null {
  return verbNames.map(verbOf).find((verb) => verb.profile === profile)?.result ?? null;
}

/** The verb of a stored plan; null for a workflow's step, and for a removed verb. */
export function storedVerb(name: string): Verb | null {
  return verbNames.some((one) => one === name) ? table[name as VerbName] : null;
}

/** The verb for a word, by name or alias, ignoring case; null if there is none. */
export function findVerb(word: string): VerbName | null {
  const folded = word.toLowerCase();
  return verbNames.find((name) => name === folded || table[name].aliases.includes(folded)) ?? null;
}
