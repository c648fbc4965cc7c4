import {
  type ActionInput,
  actionInputs,
  type InputForm,
  leastStateSecret,
  type RunningWay,
} from '../contract/action-inputs.ts';
import { Preset } from '../contract/levels.ts';
import { nearestKey } from './nearest-key.ts';
import { presetProblem } from './preset-names.ts';

/** The inputs that a workflow sets; null for a value that is not known before the run. */
export type GivenInputs = Readonly<Record<string, string | null>>;

/** A mistake in the inputs, in one sentence that names the input. */
export interface InputProblem {
  readonly input: string;
  readonly message: string;
  /** The name that was probably meant. */
  readonly meantInput?: string;
  /** The value that was probably meant. */
  readonly meantValue?: string;
}

/**
 * Returns the mistakes in the inputs of a workflow: unknown names, wrong values, contradictions.
 * Pure. An empty value counts as not set, except for an unknown name.
 */
export function inputProblems(given: GivenInputs): readonly InputProblem[] {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  return [
    ...Object.keys(given).flatMap(unknownProblem),
    ...Object.entries(set).flatMap(([name, value]) => valueProblem(name, value)),
    ...contradictions(set),
  ];
}

const known = Object.keys(actionInputs);

function unknownProblem(name: string): InputProblem[] {
  if (Object.hasOwn(actionInputs, name)) return [];
  const nearest = nearestKey(name.replaceAll('-', '_'), known);
  const remedy = nearest === null ? 'The inputs are listed in docs/action.md.' : `Did you mean ${nearest}?`;
  const message = `There is no input ${name}. ${remedy}`;
  return [{ input: name, message, ...(nearest === null ? {} : { meantInput: nearest }) }];
}

function valueProblem(name: string, value: string | null): InputProblem[] {
  const input: ActionInput | undefined = actionInputs[name];
  if (input === undefined || value === null) return [];
  const problem = formProblem(input.form, value) ?? ownProblems[name]?.(value) ?? null;
  if (problem === null) return [];
  const meant = meantValue(input.form, value);
  const message = `The input ${name}${problem}`;
  return [{ input: name, message, ...(meant === null ? {} : { meantValue: meant }) }];
}

/** Returns the value that a wrong one probably means; null where none is near. */
function meantValue(form: InputForm, value: string): string | null {
  if (typeof form !== 'string') return nearestKey(value, form);
  if (form === 'preset') return nearestKey(value, Preset.options);
  if (form !== 'flag') return null;
  if (/^(?:yes|on|1|y)$/i.test(value)) return 'true';
  return /^(?:no|off|0|n)$/i.test(value) ? 'false' : null;
}

/** Returns the end of the sentence on a wrong value; null for a right one. */
function formProblem(form: InputForm, value: string): string | null {
  if (typeof form !== 'string') return wordProblem(form, value);
  return formProblems[form]?.(value) ?? null;
}

function wordProblem(words: readonly string[], value: string): string | null {
  if (words.includes(value)) return null;
  const nearest = nearestKey(value, words);
  const remedy = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return ` takes ${listed(words)}, not "${value}".${remedy}`;
}

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const host = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?$/;

/** A login; `_` stands in those that a company manages. */
const account = /^@?[A-Za-z0-9][\w-]*(?:\[bot\])?$/;

const formProblems: Partial<Record<Extract<InputForm, string>, (value: string) => string | null>> = {
  number: (value) =>
    Number(value) > 0 && Number.isFinite(Number(value)) ? null : ` takes a number above 0, not "${value}".`,
  flag: (value) => (/^(?:true|false)$/i.test(value) ? null : ` takes true or false, not "${value}".`),
  names: (value) => {
    const wildcard = inputList(value).find((name) => name.includes('*'));
    if (wildcard !== undefined) return ` takes exact names, not "${wildcard}": name each account.`;
    const wrong = inputList(value).find((name) => !account.test(name));
    return wrong === undefined ? null : ` takes names of accounts such as octocat, not "${wrong}".`;
  },
  hosts: (value) => {
    const wrong = inputList(value).find((name) => !host.test(name));
    return wrong === undefined ? null : ` takes hosts such as docs.example.com, not "${wrong}".`;
  },
  url: (value) =>
    /^https?:\/\/[^/]/.test(value) && URL.canParse(value)
      ? null
      : ` takes a URL such as http://127.0.0.1:11434/v1, not "${value}".`,
  preset: (value) => {
    const problem = presetProblem(value);
    return problem === null ? null : `: ${problem}.`;
  },
};

/** Checks of single inputs besides those of their form. */
const ownProblems: Readonly<Record<string, (value: string) => string | null>> = {
  model: (value) =>
    value.includes('/') ? null : ` takes provider/name such as anthropic/claude-sonnet-4-6, not "${value}".`,
  state_secret: (value) =>
    value.length < leastStateSecret
      ? ` needs at least ${leastStateSecret} characters, since a shorter one can be guessed: make one by \`openssl rand -hex 32\`.`
      : null,
  working_directory: (value) =>
    value.startsWith('/') || value.split(/[/\\]/).includes('..')
      ? ` takes a folder below the checkout, not "${value}".`
      : null,
};

/** Splits a list at commas and line breaks. */
export function inputList(value: string): string[] {
  return value
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function contradictions(set: GivenInputs): InputProblem[] {
  return [...modeProblems(set), ...wayProblems(set), ...pairProblems(set)];
}

/** The input that gives the prompt; null without one. */
function promptInput(set: GivenInputs): string | null {
  return ['prompt', 'prompt_file'].find((name) => set[name] !== undefined) ?? null;
}

function modeProblems(set: GivenInputs): InputProblem[] {
  const prompt = promptInput(set);
  if (set.mode === 'task' && prompt === null)
    return [{ input: 'mode', message: 'The input mode: task needs a prompt: set prompt or prompt_file.' }];
  if (set.mode === 'issue' && prompt !== null) {
    const message = `The inputs mode: issue and ${prompt} contradict each other: the issue is the task. Remove one of them.`;
    return [{ input: 'mode', message }];
  }
  if (set.mode === 'review' && isOn(set.create_pull_request)) {
    const message =
      'The inputs mode: review and create_pull_request contradict each other: a review changes nothing. Remove one of them.';
    return [{ input: 'create_pull_request', message }];
  }
  if (set.job === 'agent' && isOn(set.staged)) {
    const message =
      'The input staged has no meaning with job: agent, which writes nothing to GitHub. Set it for the job that publishes.';
    return [{ input: 'staged', message }];
  }
  if (set.mode === 'review' && set.profile != null && set.profile !== 'review') {
    const message = `The inputs mode: review and profile: ${set.profile} contradict each other. Remove one of them.`;
    return [{ input: 'profile', message }];
  }
  return [];
}

const isOn = (value: string | null | undefined): boolean => value?.toLowerCase() === 'true';

/**
 * Returns the ways that a step may run: both of a prompt where the value is unknown, or itself a
 * mistake.
 */
function waysOf(set: GivenInputs): readonly RunningWay[] {
  if (promptInput(set) === null) return ['event'];
  const creates = set.create_pull_request;
  if (creates === undefined || creates?.toLowerCase() === 'false') return ['task'];
  return isOn(creates) ? ['pull'] : ['pull', 'task'];
}

/** Names inputs without a meaning in the way that the step runs. */
function wayProblems(set: GivenInputs): InputProblem[] {
  const prompt = promptInput(set);
  const ways = waysOf(set);
  const [way = 'event'] = ways;
  const missing: Readonly<Record<RunningWay, string>> = {
    event: 'has a meaning only with prompt or prompt_file',
    task: `has no meaning with ${prompt}, whose result stays in the job`,
    pull: 'has no meaning with create_pull_request',
  };
  return Object.keys(set).flatMap((name) => {
    const only = actionInputs[name]?.only;
    const fits = only === undefined || ways.some((one) => only.includes(one));
    if (fits || set[name]?.toLowerCase() === 'false') return [];
    return [{ input: name, message: `The input ${name} ${missing[way]}. Remove it.` }];
  });
}

/** Pairs of inputs of which only one can be set. */
const pairs: readonly (readonly [string, string, string])[] = [
  ['prompt', 'prompt_file', 'both give the task'],
  ['budget_usd', 'max_cost_usd', 'max_cost_usd is the old name of budget_usd'],
];

function pairProblems(set: GivenInputs): InputProblem[] {
  const twice = pairs.flatMap(([first, second, why]) =>
    set[first] === undefined || set[second] === undefined
      ? []
      : [
          {
            input: second,
            message: `The inputs ${first} and ${second} contradict each other: ${why}. Remove one of them.`,
          },
        ],
  );
  return [...twice, ...checkProblems(set), ...findingProblems(set)];
}

/** Checks without a model could do nothing for a prompt. */
function checkProblems(set: GivenInputs): InputProblem[] {
  const prompt = promptInput(set);
  if (prompt === null || !isOn(set.checks_only)) return [];
  const message = `The inputs ${prompt} and checks_only contradict each other: checks without a model take no task. Remove one of them.`;
  return [{ input: 'checks_only', message }];
}

/** A task that is no review has no findings to fail on. */
function findingProblems(set: GivenInputs): InputProblem[] {
  const reviews = set.mode === 'review' || set.profile === 'review' || isOn(set.checks_only);
  if (set.fail_on === undefined || promptInput(set) === null || reviews || set.profile === null) return [];
  const message = 'The input fail_on needs mode: review beside a prompt, since only reviews have findings.';
  return [{ input: 'fail_on', message }];
}
