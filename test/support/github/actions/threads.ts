import { validationFailed } from '../protocol/api-error.ts';
import { assertLabelNames } from '../rules/texts.ts';
import { accountShape } from '../shapes/account.ts';
import { fullPullShape } from '../shapes/pull.ts';
import { commentShape, issueShape, labelShape } from '../shapes/thread.ts';
import {
  type Account,
  type App,
  type Comment,
  isPull,
  type Label,
  nodeId,
  type PullState,
  type Repository,
  type Thread,
  timestamp,
  type World,
} from '../world.ts';
import { assertBody, assertTitle } from './text-rules.ts';

/** Who does something, and through which app. */
export interface Author {
  readonly account: Account;
  readonly app: App | null;
}

/** Tells the subscribers what happened to a thread, with the event and shape of its kind. */
export async function emitThread(
  world: World,
  thread: Thread,
  action: string,
  sender: Account,
  data: Record<string, unknown> = {},
): Promise<void> {
  const { repository } = thread;
  const subject = isPull(thread)
    ? { number: thread.number, pull_request: await fullPullShape(world, thread) }
    : { issue: issueShape(world, thread) };
  const event = thread.pull === null ? 'issues' : 'pull_request';
  world.emit({ event, action, repository, sender, data: { ...subject, ...data } });
}

/** Puts a new thread with the next number into the repository; tells nobody. */
export function addThread(
  world: World,
  repository: Repository,
  by: Author,
  fields: { readonly title: string; readonly body: string | null; readonly pull: PullState | null },
): Thread {
  const at = timestamp(world);
  const id = world.nextId();
  const thread: Thread = {
    id,
    nodeId: nodeId(fields.pull === null ? 'I' : 'PR', id),
    repository,
    number: repository.threads.length + 1,
    author: by.account,
    app: by.app,
    createdAt: at,
    updatedAt: at,
    reactions: [],
    title: fields.title,
    body: fields.body,
    state: 'open',
    stateReason: null,
    closedAt: null,
    locked: false,
    labels: new Set(),
    assignees: new Set(),
    events: [],
    pull: fields.pull,
  };
  repository.threads.push(thread);
  return thread;
}

/** Opens an issue. */
export async function openIssue(
  world: World,
  repository: Repository,
  by: Author,
  fields: {
    readonly title: string;
    readonly body?: string | null | undefined;
    readonly labels?: readonly string[];
    readonly assignees?: readonly Account[];
  },
): Promise<Thread> {
  assertTitle('Issue', fields.title);
  assertBody('Issue', fields.body);
  assertLabelNames(fields.labels ?? []);
  const thread = addThread(world, repository, by, {
    title: fields.title,
    body: fields.body ?? null,
    pull: null,
  });
  for (const name of fields.labels ?? []) thread.labels.add(ensureLabel(world, repository, name).name);
  const assignees = (fields.assignees ?? []).slice(0, world.limits.assignees);
  for (const account of assignees) thread.assignees.add(account);
  await emitThread(world, thread, 'opened', by.account);
  for (const name of thread.labels) await emitLabel(world, thread, 'labeled', name, by.account);
  return thread;
}

export interface ThreadUpdate {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly stateReason?: Thread['stateReason'] | undefined;
}

/**
 * Changes title, body or state of an issue or pull request; each real change is delivered as an
 * event.
 */
export async function updateThread(
  world: World,
  thread: Thread,
  sender: Account,
  update: ThreadUpdate,
): Promise<void> {
  const resource = thread.pull === null ? 'Issue' : 'PullRequest';
  if (update.title !== undefined) assertTitle(resource, update.title);
  assertBody(resource, update.body);
  const changes: Record<string, unknown> = {};
  if (update.title !== undefined && update.title !== thread.title) {
    changes.title = { from: thread.title };
    thread.title = update.title;
  }
  if (update.body !== undefined && update.body !== thread.body) {
    changes.body = { from: thread.body ?? '' };
    thread.body = update.body;
  }
  thread.updatedAt = timestamp(world);
  if (Object.keys(changes).length > 0) await emitThread(world, thread, 'edited', sender, { changes });
  if (update.state === undefined || update.state === thread.state) return;
  if (update.state === 'open' && thread.pull?.mergedAt != null)
    throw validationFailed(
      'PullRequest',
      'state',
      'invalid',
      'state cannot be changed. The pull request is merged.',
    );
  thread.state = update.state;
  thread.closedAt = update.state === 'closed' ? thread.updatedAt : null;
  thread.stateReason = update.state === 'closed' ? (update.stateReason ?? 'completed') : 'reopened';
  if (thread.pull !== null) thread.stateReason = null;
  const happened = update.state === 'closed' ? 'closed' : 'reopened';
  record(world, thread, happened, sender);
  await emitThread(world, thread, happened, sender);
}

/** Notes something in the thread's timeline. */
export function record(
  world: World,
  thread: Thread,
  event: string,
  actor: Account,
  more: { readonly label?: string; readonly assignee?: Account } = {},
): void {
  thread.events.push({ id: world.nextId(), event, actor, createdAt: timestamp(world), ...more });
}

/** Writes a comment on a thread's conversation. */
export function addComment(world: World, thread: Thread, by: Author, body: string): Comment {
  assertBody('IssueComment', body, true);
  const at = timestamp(world);
  const id = world.nextId();
  const comment: Comment = {
    id,
    nodeId: nodeId('IC', id),
    thread,
    author: by.account,
    app: by.app,
    body,
    createdAt: at,
    updatedAt: at,
    reactions: [],
    minimized: null,
  };
  thread.repository.comments.push(comment);
  thread.updatedAt = at;
  emitComment(world, comment, 'created', by.account);
  return comment;
}

/** Changes a comment's body. */
export function editComment(world: World, comment: Comment, sender: Account, body: string): void {
  assertBody('IssueComment', body, true);
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = timestamp(world);
  emitComment(world, comment, 'edited', sender, { changes: { body: { from } } });
}

/** Takes a comment away. */
export function deleteComment(world: World, comment: Comment, sender: Account): void {
  const { comments } = comment.thread.repository;
  comments.splice(comments.indexOf(comment), 1);
  emitComment(world, comment, 'deleted', sender);
}

function emitComment(
  world: World,
  comment: Comment,
  action: string,
  sender: Account,
  data: Record<string, unknown> = {},
): void {
  world.emit({
    event: 'issue_comment',
    action,
    repository: comment.thread.repository,
    sender,
    data: {
      issue: issueShape(world, comment.thread),
      comment: commentShape(world, comment),
      ...data,
    },
  });
}

/** The repository's label with that name, created with a neutral colour if it is new. */
export function ensureLabel(
  world: World,
  repository: Repository,
  name: string,
  fields: { readonly color?: string | undefined; readonly description?: string | null | undefined } = {},
): Label {
  const known = repository.labels.get(name.toLowerCase());
  if (known !== undefined) return known;
  const id = world.nextId();
  const label: Label = {
    id,
    nodeId: nodeId('LA', id),
    name,
    color: fields.color ?? 'ededed',
    description: fields.description ?? null,
  };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

async function emitLabel(world: World, thread: Thread, action: string, name: string, sender: Account) {
  record(world, thread, action, sender, { label: name });
  const label = ensureLabel(world, thread.repository, name);
  await emitThread(world, thread, action, sender, { label: labelShape(world, thread.repository, label) });
}

/** Puts labels on a thread; those it has already change nothing. */
export async function addLabels(world: World, thread: Thread, names: readonly string[], sender: Account) {
  assertLabelNames(names);
  for (const name of names) {
    const label = ensureLabel(world, thread.repository, name);
    if (thread.labels.has(label.name)) continue;
    thread.labels.add(label.name);
    await emitLabel(world, thread, 'labeled', label.name, sender);
  }
}

/** Takes a label off a thread; false where it was not on it. */
export async function removeLabel(
  world: World,
  thread: Thread,
  name: string,
  sender: Account,
): Promise<boolean> {
  const on = [...thread.labels].find((label) => label.toLowerCase() === name.toLowerCase());
  if (on === undefined) return false;
  thread.labels.delete(on);
  await emitLabel(world, thread, 'unlabeled', on, sender);
  return true;
}

/**
 * Assigns or unassigns accounts. Existing assignees change nothing, and those after the tenth are
 * silently dropped (GitHub Docs, "REST API endpoints for issue assignees").
 */
export async function setAssigned(
  world: World,
  thread: Thread,
  accounts: readonly Account[],
  assigned: boolean,
  sender: Account,
): Promise<void> {
  for (const account of accounts) {
    if (thread.assignees.has(account) === assigned) continue;
    if (assigned && thread.assignees.size >= world.limits.assignees) return;
    if (assigned) thread.assignees.add(account);
    else thread.assignees.delete(account);
    const action = assigned ? 'assigned' : 'unassigned';
    record(world, thread, action, sender, { assignee: account });
    await emitThread(world, thread, action, sender, { assignee: accountShape(world, account) });
  }
}
