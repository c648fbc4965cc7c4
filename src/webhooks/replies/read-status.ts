import { type Severity, severityRank } from '../../contract/findings.ts';
import { parseJson } from '../../contract/json.ts';
import { PullSummary } from '../../contract/pull-summary.ts';
import { ReviewRecord } from '../../contract/review-record.ts';
import { RunAccount } from '../../contract/run-account.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { requestCode, shortCode } from '../commands/request-quote.ts';
import { readConfirmation } from '../records/confirmation.ts';
import { type OpenApproval, readOpenApprovals } from '../records/open-approvals.ts';
import { PendingRequest } from '../records/pending-request.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { type RequestState, readRequests } from './read-requests.ts';

/** State of a thread, for the reply to `status`. */
export interface ThreadStatus {
  readonly requests: readonly RequestState[];
  /** The questions, and the requests that wait for a yes: each as code, with a URL. */
  readonly waiting: readonly {
    readonly kind: 'question' | 'request';
    readonly what: string;
    readonly url: string | null;
  }[];
  readonly approvals: readonly OpenApproval[];
  /** Null for an issue. */
  readonly review: ReviewStatus | null;
}

interface ReviewStatus {
  /** The severities of the open findings, the highest first. */
  readonly open: readonly Severity[];
  /** The commit up to which everything was reviewed; null before. */
  readonly reviewed: string | null;
  readonly head: string;
  /** The comment with all findings; null without one. */
  readonly summaryUrl: string | null;
  /** The ended runs. */
  readonly runs: number;
  readonly costUsd: number;
  /** True if the price of a run is unknown. */
  readonly isCostPartial: boolean;
}

/** Reads the state of a thread from the store. Starts nothing and asks no model. */
export async function readThreadStatus(request: EventRequest, context: DecideContext): Promise<ThreadStatus> {
  const { trigger, facts, sessions } = request;
  const { store } = context;
  const head = facts.pull?.head.sha ?? facts.baseHead;
  return {
    requests: await readRequests(request, context),
    waiting: [...(await questionsOf(request, store)), ...(await pendingOf(request, store))],
    approvals: await readOpenApprovals({ thread: trigger.thread, sessions, head, store }),
    review: facts.pull === null ? null : await readReview(request, store),
  };
}

async function questionsOf(
  { sessions }: Pick<EventRequest, 'sessions'>,
  store: StateStore,
): Promise<ThreadStatus['waiting']> {
  const asking = sessions.flatMap((session) =>
    session.question === null ? [] : [{ session, text: session.question.question.question }],
  );
  return Promise.all(
    asking.map(async ({ session, text }) => ({
      kind: 'question',
      what: shortCode(text),
      url: (await readBoxes(store, session))?.url ?? null,
    })),
  );
}

/** Returns the requests that wait until a user confirms the head that moved. */
async function pendingOf(
  { trigger, facts }: Pick<EventRequest, 'trigger' | 'facts'>,
  store: StateStore,
): Promise<ThreadStatus['waiting']> {
  const keys = await store.list(stateKeys.pendingRequest(trigger.thread.number, ''));
  const url = keys.length === 0 ? null : ((await readConfirmation(store, trigger))?.url ?? null);
  const pending = await Promise.all(keys.map((key) => readAs(PendingRequest, key, store)));
  return pending.flatMap((one) =>
    one === null || one.head !== facts.pull?.head.sha
      ? []
      : [{ kind: 'request', what: requestCode(one.request), url }],
  );
}

async function readReview({ trigger, facts }: EventRequest, store: StateStore): Promise<ReviewStatus> {
  const { number } = trigger.thread;
  const record = await readAs(ReviewRecord, stateKeys.review(number), store);
  const summary = await readAs(PullSummary, stateKeys.summary(number), store);
  const page = facts.repository.clone_url.replace(/\.git$/, '');
  const id = summary?.comment_id ?? null;
  const accounts = await Promise.all(
    (await store.list(stateKeys.account(number, ''))).map((key) => readAs(RunAccount, key, store)),
  );
  // The summary counts no run without a model either.
  const runs = accounts.filter((account) => account !== null).filter(({ tokens }) => tokens > 0);
  return {
    open: (record?.findings ?? [])
      .filter(({ state }) => state === 'open')
      .map(({ severity }) => severity)
      .toSorted((a, b) => severityRank(b) - severityRank(a)),
    reviewed: record?.reviewed?.head ?? null,
    head: facts.pull?.head.sha ?? facts.baseHead,
    summaryUrl: id === null ? null : `${page}/pull/${number}#issuecomment-${id}`,
    runs: runs.length,
    costUsd: runs.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
    isCostPartial: runs.some(({ cost_usd, tokens }) => cost_usd === null && tokens > 0),
  };
}

interface StoredShape<Value> {
  safeParse(value: unknown): { readonly success: true; readonly data: Value } | { readonly success: false };
}

/** Reads a stored value; null if it is missing or unreadable. */
async function readAs<Value>(
  shape: StoredShape<Value>,
  key: string,
  store: StateStore,
): Promise<Value | null> {
  const text = await store.get(key);
  if (text === null) return null;
  const parsed = shape.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}
