import { resolveCommit } from '../git/git.ts';
import { ApiError, notAccessible, notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import {
  actorOf,
  appOf,
  bodyOf,
  type Handlers,
  onRepository,
  type RepositoryCall,
} from '../protocol/call.ts';
import { type Annotation, assertAnnotations, assertCheckRun, assertStatus } from '../rules/texts.ts';
import { accountShape, appOrNull } from '../shapes/account.ts';
import { apiBase, pageBase } from '../shapes/repository.ts';
import { type CheckRun, isPull, nodeId, type Status, timestamp } from '../world.ts';

interface CheckBody {
  readonly name?: string;
  readonly head_sha?: string;
  readonly details_url?: string;
  readonly external_id?: string;
  readonly status?: string;
  readonly started_at?: string;
  readonly conclusion?: string;
  readonly completed_at?: string;
  readonly actions?: readonly Record<string, unknown>[];
  readonly output?: {
    readonly title?: string;
    readonly summary?: string;
    readonly text?: string;
    readonly annotations?: readonly Annotation[];
  };
}

function checkShape({ world, repository }: RepositoryCall, check: CheckRun): Record<string, unknown> {
  const url = `${apiBase(world, repository)}/check-runs/${check.id}`;
  const pulls = repository.threads.filter(isPull).filter(({ pull }) => pull.headSha === check.headSha);
  const reference = { id: repository.id, url: apiBase(world, repository), name: repository.name };
  return {
    id: check.id,
    node_id: check.nodeId,
    name: check.name,
    head_sha: check.headSha,
    external_id: check.externalId,
    url,
    html_url: `${pageBase(world, repository)}/runs/${check.id}`,
    details_url: check.detailsUrl ?? `${pageBase(world, repository)}/runs/${check.id}`,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: {
      title: check.title,
      summary: check.summary,
      text: check.text,
      annotations_count: check.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: repository.id },
    app: appOrNull(world, check.app),
    pull_requests: pulls.map((thread) => ({
      id: thread.id,
      number: thread.number,
      url: `${apiBase(world, repository)}/pulls/${thread.number}`,
      head: { ref: thread.pull.headBranch, sha: thread.pull.headSha, repo: reference },
      base: { ref: thread.pull.baseBranch, sha: thread.pull.baseSha, repo: reference },
    })),
  };
}

/** Throws 422 for a completed check run without a conclusion, in the recorded words; before anything else is looked at. */
function assertConclusion(status: string | undefined, conclusion: string | null | undefined): void {
  if (status === 'completed' && conclusion == null)
    throw new ApiError(
      422,
      'Invalid request.\n\nNo subschema in "anyOf" matched.\n"conclusion" wasn\'t supplied.\ncompleted is not a member of ["queued", "in_progress"].',
    );
}

/** Writes the fields of a request over a check run; a conclusion completes it, and completing needs one. */
function apply(check: CheckRun, body: CheckBody, now: string): void {
  const status = body.status ?? (body.conclusion === undefined ? check.status : 'completed');
  const conclusion = body.conclusion ?? check.conclusion;
  assertConclusion(status, conclusion);
  assertCheckRun(body);
  assertAnnotations(body.output?.annotations ?? []);
  if (body.actions !== undefined) check.actions = body.actions;
  check.name = body.name ?? check.name;
  check.status = status;
  check.conclusion = status === 'completed' ? conclusion : null;
  check.completedAt = status === 'completed' ? (body.completed_at ?? check.completedAt ?? now) : null;
  check.startedAt = body.started_at ?? check.startedAt;
  check.detailsUrl = body.details_url ?? check.detailsUrl;
  check.externalId = body.external_id ?? check.externalId;
  check.title = body.output?.title ?? check.title;
  check.summary = body.output?.summary ?? check.summary;
  check.text = body.output?.text ?? check.text;
  check.annotations.push(...(body.output?.annotations ?? []).map((one) => ({ ...one })));
}

function emitCheck(call: RepositoryCall, check: CheckRun, action: 'created' | 'completed'): void {
  const { world, repository } = call;
  const suite = {
    id: repository.id,
    head_sha: check.headSha,
    status: check.status,
    conclusion: check.conclusion,
  };
  const check_run = { ...checkShape(call, check), check_suite: suite };
  world.emit({
    event: 'check_run',
    action,
    repository,
    sender: actorOf(call.credential),
    data: { check_run },
  });
}

/** A person presses a button below a check run, or, without one, has it run again. */
export function pressCheck(
  world: RepositoryCall['world'],
  repository: RepositoryCall['repository'],
  id: number,
  sender: ReturnType<typeof actorOf>,
  button: string | null,
): void {
  const check = repository.checkRuns.find((one) => one.id === id);
  if (check === undefined) throw new Error(`There is no check run ${id}`);
  const suite = {
    id: repository.id,
    head_sha: check.headSha,
    status: check.status,
    conclusion: check.conclusion,
  };
  const shape = checkShape({ world, repository } as RepositoryCall, check);
  world.emit({
    event: 'check_run',
    action: button === null ? 'rerequested' : 'requested_action',
    repository,
    sender,
    data: {
      check_run: { ...shape, check_suite: suite },
      ...(button === null ? {} : { requested_action: { identifier: button } }),
    },
  });
}

function checkOf(call: RepositoryCall): CheckRun {
  const check = call.repository.checkRuns.find(({ id }) => id === Number(call.params.check_run_id));
  if (check === undefined) throw notFound();
  return check;
}

const statusShape = ({ world, repository }: RepositoryCall, status: Status) => ({
  id: status.id,
  node_id: nodeId('SC', status.id),
  url: `${apiBase(world, repository)}/statuses/${status.sha}`,
  avatar_url: null,
  state: status.state,
  description: status.description,
  target_url: status.targetUrl,
  context: status.context,
  created_at: status.createdAt,
  updated_at: status.createdAt,
  creator: accountShape(world, status.creator),
});

async function commitOf(call: RepositoryCall, name: string): Promise<string> {
  const { directory } = call.repository;
  const sha =
    (await resolveCommit(directory, `refs/heads/${name}`)) ?? (await resolveCommit(directory, name));
  if (sha === null) throw new ApiError(422, `No commit found for SHA: ${name}`);
  return sha;
}

export const checkHandlers: Handlers = {
  'checks/create': onRepository(async (call) => {
    permit(call, 'checks', 'write');
    const app = appOf(call.credential);
    if (app === null) throw new ApiError(403, 'You must authenticate via a GitHub App.');
    const body = bodyOf<CheckBody>(call);
    assertConclusion(body.status, body.conclusion);
    const headSha = await commitOf(call, body.head_sha ?? '');
    const now = timestamp(call.world);
    const id = call.world.nextId();
    const check: CheckRun = {
      id,
      nodeId: nodeId('CR', id),
      app,
      name: body.name ?? '',
      headSha,
      status: 'queued',
      conclusion: null,
      detailsUrl: null,
      externalId: '',
      startedAt: now,
      completedAt: null,
      title: null,
      summary: null,
      text: null,
      annotations: [],
    };
    apply(check, body, now);
    call.repository.checkRuns.push(check);
    emitCheck(call, check, 'created');
    if (check.status === 'completed') emitCheck(call, check, 'completed');
    return { status: 201, body: checkShape(call, check) };
  }),

  'checks/update': onRepository((call) => {
    permit(call, 'checks', 'write');
    const check = checkOf(call);
    if (check.app !== appOf(call.credential)) throw notAccessible();
    const before = check.status;
    apply(check, bodyOf<CheckBody>(call), timestamp(call.world));
    if (check.status === 'completed' && before !== 'completed') emitCheck(call, check, 'completed');
    return { status: 200, body: checkShape(call, check) };
  }),

  'checks/get': onRepository((call) => {
    permit(call, 'checks', 'read');
    return { status: 200, body: checkShape(call, checkOf(call)) };
  }),

  'checks/list-annotations': onRepository((call) => {
    permit(call, 'checks', 'read');
    return { status: 200, list: checkOf(call).annotations };
  }),

  'checks/list-for-ref': onRepository(async (call) => {
    permit(call, 'checks', 'read');
    const sha = await commitOf(call, call.params.ref ?? '');
    const { check_name: name, status, app_id: app, filter = 'latest' } = call.query;
    const found = call.repository.checkRuns.filter(
      (check) =>
        check.headSha === sha &&
        (name === undefined || check.name === name) &&
        (status === undefined || check.status === status) &&
        (app === undefined || check.app?.id === app),
    );
    const newest = new Map(found.map((check) => [`${check.app?.id} ${check.name}`, check]));
    const stored = filter === 'all' ? found : [...newest.values()];
    return { status: 200, list: stored.map((check) => checkShape(call, check)), envelope: 'check_runs' };
  }),

  'repos/create-commit-status': onRepository(async (call) => {
    permit(call, 'statuses', 'write');
    const body = bodyOf<{
      state: string;
      context?: string;
      description?: string | null;
      target_url?: string | null;
    }>(call);
    assertStatus(body);
    const sha = await commitOf(call, call.params.sha ?? '');
    const { statuses } = call.repository;
    const same = statuses.filter((one) => one.sha === sha && one.context === (body.context ?? 'default'));
    if (same.length >= call.world.limits.statusesOfContext)
      throw new ApiError(422, 'Validation Failed', [
        {
          resource: 'Status',
          code: 'custom',
          message: 'This SHA and context has reached the maximum number of statuses.',
        },
      ]);
    const status: Status = {
      id: call.world.nextId(),
      sha,
      state: body.state,
      context: body.context ?? 'default',
      description: body.description ?? null,
      targetUrl: body.target_url ?? null,
      creator: actorOf(call.credential),
      createdAt: timestamp(call.world),
    };
    call.repository.statuses.push(status);
    return { status: 201, body: statusShape(call, status) };
  }),

  'repos/list-commit-statuses-for-ref': onRepository(async (call) => {
    permit(call, 'statuses', 'read');
    const sha = await commitOf(call, call.params.ref ?? '');
    const found = call.repository.statuses.filter((status) => status.sha === sha).reverse();
    return { status: 200, list: found.map((status) => statusShape(call, status)) };
  }),
};
