import os from 'node:os';
import path from 'node:path';
import { readPayload } from '../src/command-line/user-files.ts';
import { ConfigError } from '../src/contract/errors.ts';
import type { JsonObject } from '../src/contract/json.ts';

/**
 * The current workflow job (GitHub docs, "Variables reference", "Default environment variables").
 */
export interface Job {
  readonly eventName: string;
  readonly payload: JsonObject;
  readonly owner: string;
  readonly repository: string;
  /** Repository id at GitHub; null if the runner does not set it. */
  readonly repositoryId: number | null;
  readonly actor: string;
  /** Name of the workflow, its file below `.github/workflows`, and the name of the job in it. */
  readonly workflow: { readonly name: string; readonly file: string; readonly job: string };
  readonly sha: string;
  readonly ref: string;
  /** The job's checkout. */
  readonly workspace: string;
  /** Emptied by the runner after the job; hidden from the agent's sandbox. */
  readonly temporaryFolder: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** Number of this workflow run; null if the runner does not set it. */
  readonly runId: number | null;
  /** Number of the attempt at this workflow run, from 1. */
  readonly runAttempt: number;
  /** Variables of the artifact service, which the runner gives to actions alone. */
  readonly artifactVariables: Readonly<Record<string, string | undefined>>;
  /** Variables of the identity tokens, with the permission `id-token: write`. */
  readonly identityVariables: Readonly<Record<string, string | undefined>>;
  /** Web page of this workflow run; null without `runId`. */
  readonly runUrl: string | null;
}

/**
 * Returns why a runner cannot run an agent; null if it can. The confined access to files needs
 * Linux's `/proc/self/fd`. `platform` is Node's `process.platform`.
 */
export function runnerProblem(platform: string): string | null {
  if (platform === 'linux') return null;
  const names: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows' };
  return `Anode CI runs on Linux, and this runner has ${names[platform] ?? platform}. Give the step a job of its own with \`runs-on: ubuntu-24.04\`.`;
}

/** Reads the job from its environment; throws `ConfigError` with the name of a missing variable. */
export async function readJob(environment: Readonly<Record<string, string | undefined>>): Promise<Job> {
  const variable = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new ConfigError(`${name} is not set: this program is started by GitHub Actions.`, { key: name });
  };
  const { ACTIONS_RESULTS_URL, ACTIONS_RUNTIME_TOKEN } = environment;
  const { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } = environment;
  const [owner = '', repository = ''] = variable('GITHUB_REPOSITORY').split('/');
  const serverUrl = environment.GITHUB_SERVER_URL || 'https://github.com';
  const eventFile = variable('GITHUB_EVENT_PATH');
  const runId = idOf(environment.GITHUB_RUN_ID);
  return {
    eventName: variable('GITHUB_EVENT_NAME'),
    payload: await readPayload(eventFile),
    owner,
    repository,
    repositoryId: idOf(environment.GITHUB_REPOSITORY_ID),
    actor: variable('GITHUB_ACTOR'),
    workflow: workflowOf(environment),
    sha: variable('GITHUB_SHA'),
    ref: environment.GITHUB_REF || 'refs/heads/main',
    workspace: path.resolve(variable('GITHUB_WORKSPACE')),
    temporaryFolder: environment.RUNNER_TEMP || os.tmpdir(),
    apiUrl: environment.GITHUB_API_URL || 'https://api.github.com',
    serverUrl,
    runId,
    runAttempt: idOf(environment.GITHUB_RUN_ATTEMPT) ?? 1,
    artifactVariables: { ACTIONS_RESULTS_URL, ACTIONS_RUNTIME_TOKEN },
    identityVariables: { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN },
    runUrl: runId === null ? null : `${serverUrl}/${owner}/${repository}/actions/runs/${runId}`,
  };
}

/** Reads `GITHUB_WORKFLOW_REF`, such as `acme/shop/.github/workflows/ci.yml@refs/heads/main`. */
function workflowOf(environment: Readonly<Record<string, string | undefined>>): Job['workflow'] {
  const [place = ''] = (environment.GITHUB_WORKFLOW_REF ?? '').split('@');
  const file = path.posix.basename(place);
  return { name: environment.GITHUB_WORKFLOW || file, file, job: environment.GITHUB_JOB ?? '' };
}

function idOf(text: string | undefined): number | null {
  const id = Number(text || Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
