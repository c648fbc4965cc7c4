import type { Octokit } from '@octokit/rest';
import { ConfigError } from '../src/contract/errors.ts';
import { HandedRun, mostHandedBytes } from '../src/contract/handed-run.ts';
import { parseJson } from '../src/contract/json.ts';
import { packText, unpackText } from '../src/github/artifact-archive.ts';
import { artifactServiceOf, type NoArtifacts, uploadArtifact } from '../src/github/artifact-service.ts';
import { downloadArtifact, findArtifacts } from '../src/github/find-artifacts.ts';
import { integerAt } from '../src/webhooks/triggers/payload-reader.ts';
import type { Job } from './job.ts';

/** The artifact that the agent's job leaves, and the file in it. */
const [name, file] = ['anode-run', 'run.json'];

/** Archives that are tried, the newest first: each attempt at a job may have left one. */
const mostTried = 5;

/** Place that a handed-on run belongs to. */
export type HandedPlace = Pick<HandedRun, 'version' | 'repository' | 'workflow_run' | 'attempt'>;

/** Returns the place of this job's run. Throws `ConfigError` outside a workflow run. */
export function handedPlace({ repositoryId, payload, runId, runAttempt }: Job): HandedPlace {
  const repository = repositoryId ?? integerAt(payload, 'repository', 'id');
  if (repository === null || runId === null)
    throw new ConfigError('The runner does not say which workflow run this is, so no job can take it up.', {
      key: 'job',
    });
  return { version: 1, repository, workflow_run: runId, attempt: runAttempt };
}

const whyNone: Readonly<Record<NoArtifacts, string>> = {
  'enterprise-server':
    'GitHub Enterprise Server has no artifacts that a step can write, so agent and publisher cannot have a job each. Remove the input `job`.',
  'no-service': 'The runner gives this step no artifact service, which the input `job: agent` needs.',
};

/** Stores a run for the job that publishes. Throws `ConfigError` if this job cannot. */
export async function leaveHandedRun(handed: HandedRun, job: Job): Promise<void> {
  const service = artifactServiceOf(job.artifactVariables, job.serverUrl);
  if (typeof service === 'string') throw new ConfigError(whyNone[service], { key: 'job' });
  const text = JSON.stringify(handed);
  if (Buffer.byteLength(text) > mostHandedBytes)
    throw new ConfigError(
      `The result of the run has more than ${mostHandedBytes / 1e6} MB, so the publishing job cannot take it.`,
      { key: 'job' },
    );
  await uploadArtifact(service, name, packText(file, text));
}

/**
 * Reads what the agent's job of this workflow run left: the newest that is of this repository and
 * run, and of no later attempt. Null without one. Needs `actions: read`.
 */
export async function readHandedRun(octokit: Octokit, job: Job): Promise<HandedRun | null> {
  const here = handedPlace(job);
  const at = { owner: job.owner, repo: job.repository };
  const search = { ...at, repositoryId: here.repository, name, workflowRun: here.workflow_run };
  const found = await findArtifacts(octokit, search);
  const readable = found.filter(({ expired, bytes }) => !expired && bytes <= mostHandedBytes);
  for (const { id } of readable.slice(0, mostTried)) {
    const bytes = await downloadArtifact(octokit, at, id);
    const text = bytes === null ? null : unpackText(bytes, file, mostHandedBytes);
    const { data: handed } = HandedRun.safeParse(text === null ? null : parseJson(text));
    const isHere =
      handed?.repository === here.repository &&
      handed.workflow_run === here.workflow_run &&
      handed.attempt <= here.attempt;
    if (isHere) return handed;
  }
  return null;
}

/**
 * Makes the ids of planned runs from workflow run and attempt. Both jobs make the same, so that a
 * publishing job that is started again repeats nothing.
 */
export function idsOf({ workflow_run, attempt }: HandedPlace) {
  const counts = { run: 0, sess: 0 };
  const next = (kind: 'run' | 'sess') => {
    counts[kind] += 1;
    return idOf(kind, { workflow_run, attempt }, counts[kind]);
  };
  return { runId: () => next('run'), sessionId: () => next('sess') };
}

/** Returns the id of the first run that the event of a workflow run plans. */
export const firstRunId = (place: Pick<HandedPlace, 'workflow_run' | 'attempt'>): string =>
  idOf('run', place, 1);

const idOf = (
  kind: 'run' | 'sess',
  { workflow_run, attempt }: Pick<HandedPlace, 'workflow_run' | 'attempt'>,
  count: number,
): string => `${kind}_w${workflow_run.toString(36)}a${attempt}n${count}`;
