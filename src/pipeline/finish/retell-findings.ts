import type { Config } from '../../config/schema.ts';
import type { LastReview } from '../../contract/last-review.ts';
import type { LinkTarget, RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { createAttempt } from '../../reporting/posting/api-failure.ts';
import { rewriteSummary, storedFindings } from '../../reporting/summary/rewrite-summary.ts';
import { storedSummary } from '../../reporting/summary/summary-comment.ts';
import { type BrokerContext, type GitHubContext, openContext } from '../context/broker-context.ts';
import { openRunCheck } from '../prepare/open-run-check.ts';
import { closeDisplay } from '../prepare/show-run.ts';
import { digestTold, readLastReview } from '../publish/stored-review.ts';
import { uploadTold } from '../publish/upload-told.ts';
import { dropSettledBoxes } from './open-suggestions.ts';

const foundIn = (last: LastReview | null) =>
  new Map(last?.found.map(({ id, finding }) => [id, finding] as const));

/** The event after which findings are reported again. */
interface Retelling {
  readonly target: Omit<LinkTarget, 'run_id'>;
  readonly delivery_id: string | null;
  /** Default: that of the last review, or none. */
  readonly config?: Config;
  /** True if it merged the pull request. */
  readonly merged: boolean;
}

/**
 * Tells the findings of a pull request again as they are stored: in its summary, and as
 * `retellReview` does. Does nothing where stored state could be forged. Safe to repeat.
 */
export async function retellFindings(
  { target, delivery_id, config, merged }: Retelling,
  context: GitHubContext,
): Promise<void> {
  const { store, canAsk, github } = context;
  if (!canAsk) return;
  const last = await readLastReview(target.thread?.number ?? 0, store);
  const settings = config ?? (last === null ? {} : openLast(last, context).config);
  const ports = { octokit: github.writer, store, config: settings, found: foundIn(last), merged };
  await dropSettledBoxes(target.thread, settings, store);
  await rewriteSummary(target, ports);
  await retellReview(target, delivery_id, context);
}

/**
 * Tells the findings again in a check of the last reviewed commit and in code scanning, if their
 * states changed since. A new check takes the place of the one before, since annotations cannot be
 * removed (GitHub Docs, "Update a check run"). Does nothing without a stored review. Safe to
 * repeat.
 */
export async function retellReview(
  { thread }: Pick<RunPlan, 'thread'>,
  delivery_id: string | null,
  context: GitHubContext,
): Promise<void> {
  const { store, log } = context;
  const pull = thread?.number ?? 0;
  const last = await readLastReview(pull, store);
  if (last === null) return;
  const told = await storedFindings(await storedSummary(pull, store), { thread }, store, foundIn(last));
  const digest = digestTold(told);
  if (digest === last.told) return;
  const broker = openLast(last, context);
  // The same for every attempt at the same states, so that there is one check of them.
  const run_id = `${last.plan.run_id}-${digest.slice(0, 8)}`;
  const plan = { ...last.plan, run_id, source: { ...last.plan.source, delivery_id } };
  const nothing = { issues: [], downgrades: [], failures: [], patch: '', report: '' };
  const check = await openRunCheck(plan, null, broker);
  await check?.finish(last.outcome, { ...nothing, ...last.links, told });
  await closeDisplay(plan, { progress: null, check }, '', broker);
  const upload = createAttempt(plan, { log }, []);
  await upload('The findings for code scanning', () =>
    uploadTold({ outcome: last.outcome, told }, plan, broker),
  );
  await store.set(stateKeys.lastReview(pull), JSON.stringify({ ...last, told: digest }));
}

function openLast({ plan }: LastReview, context: GitHubContext): BrokerContext {
  const attempt = { attempt: 1, last: true, lastWhileDown: true };
  return openContext(plan, attempt, new AbortController().signal, context);
}
