import type { Octokit } from '@octokit/rest';
import { type TriggerConfig, triggerDefaults } from '../../config/defaults.ts';
import { effectiveConfig } from '../../config/effective-config.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import type { RunHost } from '../../config/parse-repository-config.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { Autorun } from '../../contract/thread-records.ts';
import type { Ignored, Trigger } from '../commands/trigger.ts';
import { readConfirmation } from '../records/confirmation.ts';
import { pendingHashIn } from '../records/pending-request.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { readWaitingSessions } from '../records/read-waiting.ts';
import { reportedPull } from '../records/reported-pull.ts';
import { readThreadFinding } from '../records/thread-finding.ts';
import { lostQuestionComment } from '../triggers/comment-edited.ts';
import { dismissedRootOf } from '../triggers/dismissed-root.ts';
import { findTrigger } from '../triggers/events.ts';
import { type Candidate, findCandidate } from '../triggers/find-candidate.ts';
import { integerAt, stringAt } from '../triggers/payload-reader.ts';
import { allowAnswerer } from './allow-answerer.ts';
import { type Authorization, authorize } from './authorize.ts';
import { chooseSession } from './choose-session.ts';
import { type RepositoryConfig, readTrustedConfig } from './read-config.ts';
import { isInLostThread, type LostQuestion, readLostQuestion } from './read-lost-question.ts';
import { readRequester } from './read-requester.ts';
import { readThreadFacts, type ThreadFacts, withConfiguredBase } from './read-thread-facts.ts';

/** Everything that authorizing an event needs besides the event. */
export interface AuthorizeContext {
  /** A client with a token that reads; only GET requests are made. */
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly log: (message: string) => void;
  readonly settings: EventSettings;
  /** Waits for milliseconds before stale data is read again; tests pass another clock. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** The request of a clicked control, which the event itself does not contain. */
  readonly clicked?: Trigger;
}

export interface EventSettings {
  readonly host: RunHost;
  /** Our own accounts, such as `anode-ci[bot]`. */
  readonly ownLogins: readonly string[];
  /** Base URL for clones, without a trailing slash. */
  readonly serverUrl: string;
  /**
   * Settings of the workflow or operator for this run. They override files, unless a file is
   * stricter.
   */
  readonly overrides: Config;
  /** The operator's configuration, weaker than the repository's. */
  readonly operatorConfig: Config;
  /** True if no state of the thread was found, though it is stored. Default: false. */
  readonly isStateLost?: boolean;
  /** False if a workflow stores nothing between its jobs. Default: true. */
  readonly isStored?: boolean;
}

/** A trigger with its requester, thread and configuration. */
export interface EventRequest {
  readonly kind: 'request';
  readonly trigger: Trigger;
  readonly authorization: Authorization;
  readonly facts: ThreadFacts;
  readonly config: Config;
  readonly triggers: TriggerConfig;
  readonly configSource: RepositoryConfig['source'];
  readonly configLayers: RepositoryConfig['layers'];
  /** The branch of the configuration, if it is not the thread's base branch; else null. */
  readonly trustedBranch: string | null;
  /** Why the configuration cannot be used; `config` then excludes it. */
  readonly configError: ConfigError | null;
  /** The waiting session that the event is about. */
  readonly waiting: SavedSession | null;
  /** All sessions that wait on the thread, newest first. */
  readonly sessions: readonly SavedSession[];
  /** The handoff that allows our own label to start a run; null for every other event. */
  readonly autorun: Autorun | null;
}

/**
 * Finds out what an event requests, and whether its actor may request it. It uses the trusted
 * branch's configuration over the operator's, and permissions from the API. API failures are
 * thrown.
 */
export async function authorizeEvent(
  event: IncomingEvent,
  context: AuthorizeContext,
): Promise<EventRequest | Ignored> {
  const { octokit, store, settings, log } = context;
  const candidate = findCandidate(event);
  if (candidate.kind === 'ignored') return candidate;
  const sessions = await readWaitingSessions(store, candidate, log);
  // An approval is a command, so people may talk while one is pending.
  const isTalk = candidate.silent && sessions.every(({ question }) => question === null);
  const lost = isTalk && settings.isStateLost ? await readLostQuestion(candidate, context) : null;
  if (isTalk && lost === null && dismissedRootOf(event) === null) {
    return { kind: 'ignored', reason: 'the comment does not address me, and no question waits' };
  }
  const autorun = await readAutorun(event, candidate, settings.ownLogins, store);
  const reported = await reportedPull(event, candidate, store);
  const { serverUrl } = settings;
  const read = await readThreadFacts(octokit, candidate, { serverUrl, reported, wait: context.wait });
  // Everything below is read and written by the name.
  if (store.repository !== null && read.repositoryId !== store.repository)
    return { kind: 'ignored', reason: 'another repository has the name by now' };
  // Read concurrently, since the requester waits for a reaction.
  const [{ config, facts, source, layers, branch, notes, error }, requester] = await Promise.all([
    readConfig(octokit, candidate, read, settings),
    readRequester(octokit, candidate.repository, autorun?.requester.login ?? candidate.sender),
  ]);
  const triggers = triggerDefaults(config);
  const waiting = chooseSession(event, sessions, triggers.mention);
  const trigger =
    context.clicked ??
    (await readTrigger(event, { config, triggers, waiting, lost, autorun, candidate }, context));
  if (trigger.kind === 'ignored') return trigger;
  const authorized = authorize(trigger, requester, triggers.allowBots, settings.host);
  const authorization = await allowAnswerer(authorized, { event, trigger, config, waiting, octokit });
  if (authorization.kind === 'allowed') for (const note of notes) log(note);
  const configuration = {
    ...{ config, triggers, configSource: source, configLayers: layers, configError: error },
    trustedBranch: branch === facts.baseBranch ? null : branch,
  };
  return { kind: 'request', trigger, authorization, facts, waiting, sessions, autorun, ...configuration };
}

/** Finds the trigger in an event by the configuration and the stored state. */
async function readTrigger(
  event: IncomingEvent,
  facts: Pick<EventRequest, 'config' | 'triggers' | 'waiting' | 'autorun'> & {
    readonly candidate: Candidate;
    readonly lost: LostQuestion | null;
  },
  { octokit, store, settings }: AuthorizeContext,
): Promise<Trigger | Ignored> {
  const { config, triggers, waiting, lost, autorun, candidate } = facts;
  const boxes = waiting && (await readBoxes(store, waiting));
  const { repository, thread } = candidate;
  const asked = waiting?.question == null ? undefined : waiting.plan?.review_thread;
  const isInQuestionThread =
    lost === null
      ? asked === integerAt(event.payload, 'comment', 'in_reply_to_id')
      : await isInLostThread(event, lost, candidate, { octokit, settings });
  const root = isInQuestionThread ? null : dismissedRootOf(event);
  const { ownLogins } = settings;
  const finding =
    root === null
      ? null
      : await readThreadFinding({ repository, thread, root }, { octokit, store, ownLogins });
  return findTrigger(event, {
    ...triggers,
    host: settings.host,
    autoReview: config.review?.auto ?? true,
    reviewDrafts: config.review?.drafts ?? false,
    ownCommits: config.review?.ownCommits,
    ownLogins: settings.ownLogins,
    waiting: waiting?.question?.question ?? lost?.question ?? null,
    isStateLost: settings.isStateLost ?? false,
    questionComment:
      boxes?.comment_id ?? (settings.isStateLost ? lostQuestionComment(event, ownLogins) : null),
    isInQuestionThread,
    finding,
    confirmationComment: await confirmationComment(event, candidate, store),
    autorun: config.handoff?.autorun ? autorun : null,
  });
}

/**
 * Returns the id of our comment that asks about a new head, if the edited one was such a comment by
 * its previous text.
 */
async function confirmationComment(
  { name, payload }: IncomingEvent,
  candidate: Candidate,
  store: StateStore,
): Promise<number | null> {
  const before = name === 'issue_comment' ? stringAt(payload, 'changes', 'body', 'from') : null;
  if (before === null || pendingHashIn(before) === null) return null;
  return (await readConfirmation(store, candidate))?.comment_id ?? null;
}

/** The configuration of an event, and what was wrong with it. */
interface ReadConfig extends RepositoryConfig {
  /** The thread with the base branch of the configuration. */
  readonly facts: ThreadFacts;
  readonly branch: string;
  readonly notes: readonly string[];
  readonly error: ConfigError | null;
}

/**
 * Reads the configuration. A broken file leaves the operator's, with the error: the requester is
 * checked before it is reported.
 */
async function readConfig(
  octokit: Octokit,
  candidate: Candidate,
  facts: ThreadFacts,
  { host, overrides, operatorConfig }: EventSettings,
): Promise<ReadConfig> {
  const { default_branch: defaultBranch } = facts.repository;
  const thread = { ...candidate.repository, defaultBranch, baseBranch: facts.baseBranch };
  try {
    const read = await readTrustedConfig(octokit, thread, host);
    const { config, notes } = effectiveConfig(overrides, mergeConfig(read.config, operatorConfig));
    const based = await withConfiguredBase(octokit, facts, config.branch?.base);
    return { ...read, facts: based, config, notes, error: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const config = mergeConfig(overrides, operatorConfig);
    return { config, facts, source: null, layers: [], branch: defaultBranch, notes: [], error };
  }
}

/**
 * Returns the handoff that allows our own label on an issue to start a run; null for every other
 * event. Only our store counts, since anybody can write to GitHub.
 */
async function readAutorun(
  event: IncomingEvent,
  { thread, sender }: Candidate,
  ownLogins: readonly string[],
  store: StateStore,
): Promise<Autorun | null> {
  if (event.name !== 'issues' || !ownLogins.includes(sender)) return null;
  const text = await store.get(stateKeys.autorun(thread.number));
  return text === null ? null : (Autorun.safeParse(parseJson(text)).data ?? null);
}
