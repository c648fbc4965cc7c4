import { getInput, setSecret } from '@actions/core';
import { presetProblem } from '../src/config/preset-names.ts';
import type { Config } from '../src/config/schema.ts';
import { ConfigError } from '../src/contract/errors.ts';
import { SandboxMode } from '../src/contract/levels.ts';

/** Validated inputs of the workflow. */
export interface ActionInputs {
  /** Null if the event decides. */
  readonly prompt: string | null;
  readonly githubToken: string;
  readonly stateFolder: string | null;
  readonly stateSecret: string | null;
  /** Target of a review's SARIF file. Default: a temporary file. */
  readonly sarifFile: string | null;
  /** True if the step may change the machine for a sandbox. Null: only a machine of GitHub. */
  readonly sandboxSetup: boolean | null;
  /** Other inputs as configuration. They override files, except where a file is stricter. */
  readonly overrides: Config;
  /** Keys and endpoints by the variables of the providers. */
  readonly modelEnvironment: Readonly<Record<string, string>>;
}

/** Secret inputs, masked in the job's log first. */
const secretInputs = ['github_token', 'anthropic_api_key', 'openai_api_key', 'state_secret'];

const text = (name: string): string | null => getInput(name) || null;

function number(name: string): number | null {
  const value = text(name);
  if (value === null) return null;
  const parsed = Number(value);
  if (!(parsed > 0 && Number.isFinite(parsed)))
    throw new ConfigError(`The input ${name} takes a number above 0, not "${value}".`, { key: name });
  return parsed;
}

function flag(name: string): boolean | null {
  const value = text(name)?.toLowerCase() ?? null;
  if (value === null) return null;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new ConfigError(`The input ${name} takes true or false, not "${value}".`, { key: name });
}

function sandboxMode(): SandboxMode | null {
  const sandbox = SandboxMode.nullable().safeParse(text('sandbox'));
  if (sandbox.success) return sandbox.data;
  throw new ConfigError('The input sandbox takes required, preferred or off.', { key: 'sandbox' });
}

function presetName(): string | null {
  const preset = text('preset');
  const problem = preset ? presetProblem(preset) : null;
  if (problem !== null) throw new ConfigError(`The input preset: ${problem}.`, { key: 'preset' });
  return preset;
}

function limits(): Config['limits'] {
  const [maxTurns, maxCostUsd, minutes] = ['max_turns', 'max_cost_usd', 'timeout_minutes'].map(number);
  return {
    ...(maxTurns ? { maxTurns: Math.ceil(maxTurns) } : {}),
    ...(maxCostUsd ? { maxCostUsd } : {}),
    ...(minutes ? { timeoutSeconds: Math.ceil(minutes * 60) } : {}),
  };
}

/** Inputs as configuration, without those that are empty. */
function overrides(sandbox: SandboxMode | null, checksOnly: boolean | null): Config {
  const [model, profile] = ['model', 'profile'].map(text);
  const preset = presetName();
  const set = limits() ?? {};
  return {
    ...(model ? { model } : {}),
    ...(profile ? { profile } : {}),
    ...(checksOnly === null ? {} : { review: { checksOnly } }),
    ...(preset ? { permissions: { preset } } : {}),
    ...(sandbox === null ? {} : { sandbox }),
    ...(Object.keys(set).length > 0 ? { limits: set } : {}),
  };
}

/** Reads the inputs of `action.yml`; throws `ConfigError` with the name of an invalid one. */
export function readInputs(): ActionInputs {
  for (const name of secretInputs) {
    const value = getInput(name);
    if (value !== '') setSecret(value);
  }
  const sandbox = sandboxMode();
  const checksOnly = flag('checks_only');
  const githubToken = text('github_token');
  if (githubToken === null)
    throw new ConfigError('The input github_token is empty.', { key: 'github_token' });
  const endpoints = ['anthropic_api_key', 'openai_api_key', 'anthropic_base_url', 'openai_base_url'];
  return {
    prompt: text('prompt'),
    githubToken,
    stateFolder: text('state_dir'),
    stateSecret: text('state_secret'),
    sarifFile: text('sarif_file'),
    sandboxSetup: flag('sandbox_setup'),
    overrides: overrides(sandbox, checksOnly),
    modelEnvironment: Object.fromEntries(
      endpoints.flatMap((name) => {
        const value = text(name);
        return value === null ? [] : [[name.toUpperCase(), value]];
      }),
    ),
  };
}
