import { Severity } from './findings.ts';
import { SandboxMode } from './levels.ts';

/** Value of an input: free text, one of these words, or a form that is checked. */
export type InputForm =
  | 'text'
  | 'secret'
  | 'number'
  | 'flag'
  | 'names'
  | 'hosts'
  | 'path'
  | 'url'
  | 'preset'
  | readonly string[];

/**
 * Way in which a step runs. `event`: the event decides. `task`: it has a prompt, and the result
 * stays in the job. `pull`: it has a prompt, and the change becomes a pull request.
 */
export type RunningWay = 'event' | 'task' | 'pull';

/** One input of the Action. `action/action.yml` has its description. */
export interface ActionInput {
  readonly form: InputForm;
  /** The configuration key of the same meaning. Of two limits, the stricter applies. */
  readonly key?: string;
  /** The only ways of running with a meaning. Default: all. */
  readonly only?: readonly RunningWay[];
  /** The input that replaces this old name. */
  readonly replacedBy?: string;
}

/** Kinds of work of a step. `auto` is `task` with a prompt; without one, the event decides. */
export const actionModes = ['auto', 'review', 'task', 'issue'] as const;
export type ActionMode = (typeof actionModes)[number];

/** All inputs of the Action by name. */
export const actionInputs: Readonly<Record<string, ActionInput>> = {
  prompt: { form: 'text' },
  prompt_file: { form: 'path' },
  mode: { form: actionModes },
  job: { form: ['agent', 'publish'], only: ['event'] },
  model: { form: 'text', key: 'model' },
  profile: { form: 'text', key: 'profile' },
  preset: { form: 'preset', key: 'permissions.preset' },
  github_token: { form: 'secret' },
  anthropic_api_key: { form: 'secret' },
  openai_api_key: { form: 'secret' },
  gemini_api_key: { form: 'secret' },
  openrouter_api_key: { form: 'secret' },
  base_url: { form: 'url', key: 'providers' },
  trigger_phrase: { form: 'text', key: 'triggers.mention', only: ['event'] },
  label_trigger: { form: 'text', key: 'triggers.label', only: ['event'] },
  assignee_trigger: { form: 'names', key: 'triggers.accounts', only: ['event'] },
  allowed_bots: { form: 'names', key: 'triggers.allowBots' },
  base_branch: { form: 'text', key: 'branch.base', only: ['event', 'pull'] },
  branch_prefix: { form: 'text', key: 'branch.prefix', only: ['event', 'pull'] },
  branch_name_template: { form: 'text', key: 'branch.template', only: ['event', 'pull'] },
  max_turns: { form: 'number', key: 'limits.maxTurns' },
  budget_usd: { form: 'number', key: 'limits.maxCostUsd' },
  max_cost_usd: { form: 'number', replacedBy: 'budget_usd' },
  timeout_minutes: { form: 'number', key: 'limits.timeoutSeconds' },
  create_pull_request: { form: 'flag', only: ['task', 'pull'] },
  output_schema: { form: 'text', only: ['task'] },
  sandbox: { form: SandboxMode.options, key: 'sandbox' },
  sandbox_setup: { form: 'flag' },
  network_allow: { form: 'hosts', key: 'tools.web.allow' },
  setup: { form: 'text', key: 'setup' },
  config: { form: 'text' },
  working_directory: { form: 'path', key: 'workspace.directory' },
  use_sticky_comment: { form: 'flag', key: 'report.notify', only: ['event'] },
  fail_on: { form: Severity.options, key: 'review.failOn' },
  staged: { form: 'flag', only: ['event', 'pull'] },
  show_full_output: { form: 'flag' },
  checks_only: { form: 'flag', key: 'review.checksOnly' },
  sarif_file: { form: 'path' },
  state_dir: { form: 'path' },
  state_secret: { form: 'secret' },
};

/** Least characters of `state_secret`: less can be guessed. */
export const leastStateSecret = 32;
