import type { IncomingEvent } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';
import { modeEvent, timerEvent } from '../../contract/thread-records.ts';
import { type VerbName, verbOf } from '../../contract/verbs.ts';
import { type Command, readCommand, readDismissal } from '../commands/read-command.ts';
import { splitCommands } from '../commands/split-commands.ts';
import type { Ignored, Trigger, TriggerLocation, TriggerSettings } from '../commands/trigger.ts';
import { whyNoFailure, workflowFile } from './build-event.ts';
import { asPullEvent, clickedVerb } from './check-run-click.ts';
import { readCommentEdit } from './comment-edited.ts';
import {
  integerAt,
  isOnPull,
  isRetargeted,
  isTrueAt,
  objectAt,
  stringAt,
  threadIn,
} from './payload-reader.ts';
import { unnamedBot } from './unnamed-bot.ts';

/**
 * An event of GitHub, or of our own timers, that may start something. Its payload must have an
 * issue or a pull request.
 */
interface TriggerEvent {
  /** Reads the request out of its payload, or why there is none. */
  read(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored;
  /** True if it brings the text of a comment, which may address no one. */
  readonly speech?: true;
}

type SpeechSource = 'issue_comment' | 'review_comment' | 'review';

/** The row of an event that brings the text of a user. */
const speech = (source: SpeechSource): TriggerEvent => ({
  read: (event, name, settings) => fromComment(event, name, settings, source),
  speech: true,
});

/** The row of a workflow's input `mode`, in the name of who caused its event. */
const mode = (verb: VerbName): TriggerEvent => ({
  read: (event, name, settings) => fromThread(event, name, settings, verb),
});

/** The row of an assignment, which starts a verb if `key` of the payload is one of our accounts. */
const assignment = (key: 'assignee' | 'requested_reviewer', verb: VerbName): TriggerEvent => ({
  read(event, name, settings) {
    const login = stringAt(event.payload, key, 'login');
    if (login === null || !isOneOf(login, [...settings.ownLogins, ...settings.accounts]))
      return ignored('it is not one of our accounts');
    return fromThread(event, name, settings, verb);
  },
});

/**
 * The events that may start something, by name and action. Source: GitHub Docs, "Webhook events and
 * payloads".
 */
export const events: Readonly<Record<string, TriggerEvent>> = {
  'issue_comment.created': speech('issue_comment'),
  'issue_comment.edited': { read: fromEdit },
  [`${timerEvent}.reminder`]: { read: fromTimer },
  [`${timerEvent}.deadline`]: { read: fromTimer },
  'pull_request_review_comment.created': speech('review_comment'),
  'pull_request_review.submitted': speech('review'),
  'check_run.requested_action': { read: fromCheck },
  'check_run.rerequested': { read: fromCheck },
  'workflow_run.completed': { read: fromBuild },
  'check_suite.completed': { read: fromBuild },
  [`${modeEvent}.review`]: mode('review'),
  [`${modeEvent}.implement`]: mode('implement'),
  'issues.labeled': { read: fromLabel },
  'issues.assigned': assignment('assignee', 'implement'),
  'pull_request.opened': { read: fromPullRequest },
  'pull_request.ready_for_review': { read: fromPullRequest },
  'pull_request.synchronize': { read: fromPullRequest },
  'pull_request.reopened': { read: fromPullRequest },
  'pull_request.edited': { read: fromRetarget },
  'pull_request.labeled': { read: fromLabel },
  'pull_request.review_requested': assignment('requested_reviewer', 'review'),
};

/** The payload that GitHub sends with an event. */
export interface EventShape {
  /** Objects and lists that have to be there, by their paths. */
  readonly has: readonly string[];
  /**
   * Keys allowed beside the common ones; no others are. Default: any except other events' subjects.
   */
  readonly only?: readonly string[];
  /** True if the App subscribes to it; GitHub sends the others to every App. */
  readonly subscribed?: true;
}

/**
 * The shape of every event that starts, ends or removes something. A body counts only if it has its
 * event's shape.
 */
export const eventShapes: Readonly<Record<string, EventShape>> = {
  issue_comment: { has: ['issue', 'comment'], subscribed: true },
  issues: { has: ['issue'], subscribed: true },
  pull_request: { has: ['pull_request'], subscribed: true },
  pull_request_review: { has: ['pull_request', 'review'], subscribed: true },
  pull_request_review_comment: { has: ['pull_request', 'comment'], subscribed: true },
  check_run: { has: ['check_run'] },
  workflow_run: { has: ['workflow_run'], only: ['workflow'] },
  check_suite: { has: ['check_suite'] },
  // Removes state.
  repository: { has: ['repository'], only: [], subscribed: true },
  installation: { has: ['installation.account'], only: ['repositories', 'requester'] },
  installation_repositories: {
    has: ['installation.account', 'repositories_removed'],
    only: ['repository_selection', 'repositories_added', 'requester'],
  },
};

/** The entry of an event with its action; null if it starts nothing. */
export function triggerEvent({ name, payload }: IncomingEvent): TriggerEvent | null {
  const key = `${name}.${stringAt(payload, 'action')}`;
  return Object.hasOwn(events, key) ? (events[key] ?? null) : null;
}

/**
 * Returns what an event asks for, or why it starts nothing. It is pure and total: a payload of the
 * wrong shape is ignored, as are our own events and bots that are not allowed.
 */
export function findTrigger(event: IncomingEvent, settings: TriggerSettings): Trigger | Ignored {
  const action = stringAt(event.payload, 'action');
  const name = action === null ? event.name : `${event.name}.${action}`;
  return triggerEvent(event)?.read(event, name, settings) ?? ignored(`${name} starts nothing`);
}

function fromComment(
  event: IncomingEvent,
  name: string,
  settings: TriggerSettings,
  source: SpeechSource,
): Trigger | Ignored {
  const key = source === 'review' ? 'review' : 'comment';
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  const comment = objectAt(event.payload, key);
  const id = comment && integerAt(comment, 'id');
  const at = comment && timestamp(stringAt(comment, 'created_at') ?? stringAt(comment, 'submitted_at'));
  if (!id || !at) return ignored(`${name} without a ${key}, its id and its time`);
  const author = integerAt(comment, 'user', 'id');
  if (author !== basis.common.actor.id)
    return ignored('the comment was written by another account than the sender');
  const body = stringAt(comment, 'body') ?? '';
  const command = readRequest(body, basis.common.thread.kind, settings);
  if (command.kind === 'ignored') return command;
  return {
    ...basis.common,
    ...command,
    at,
    comment: source === 'review' ? null : { id, kind: source },
    location: source === 'review_comment' ? readLocation(comment) : null,
  };
}

/** Reads what a comment asks for, or that it dismisses the finding of its thread. */
function readRequest(
  body: string,
  thread: Trigger['thread']['kind'],
  settings: TriggerSettings,
): (Command & Pick<Trigger, 'dismisses' | 'commands'>) | Ignored {
  const { finding = null } = settings;
  const text = finding === null ? null : readDismissal(body, settings);
  if (finding !== null && text !== null) return { kind: 'resolve', text, note: null, dismisses: finding };
  const command = readCommand(body, thread, settings);
  const several = command.kind === 'ignored' ? null : splitCommands(body, thread, settings);
  if (several?.kind === 'unclear') return { kind: 'help', text: '', note: several.problem };
  return several === null ? command : { ...several.first, commands: several.bodies };
}

/** Reads an edit of a comment in which we ask something; its ticks are read later. */
function fromEdit(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const edit = readCommentEdit(event, settings.ownLogins);
  if (edit.kind === 'ignored') return edit;
  const { comment_id, from, body, at } = edit;
  const isAnswer = comment_id === settings.questionComment;
  if (!isAnswer && comment_id !== settings.confirmationComment)
    return ignored('the edited comment asks nothing that waits');
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  const kind = isAnswer ? 'answer' : 'continue';
  return { ...basis.common, kind, text: '', note: null, at, edited: { from, body } };
}

/** Reads the timer of an unanswered question, in the name of the run's requester. */
function fromTimer(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  const at = timestamp(stringAt(event.payload, 'due'));
  const run_id = stringAt(event.payload, 'run_id');
  if (at === null || run_id === null) return ignored(`${name} without its run and time`);
  const kind = stringAt(event.payload, 'action') === 'reminder' ? 'reminder' : 'deadline';
  return { ...basis.common, kind: 'answer', text: '', note: null, at, timer: { kind, run_id } };
}

/** Returns the label's verb if it works on the thread. The person who added it is the requester. */
function fromLabel(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const label = stringAt(event.payload, 'label', 'name');
  const verb = label !== null && Object.hasOwn(settings.labels, label) ? settings.labels[label] : undefined;
  if (verb === undefined) return ignored('the label starts nothing');
  const found = fromThread(event, name, settings, verb);
  if (found.kind === 'ignored' || verbOf(verb).on.includes(found.thread.kind)) return found;
  const where = found.thread.kind === 'issue' ? 'pull requests' : 'issues';
  return ignored(`the label starts \`${verb}\`, which works on ${where} only`);
}

/**
 * Reads a click on a button of our check run, or its rerun, in the name of the user who clicked.
 */
function fromCheck(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const app = stringAt(event.payload, 'check_run', 'app', 'slug');
  if (app === null || !isOneOf(`${app}[bot]`, settings.ownLogins))
    return ignored('the check run is not ours');
  const verb = clickedVerb(event);
  if (verb === null) return ignored('the button has no known action');
  return fromThread(asPullEvent(event), name, settings, verb);
}

/**
 * Reads the end of a build, which may ask for a fix. What was tried before and the configuration
 * decide later.
 */
function fromBuild(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const reason = whyNoFailure(event.name, event.payload);
  if (reason !== null) return ignored(reason);
  // Our own push is the usual cause.
  const isOwn = isOneOf(stringAt(event.payload, 'sender', 'login') ?? '', settings.ownLogins);
  const others = isOwn ? { ...settings, ownLogins: [], allowBots: settings.ownLogins } : settings;
  const found = fromThread(asPullEvent(event), name, others, 'fix');
  if (found.kind === 'ignored') return found;
  return { ...found, automated: true, build: { isOwn, path: workflowFile(event.payload) } };
}

/** Reads a request made by an action on a thread; the head is the one at that time. */
function fromThread(
  event: IncomingEvent,
  name: string,
  settings: TriggerSettings,
  verb: VerbName,
): Trigger | Ignored {
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  const { thread } = basis.common;
  const subject = objectAt(event.payload, thread.kind === 'issue' ? 'issue' : 'pull_request') ?? {};
  if (stringAt(subject, 'state') === 'closed') return ignored('the thread is closed');
  const at = timestamp(stringAt(subject, 'updated_at'));
  if (at === null) return ignored(`${name} without the time of the thread`);
  const head_sha = stringAt(subject, 'head', 'sha');
  return { ...basis.common, kind: verb, text: '', note: null, at, head_sha };
}

/** A pull request that was edited is reviewed again only if its base changed. */
function fromRetarget(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  if (isRetargeted(event.payload)) return fromPullRequest(event, name, settings);
  return ignored('the base branch stays');
}

function fromPullRequest(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const isOwn = isOwnHead(event, name, settings);
  const skips = whySkipped(event, settings);
  if (skips !== null && !isOwn) return ignored(skips);
  if (stringAt(event.payload, 'pull_request', 'state') === 'closed')
    return ignored('the pull request is closed');
  // Our own account is not a requester elsewhere.
  const basis = readBasis(
    event,
    name,
    isOwn ? { ...settings, ownLogins: [], allowBots: settings.ownLogins } : settings,
  );
  if (basis.kind === 'ignored') return basis;
  const head_sha = stringAt(event.payload, 'pull_request', 'head', 'sha');
  const at = timestamp(stringAt(event.payload, 'pull_request', 'updated_at'));
  if (head_sha === null || at === null)
    return ignored(`${name} without the head and the time of the pull request`);
  return {
    ...basis.common,
    kind: 'review',
    automated: true,
    incremental: true,
    ...(isOwn ? { ownCommit: skips === null ? (settings.ownCommits ?? 'checks') : 'off' } : {}),
    text: '',
    note: null,
    at,
    head_sha,
  };
}

/** Returns why automated reviews skip a pull request; null if they do not. */
function whySkipped({ payload }: IncomingEvent, settings: TriggerSettings): string | null {
  if (!settings.autoReview) return 'automated reviews are off (review.auto)';
  const isDraft = isTrueAt(payload, 'pull_request', 'draft');
  return isDraft && !settings.reviewDrafts ? 'drafts are not reviewed (review.drafts)' : null;
}

/** True for a head that a run of ours pushed. It is handled like a push by a person. */
function isOwnHead({ payload }: IncomingEvent, name: string, { ownLogins }: TriggerSettings): boolean {
  const pushed = name === 'pull_request.synchronize' || name === 'pull_request.opened';
  return pushed && isOneOf(stringAt(payload, 'sender', 'login') ?? '', ownLogins);
}

/** The fields that every kind of trigger has. */
type Common = Omit<Trigger, 'kind' | 'text' | 'note' | 'at'>;
type Basis = { kind: 'basis'; common: Common } | Ignored;

/**
 * Reads the fields that every trigger has. Excludes our own events and bots that are not allowed.
 */
function readBasis(event: IncomingEvent, name: string, settings: TriggerSettings): Basis {
  const { payload } = event;
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repository = stringAt(payload, 'repository', 'name');
  const thread = threadIn(payload);
  const number = thread && integerAt(thread, 'number');
  const sender = stringAt(payload, 'sender', 'login');
  const autorun = sender !== null && isOneOf(sender, settings.ownLogins) ? settings.autorun : null;
  const login = autorun?.requester.login ?? sender;
  const id = autorun?.requester.id ?? integerAt(payload, 'sender', 'id');
  const type = autorun?.requester.type ?? stringAt(payload, 'sender', 'type');
  if (!owner || !repository || !number || !login || !id || !type) {
    return ignored(`${name} without repository, thread or sender`);
  }
  if (isOneOf(login, settings.ownLogins)) return ignored('it is our own doing');
  if ((type !== 'User' || login.endsWith('[bot]')) && !isOneOf(login, settings.allowBots)) {
    return ignored(`${login} is a ${type} ${unnamedBot(settings.host)}`);
  }
  return {
    kind: 'basis',
    common: {
      automated: false,
      event: name,
      repository: { owner, name: repository },
      thread: { kind: isOnPull(payload) ? 'pull_request' : 'issue', number },
      actor: { login, id, type },
      comment: null,
      location: null,
      head_sha: null,
      installation_id: integerAt(payload, 'installation', 'id'),
    },
  };
}

function isOneOf(login: string, logins: readonly string[]): boolean {
  return logins.some((other) => other.toLowerCase() === login.toLowerCase());
}

function readLocation(comment: JsonObject): TriggerLocation | null {
  const path = stringAt(comment, 'path');
  if (path === null) return null;
  return {
    path,
    line: integerAt(comment, 'line'),
    side: stringAt(comment, 'side') === 'LEFT' ? 'LEFT' : 'RIGHT',
    diff_hunk: stringAt(comment, 'diff_hunk') ?? '',
    root_id: integerAt(comment, 'in_reply_to_id'),
  };
}

/** Normalises GitHub's time: `2026-01-02T03:04:05.000Z`. */
function timestamp(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });
