import type { Octokit } from '@octokit/rest';
import { type TriggerConfig, triggerDefaults } from '../../config/defaults.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import type { RunHost } from '../../config/parse-repository-config.ts';
import { resolveOverrides } from '../../config/resolve-overrides.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Autorun } from '../../contract/thread-records.ts';
import type { Ignored, Trigger } from '../commands/trigger.ts';
import { heldHashIn, readHeld } from '../records/held-request.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { readWaiting } from '../records/read-waiting.ts';
import { toldPull } from '../records/told-pull.ts';
import { findTrigger } from '../triggers/events.ts';
import { type Candidate, findCandidate } from '../triggers/find-candidate.ts';
import { stringAt } from '../triggers/payload-reader.ts';
import { type Authorization, authorize } from './authorize.ts';
import { chooseWaiting } from './choose-waiting.ts';
import { letAnswer } from './let-answer.ts';
import { readAutorun } from './read-autorun.ts';
import { type RepositoryConfig, readSteeringConfig } from './read-config.ts';
import { readPlace, type ThreadPlace } from './read-place.ts';
import { readRequester } from './read-requester.ts';

/** What judging needs from outside. */
export interface JudgePorts {
  /** With a token that reads; only GET requests are made. */
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly log: (message: string) => void;
  readonly settings: JudgeSettings;
  /** Waits that many milliseconds, where GitHub's answer is of before the event; another clock in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** What the event asks for, where that was found out already: somebody ticked a control of ours. */
  readonly pressed?: Trigger;
}

export interface JudgeSettings {
  readonly host: RunHost;
  /** Our own accounts, such as `anode-ci[bot]`. */
  readonly ownLogins: readonly string[];
  /** Where repositories are cloned from, without a slash at its end. */
  readonly serverUrl: string;
  /** What the workflow or the operator set for this run; stronger than any file, but for what a file holds to more strictly. */
  readonly overrides: Config;
  /** The operator's own configuration, weaker than the repository's. */
  readonly operatorConfig: Config;
}

/** A trigger with who asked, where, and under what configuration. */
export interface Judged {
  readonly kind: 'judged';
  readonly trigger: Trigger;
  readonly authorization: Authorization;
  readonly place: ThreadPlace;
  readonly config: Config;
  readonly triggers: TriggerConfig;
  readonly configSource: RepositoryConfig['source'];
  readonly configLayers: RepositoryConfig['layers'];
  /** The branch that steers the run, where the thread's base branch is not trusted to; else null. */
  readonly trustedBranch: string | null;
  /** Why the configuration cannot be used; `config` is then without it. */
  readonly configError: ConfigError | null;
  /** The session that waits on the thread, whatever the trigger: of several the one that the event is about. */
  readonly waiting: SavedSession | null;
  /** All that wait on the thread, the newest first. */
  readonly sessions: readonly SavedSession[];
  /** Given where our own label starts the run that a handoff asked for. */
  readonly autorun: Autorun | null;
}

/**
 * Whether an event asks for something and whether its actor may ask, by the trusted branch's configuration over the operator's, and the API's
 * word. API failures are thrown.
 */
export async function judgeEvent(event: IncomingEvent, ports: JudgePorts): Promise<Judged | Ignored> {
  const { octokit, store, settings, log } = ports;
  const candidate = findCandidate(event);
  if (candidate.kind === 'ignored') return candidate;
  const sessions = await readWaiting(store, candidate, log);
  // An approval is a command, so beside it people may talk.
  if (candidate.silent && sessions.every(({ question }) => question === null)) {
    return { kind: 'ignored', reason: 'the comment addresses nobody, and no question waits' };
  }
  const autorun = await readAutorun(event, candidate, settings.ownLogins, store);
  const told = await toldPull(event, candidate, store);
  const { wait } = ports;
  const place = await readPlace(octokit, candidate, {
    ...{ serverUrl: settings.serverUrl, told },
    ...(wait && { wait }),
  });
  // All that follows is read and written by the name.
  if (store.repository !== null && place.repositoryId !== store.repository)
    return { kind: 'ignored', reason: 'another repository has the name by now' };
  // Read side by side, since someone waits for a sign of life.
  const [{ config, source, layers, branch, notes, error }, requester] = await Promise.all([
    readConfig(octokit, candidate, place, settings),
    readRequester(octokit, candidate.repository, autorun?.requester.login ?? candidate.sender),
  ]);
  const triggers = triggerDefaults(config);
  const waiting = chooseWaiting(event, sessions, triggers.mention);
  const trigger =
    ports.pressed ??
    findTrigger(event, {
      ...triggers,
      autoReview: config.review?.auto ?? true,
      reviewDrafts: config.review?.drafts ?? false,
      ownLogins: settings.ownLogins,
      waiting: waiting?.question?.question ?? null,
      asked: waiting === null ? null : ((await readBoxes(store, waiting))?.comment_id ?? null),
      confirms: await askedOnHead(event, candidate, store),
      autorun: config.handoff?.autorun ? autorun : null,
    });
  if (trigger.kind === 'ignored') return trigger;
  const authorized = authorize(trigger, requester, triggers.allowBots);
  const authorization = await letAnswer(authorized, { event, trigger, config, waiting, octokit });
  if (authorization.kind === 'allowed') for (const note of notes) log(note);
  const configuration = {
    ...{ config, triggers, configSource: source, configLayers: layers, configError: error },
    trustedBranch: branch === baseBranchOf(place) ? null : branch,
  };
  return { kind: 'judged', trigger, authorization, place, waiting, sessions, autorun, ...configuration };
}

/** The comment about a new head that somebody edited, by what it said before; null where it is none that we know. */
async function askedOnHead(
  { name, payload }: IncomingEvent,
  candidate: Candidate,
  store: StateStore,
): Promise<number | null> {
  const before = name === 'issue_comment' ? stringAt(payload, 'changes', 'body', 'from') : null;
  const held = before === null ? null : await readHeld(store, candidate, heldHashIn(before));
  return held?.posted?.comment_id ?? null;
}

/** The branch that a thread is about. */
function baseBranchOf({ pull, repository }: ThreadPlace): string {
  return pull?.base.ref ?? repository.default_branch;
}

/** What steers an event, and what was wrong with it. */
interface ReadConfig extends RepositoryConfig {
  readonly branch: string;
  readonly notes: readonly string[];
  readonly error: ConfigError | null;
}

/** The configuration, or the operator's and what was wrong: who asked is found out before anyone is told. */
async function readConfig(
  octokit: Octokit,
  candidate: Candidate,
  place: ThreadPlace,
  { host, overrides, operatorConfig }: JudgeSettings,
): Promise<ReadConfig> {
  const { default_branch: defaultBranch } = place.repository;
  const thread = { ...candidate.repository, defaultBranch, baseBranch: baseBranchOf(place) };
  try {
    const read = await readSteeringConfig(octokit, thread, host);
    const files = mergeConfig(read.config, operatorConfig);
    const settled = resolveOverrides(overrides, files);
    const config = mergeConfig(settled.overrides, files);
    return { ...read, config, notes: settled.notes, error: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const config = mergeConfig(overrides, operatorConfig);
    return { config, source: null, layers: [], branch: defaultBranch, notes: [], error };
  }
}
