import { addLabels, openIssue, removeLabel, setAssigned, updateThread } from '../actions/threads.ts';
import { ApiError } from '../protocol/api-error.ts';
import { assertMayEdit, assertRole, hasRole, permit, permitThread, reaches } from '../protocol/authorize.ts';
import {
  actorOf,
  appOf,
  bodyOf,
  type Handlers,
  onRepository,
  onWorld,
  type RepositoryCall,
} from '../protocol/call.ts';
import { assertSearch } from '../rules/texts.ts';
import { accountShape } from '../shapes/account.ts';
import { issueShape, threadLabels } from '../shapes/thread.ts';
import type { Account, Repository, Thread } from '../world.ts';
import { accountsOf, sorted, threadOf, updatedSince } from './find.ts';
import { matchesSearch } from './search.ts';
import { timelineShape } from './timeline.ts';

type LabelList = readonly (string | { readonly name?: string })[];

const namesOf = (labels: LabelList | undefined) =>
  (labels ?? []).flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])));

interface IssueBody {
  readonly title?: string | number;
  readonly body?: string | null;
  readonly state?: 'open' | 'closed';
  readonly state_reason?: Thread['stateReason'];
  readonly labels?: LabelList;
  readonly assignees?: readonly string[];
  readonly assignee?: string | null;
}

async function replaceLabels(call: RepositoryCall, thread: Thread, names: readonly string[]): Promise<void> {
  const actor = actorOf(call.credential);
  const keep = new Set(names.map((name) => name.toLowerCase()));
  for (const name of [...thread.labels])
    if (!keep.has(name.toLowerCase())) await removeLabel(call.world, thread, name, actor);
  await addLabels(call.world, thread, names, actor);
}

/** The page again: labels and assignees of whoever may not push are left out without a word. */
const mayTriage = ({ credential, repository }: RepositoryCall): boolean =>
  credential.kind === 'token' &&
  (credential.token.permissions !== null || hasRole(repository, credential.token.actor, 'write'));

/**
 * The accounts of a new issue's assignees; 422 if one cannot be assigned (GitHub Docs, "REST API
 * endpoints for issues", "Assigning issues and pull requests to other GitHub users").
 */
function assignable(call: RepositoryCall, logins: readonly string[]): Account[] {
  for (const value of logins)
    if (!isAssignable(call.repository, value, null))
      throw new ApiError(422, 'Validation Failed', [
        { value, resource: 'Issue', field: 'assignees', code: 'invalid' },
      ]);
  return accountsOf(call, logins);
}

/** True for collaborators, and for who wrote on the thread. */
function isAssignable(repository: Repository, login: string, thread: Thread | null): boolean {
  const name = login.toLowerCase();
  const wrote = ({ author }: { readonly author: Account }) => author.login.toLowerCase() === name;
  if (repository.roles.has(name)) return true;
  if (thread === null) return false;
  return wrote(thread) || repository.comments.some((comment) => comment.thread === thread && wrote(comment));
}

/** The accounts of the logins that may be assigned to the thread. The API ignores the others. */
const assignableOn = (call: RepositoryCall, thread: Thread, logins: readonly string[]): Account[] =>
  accountsOf(
    call,
    logins.filter((login) => isAssignable(call.repository, login, thread)),
  );

/** The thread of a label or assignee call, which the caller may change. */
function triaged(call: RepositoryCall): Thread {
  const thread = threadOf(call);
  permitThread(call, thread, 'write');
  assertRole(call.credential, call.repository, 'triage');
  return thread;
}

const matchesList = (query: Readonly<Record<string, unknown>>) => (thread: Thread) => {
  const { state = 'open', labels, creator, assignee } = query;
  const wanted = typeof labels === 'string' && labels !== '' ? labels.split(',') : [];
  return (
    (state === 'all' || thread.state === state) &&
    wanted.every((label) => thread.labels.has(label)) &&
    (creator === undefined || thread.author.login === creator) &&
    (assignee === undefined || [...thread.assignees].some(({ login }) => login === assignee))
  );
};

export const issueHandlers: Handlers = {
  'issues/list-for-repo': onRepository((call) => {
    permit(call, 'issues', 'read');
    const { world, repository, query } = call;
    const found = updatedSince(repository.threads.filter(matchesList(query)), query);
    return { status: 200, list: sorted(found, query, 'desc').map((thread) => issueShape(world, thread)) };
  }),

  'issues/get': onRepository((call) => {
    const thread = threadOf(call);
    permitThread(call, thread, 'read');
    return { status: 200, body: issueShape(call.world, thread) };
  }),

  'issues/create': onRepository(async (call) => {
    permit(call, 'issues', 'write');
    const { world, repository, credential } = call;
    const fields = bodyOf<IssueBody>(call);
    const by = { account: actorOf(credential), app: appOf(credential) };
    const thread = await openIssue(world, repository, by, {
      title: String(fields.title ?? ''),
      body: fields.body,
      ...(mayTriage(call)
        ? { labels: namesOf(fields.labels), assignees: assignable(call, fields.assignees ?? []) }
        : {}),
    });
    return { status: 201, body: issueShape(world, thread) };
  }),

  'issues/update': onRepository(async (call) => {
    const thread = threadOf(call);
    permitThread(call, thread, 'write');
    const { world, credential } = call;
    const actor = actorOf(credential);
    const fields = bodyOf<IssueBody>(call);
    // An app with the permission may edit any thread; only comments are bound to their writer.
    if (appOf(credential) === null) assertMayEdit(credential, call.repository, thread.author);
    await updateThread(world, thread, actor, {
      title: fields.title === undefined ? undefined : String(fields.title),
      body: fields.body,
      state: fields.state,
      stateReason: fields.state_reason,
    });
    if (fields.labels !== undefined) await replaceLabels(call, thread, namesOf(fields.labels));
    if (fields.assignees !== undefined) {
      const wanted = assignableOn(call, thread, fields.assignees);
      const gone = [...thread.assignees].filter((account) => !wanted.includes(account));
      await setAssigned(world, thread, gone, false, actor);
      await setAssigned(world, thread, wanted, true, actor);
    }
    return { status: 200, body: issueShape(world, thread) };
  }),

  'issues/list-labels-on-issue': onRepository((call) => {
    const thread = threadOf(call);
    permitThread(call, thread, 'read');
    return { status: 200, list: threadLabels(call.world, thread) };
  }),

  'issues/add-labels': onRepository(async (call) => {
    const thread = triaged(call);
    const body = bodyOf<LabelList | { labels?: LabelList }>(call);
    const names = namesOf('labels' in body ? body.labels : (body as LabelList));
    await addLabels(call.world, thread, names, actorOf(call.credential));
    return { status: 200, list: threadLabels(call.world, thread) };
  }),

  'issues/set-labels': onRepository(async (call) => {
    const thread = triaged(call);
    const body = bodyOf<LabelList | { labels?: LabelList }>(call);
    await replaceLabels(call, thread, namesOf('labels' in body ? body.labels : (body as LabelList)));
    return { status: 200, list: threadLabels(call.world, thread) };
  }),

  'issues/remove-label': onRepository(async (call) => {
    const thread = triaged(call);
    const removed = await removeLabel(call.world, thread, call.params.name ?? '', actorOf(call.credential));
    if (!removed) throw new ApiError(404, 'Label does not exist');
    return { status: 200, list: threadLabels(call.world, thread) };
  }),

  'issues/add-assignees': onRepository(async (call) => {
    const thread = triaged(call);
    const { assignees } = bodyOf<{ assignees?: readonly string[] }>(call);
    const found = assignableOn(call, thread, assignees ?? []);
    await setAssigned(call.world, thread, found, true, actorOf(call.credential));
    return { status: 201, body: issueShape(call.world, thread) };
  }),

  'issues/remove-assignees': onRepository(async (call) => {
    const thread = triaged(call);
    const { assignees } = bodyOf<{ assignees?: readonly string[] }>(call);
    await setAssigned(call.world, thread, accountsOf(call, assignees ?? []), false, actorOf(call.credential));
    return { status: 200, body: issueShape(call.world, thread) };
  }),

  'issues/list-assignees': onRepository((call) => {
    permit(call, 'issues', 'read');
    const list = accountsOf(call, [...call.repository.roles.keys()]);
    return { status: 200, list: list.map((account) => accountShape(call.world, account)) };
  }),

  'issues/list-events-for-timeline': onRepository((call) => {
    const thread = threadOf(call);
    permitThread(call, thread, 'read');
    return { status: 200, list: timelineShape(call.world, thread) };
  }),

  'search/issues-and-pull-requests': onWorld(({ world, query, credential }) => {
    const q = typeof query.q === 'string' ? query.q : '';
    assertSearch(q);
    const { page = 1, per_page: size = 30 } = query as { page?: number; per_page?: number };
    if ((page - 1) * size >= world.limits.searchResults)
      throw new ApiError(422, 'Only the first 1000 search results are available');
    const visible = [...world.repositories.values()].filter(
      (repository) => !repository.private || reaches(credential, repository),
    );
    const found = visible.flatMap(({ threads }) => threads).filter((thread) => matchesSearch(thread, q));
    const list = found.map((thread) => ({ ...issueShape(world, thread), score: 1 }));
    return { status: 200, list, envelope: 'items' };
  }),
};
