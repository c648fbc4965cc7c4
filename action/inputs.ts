import { setSecret } from '@actions/core';
import { inputList, inputProblems } from '../src/config/input-problems.ts';
import { configAt, mergeConfig } from '../src/config/merge-config.ts';
import { Config } from '../src/config/schema.ts';
import { type ActionMode, actionInputs, actionModes } from '../src/contract/action-inputs.ts';
import { ConfigError } from '../src/contract/errors.ts';

/** Validated inputs of the workflow. */
export interface ActionInputs {
  readonly mode: ActionMode;
  /** Null if the event decides, or if a file has the prompt. */
  readonly prompt: string | null;
  /** Path of the file with the prompt. */
  readonly promptFile: string | null;
  /** The share of this job, if agent and publisher have a job each. Null: it does both. */
  readonly share: 'agent' | 'publish' | null;
  readonly githubToken: string;
  /** Configuration as YAML, or the path of its file on the base branch. */
  readonly config: string | null;
  /** JSON Schema of the final answer, or the path of its file on the base branch. */
  readonly outputSchema: string | null;
  /** True if the change of a task becomes a pull request. */
  readonly createsPull: boolean;
  /** True if writes to GitHub are only shown in the job's summary. */
  readonly staged: boolean;
  /** True if the log has the output of tools. */
  readonly showFullOutput: boolean;
  readonly stateFolder: string | null;
  readonly stateSecret: string | null;
  /** Target of a review's SARIF file. Default: a temporary file. */
  readonly sarifFile: string | null;
  /** True if the step may change the machine for a sandbox. Null: only a machine of GitHub. */
  readonly sandboxSetup: boolean | null;
  /** Other inputs as configuration. They override files, except where a file is stricter. */
  readonly overrides: Config;
  /** Keys by the variables of the providers. */
  readonly modelEnvironment: Readonly<Record<string, string>>;
  /** Sentences for the log on old names. */
  readonly notices: readonly string[];
}

type Given = Readonly<Record<string, string>>;

const prefix = 'INPUT_';

/**
 * Reads the inputs from the variables of a step, as GitHub's runner sets them (GitHub Docs,
 * "Metadata syntax for GitHub Actions", "inputs"). Masks secrets first. Throws `ConfigError` with
 * the name of an unknown, wrong or contradicting one.
 */
export function readInputs(environment: Readonly<Record<string, string | undefined>>): ActionInputs {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith(prefix)) given[name.slice(prefix.length).toLowerCase()] = value?.trim() ?? '';
  for (const [name, { form }] of Object.entries(actionInputs))
    if (form === 'secret' && given[name]) setSecret(given[name]);
  const [problem] = inputProblems(given);
  if (problem !== undefined) throw new ConfigError(problem.message, { key: problem.input });
  if (!given.github_token) throw new ConfigError('The input github_token is empty.', { key: 'github_token' });
  return typedInputs(given, given.github_token);
}

function typedInputs(written: Given, githubToken: string): ActionInputs {
  const { given, notices } = withoutOldNames(written);
  const text = (name: string): string | null => given[name] || null;
  return {
    mode: actionModes.find((mode) => mode === given.mode) ?? 'auto',
    prompt: text('prompt'),
    promptFile: text('prompt_file'),
    share: given.job === 'agent' || given.job === 'publish' ? given.job : null,
    githubToken,
    config: text('config'),
    outputSchema: text('output_schema'),
    createsPull: isOn(given.create_pull_request),
    staged: isOn(given.staged),
    showFullOutput: isOn(given.show_full_output),
    stateFolder: text('state_dir'),
    stateSecret: text('state_secret'),
    sarifFile: text('sarif_file'),
    sandboxSetup: given.sandbox_setup ? isOn(given.sandbox_setup) : null,
    overrides: overridesOf(given),
    modelEnvironment: Object.fromEntries(
      Object.entries(given)
        .filter(([name, value]) => name.endsWith('_api_key') && value !== '')
        .map(([name, value]) => [name.toUpperCase(), value]),
    ),
    notices,
  };
}

const isOn = (value: string | undefined): boolean => value?.toLowerCase() === 'true';

/** Moves the values of old names to the new ones, with a notice on each. */
function withoutOldNames(written: Given): { readonly given: Given; readonly notices: readonly string[] } {
  const old = Object.entries(written).flatMap(([name, value]) => {
    const replacedBy = actionInputs[name]?.replacedBy;
    return replacedBy === undefined || value === '' ? [] : [{ name, value, replacedBy }];
  });
  return {
    given: { ...written, ...Object.fromEntries(old.map(({ replacedBy, value }) => [replacedBy, value])) },
    notices: old.map(({ name, replacedBy }) => `The input ${name} is deprecated: use ${replacedBy}.`),
  };
}

/** Conversions from the text of an input to the value of its configuration key. */
const conversions: Readonly<Record<string, (value: string) => unknown>> = {
  trigger_phrase: (value) => value.replace(/^[@/]/, ''),
  assignee_trigger: (value) => inputList(value).map((login) => login.replace(/^@/, '')),
  allowed_bots: inputList,
  max_turns: (value) => Math.ceil(Number(value)),
  budget_usd: Number,
  timeout_minutes: (value) => Math.ceil(Number(value) * 60),
  network_allow: inputList,
  working_directory: (value) => value.replace(/^(?:\.\/)+|\/+$/g, ''),
  use_sticky_comment: (value) => (isOn(value) ? 'edit' : 'comment'),
  checks_only: isOn,
};

/** Returns the inputs with a configuration key as configuration, without those that are empty. */
function overridesOf(given: Given): Config {
  const values = Object.entries(actionInputs).flatMap(([name, { key }]) => {
    const value = given[name];
    if (key === undefined || !value) return [];
    if (name === 'base_url') return [configAt(['providers', providerOf(given), 'baseUrl'], value)];
    const converted = conversions[name]?.(value) ?? value;
    return converted === '' ? [] : [configAt(key.split('.'), converted)];
  });
  return checked(mergeConfig(...values), given);
}

/** Returns the provider of the model or, without a model, of the first key. */
function providerOf({ model, openai_api_key: openai, anthropic_api_key: anthropic }: Given): string {
  if (model) return model.slice(0, Math.max(0, model.indexOf('/')));
  if (anthropic) return 'anthropic';
  if (openai) return 'openai';
  throw new ConfigError(
    'The input base_url needs the input model, as openai/NAME for a server with OpenAI’s API.',
    { key: 'base_url' },
  );
}

/** Checks the values by the schema of the configuration. */
function checked(overrides: object, given: Given): Config {
  const parsed = Config.safeParse(overrides);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  const [name = path] =
    Object.entries(actionInputs).find(([input, { key }]) => given[input] && key && path.startsWith(key)) ??
    [];
  throw new ConfigError(`The input ${name}: ${issue?.message ?? 'is not valid'}.`, { key: name });
}
