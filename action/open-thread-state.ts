import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Octokit } from '@octokit/rest';
import type { IncomingEvent } from '../src/contract/event.ts';
import type { StateRoot } from '../src/contract/state-store.ts';
import { packText, unpackText } from '../src/github/artifact-archive.ts';
import {
  type ArtifactService,
  artifactServiceOf,
  type NoArtifacts,
  uploadArtifact,
} from '../src/github/artifact-service.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { downloadArtifact, findArtifacts } from '../src/github/find-artifacts.ts';
import { missingPermission, permissionRemedy } from '../src/github/missing-permission.ts';
import { pruneState } from '../src/pipeline/finish/prune-state.ts';
import {
  type CarriedStateStore,
  createCarriedStateStore,
  type StateChanges,
  withChanges,
  withinBytes,
} from '../src/state/carried-state-store.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { readThreadArchive, signThreadArchive, type ThreadArchive } from '../src/state/thread-archive.ts';
import { findCandidate } from '../src/webhooks/triggers/find-candidate.ts';
import { integerAt, isMerge } from '../src/webhooks/triggers/payload-reader.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import type { StepLog } from './step-log.ts';

/** The state of an event's thread, as a job has it. */
export interface ThreadState {
  readonly root: StateRoot;
  /** True if sessions can wait: stored state cannot be forged, and a later job finds it. */
  readonly canAsk: boolean;
  /** True if state would be stored as an artifact, and none of this thread was found. */
  readonly isLost: boolean;
  /** Leaves the state to later jobs. Errors are only logged: the run is published. */
  leave(): Promise<void>;
  /** Drops all changes, and reads the state that another job left since. */
  reload(): Promise<void>;
}

interface OpenRequest {
  readonly event: IncomingEvent;
  readonly job: Job;
  readonly inputs: Pick<ActionInputs, 'githubToken' | 'share' | 'staged' | 'stateFolder' | 'stateSecret'>;
  readonly log: StepLog;
}

/** The file in the artifact. */
const stateFile = 'state.json';

/** Bytes of state that one thread has at most. A session of a long run has a few megabytes. */
const mostBytes = 24_000_000;

/**
 * Opens the state of an event's thread: from the folder of `state_dir`, else from the newest
 * artifact of an earlier workflow run. Without `state_secret` nothing is carried on, and nothing of
 * a staged run is.
 */
export async function openThreadState(request: OpenRequest): Promise<ThreadState> {
  const { inputs, job, log } = request;
  const { stateFolder, stateSecret: secret } = inputs;
  const place = placeOf(request);
  if (stateFolder === null && secret !== null && place !== null) {
    const service = artifactServiceOf(job.artifactVariables, job.serverUrl);
    if (typeof service !== 'string') return fromArtifact({ ...request, secret, service, place });
    log.warning(`${notCarried} ${whyNone[service]}`);
  }
  const ownFolder = path.join(job.temporaryFolder, 'anode-state');
  // A staged run did nothing that may count as done.
  if (stateFolder !== null && inputs.staged && existsSync(stateFolder))
    await cp(stateFolder, ownFolder, { recursive: true });
  const root = createFileStateStore({
    folder: path.resolve(inputs.staged ? ownFolder : (stateFolder ?? ownFolder)),
    secret,
    onRejected: (message) => log.warning(message),
  });
  if (stateFolder !== null) await pruneState(root, new Date());
  // Anyone with write access could forge the folder, so nothing waits without a secret.
  return {
    root,
    canAsk: stateFolder !== null && secret !== null,
    isLost: false,
    leave: async () => undefined,
    reload: async () => undefined,
  };
}

const notCarried = 'Nobody can be asked, and no later run knows of this one.';

const whyNone: Readonly<Record<NoArtifacts, string>> = {
  'enterprise-server':
    'GitHub Enterprise Server has no artifacts that this step can write. Set `state_dir` to a folder that the workflow carries on.',
  'no-service':
    'The runner gives this step no artifact service. Set `state_dir` to a folder that the workflow carries on.',
};

/** The thread of an event, to the artifacts. */
interface Place {
  readonly repository: number;
  readonly thread: number;
  readonly workflowRun: number;
}

function placeOf({ event, job }: OpenRequest): Place | null {
  const thread = threadOf(event);
  const repository = job.repositoryId ?? integerAt(event.payload, 'repository', 'id');
  if (thread === null || repository === null || job.runId === null) return null;
  return { repository, thread, workflowRun: job.runId };
}

/** Returns the thread of an event that may start something, or of a merge; null for any other. */
function threadOf(event: IncomingEvent): number | null {
  // A merge starts no run, but the summary of the pull request says what it left open.
  if (isMerge(event)) return integerAt(event.payload, 'pull_request', 'number');
  const candidate = findCandidate(event);
  return candidate.kind === 'ignored' ? null : candidate.thread.number;
}

interface ArtifactRequest extends OpenRequest {
  readonly secret: string;
  readonly service: ArtifactService;
  readonly place: Place;
}

async function fromArtifact(request: ArtifactRequest): Promise<ThreadState> {
  const { job, inputs, log, place } = request;
  const octokit = createOctokit({ apiUrl: job.apiUrl, token: inputs.githubToken });
  let latest: ThreadArchive | null;
  try {
    latest = await readNewest(octokit, request);
  } catch (error) {
    const permission = missingPermission(error);
    if (permission === null) throw error;
    log.warning(`${notCarried} ${permissionRemedy(permission, 'action')}`);
    const root = await createCarriedStateStore([], async () => undefined);
    return {
      root,
      canAsk: false,
      isLost: false,
      leave: async () => undefined,
      reload: async () => undefined,
    };
  }
  const isLost = latest === null;
  const save = async (changes: StateChanges) => {
    // Another run on the thread may have left its own since.
    const found = await readNewest(octokit, request);
    const before = (found?.sequence ?? 0) > (latest?.sequence ?? 0) ? found : latest;
    const archive: ThreadArchive = {
      ...{ version: 1, kind: 'thread-state', repository: place.repository, thread: place.thread },
      workflow_run: place.workflowRun,
      sequence: (before?.sequence ?? 0) + 1,
      entries: withinBytes(withChanges(before?.entries ?? [], changes), mostBytes),
    };
    const text = signThreadArchive(archive, request.secret);
    await uploadArtifact(request.service, nameOf(place), packText(stateFile, text));
    latest = archive;
  };
  // The job of the agent only reads: the publishing job stores the state of both.
  const onlyReads = inputs.share === 'agent' || inputs.staged;
  const root = await createCarriedStateStore(latest?.entries ?? [], onlyReads ? async () => undefined : save);
  const reload = async () => {
    latest = await readNewest(octokit, request);
    await root.restart(latest?.entries ?? []);
  };
  return { root, canAsk: true, isLost, leave: () => leaveOrWarn(root, log), reload };
}

async function leaveOrWarn(root: CarriedStateStore, log: StepLog): Promise<void> {
  try {
    await root.leave();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.warning(`What later runs on this thread need could not be stored as an artifact: ${why}`);
  }
}

const nameOf = ({ thread }: Place): string => `anode-thread-${thread}`;

/** Archives that are tried, the newest first: somebody may have uploaded others under the name. */
const mostTried = 5;

async function readNewest(
  octokit: Octokit,
  { job, place, secret }: ArtifactRequest,
): Promise<ThreadArchive | null> {
  const at = { owner: job.owner, repo: job.repository };
  const found = await findArtifacts(octokit, { ...at, repositoryId: place.repository, name: nameOf(place) });
  const readable = found.filter(({ expired, bytes }) => !expired && bytes <= mostBytes);
  for (const { id, workflowRun } of readable.slice(0, mostTried)) {
    const bytes = await downloadArtifact(octokit, at, id);
    const text = bytes === null ? null : unpackText(bytes, stateFile, 2 * mostBytes);
    const about = { repository: place.repository, thread: place.thread, workflow_run: workflowRun };
    const archive = text === null ? null : readThreadArchive(text, about, secret);
    if (archive !== null) return archive;
  }
  return null;
}
