import type { ToldFinding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PullSummary } from '../../contract/pull-summary.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isReview } from '../../contract/work-of.ts';
import { settleDismissed } from '../findings/settle-dismissed.ts';
import type { PublishPorts } from '../posting/ports.ts';
import type { PublishedReview } from '../review/published-review.ts';
import { codeSpan } from '../text/markdown.ts';
import { mergeWalkthrough } from './merge-walkthrough.ts';
import { renderPullSummary } from './render-pull-summary.ts';
import { atStoredLines, storedFindings, summarySettings } from './rewrite-summary.ts';
import { type PostedSummary, readSummary, writeSummary } from './summary-comment.ts';

/** The material of a summary. */
interface SummaryRun {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly ports: PublishPorts;
  readonly review: PublishedReview;
  /** Renders what happened in this run. `isFirst`: there was no summary before. */
  readonly render: (isFirst: boolean) => { readonly news: string; readonly notes: string };
  /** True if a summary is only edited: there is nothing to create one for. */
  readonly editsOnly: boolean;
}

/** A summary after a run, and whether that run's own comment became it. */
export interface PublishedSummary extends PostedSummary {
  readonly isOwn: boolean;
}

/**
 * Writes the one summary comment of a pull request after a run. A review creates it, later ones
 * edit it; any other run adds its cost, and its findings if it has some. Null if the thread has
 * none.
 */
export async function publishSummary(run: SummaryRun): Promise<PublishedSummary | null> {
  const { plan, ports, review } = run;
  if (plan.thread?.kind !== 'pull_request') return null;
  const trusted = trustedStore(ports);
  const reviews = isReview(plan);
  // Without a record, the findings are known only to a run that compared them.
  if (review.told === undefined && trusted === null) return null;
  const before = await readSummary(plan, { ...ports, trusted });
  const creates = !run.editsOnly && review.told !== undefined && (reviews || review.told.length > 0);
  if (before === null && !creates) return null;
  const told = review.told ?? (await currentFindings(before, plan, { ...ports, store: trusted }));
  const after = nextSummary(before, { ...run, told });
  const at = review.told === undefined ? await atStoredLines(plan, before, trusted) : plan;
  const text = renderPullSummary(told, after, at, summarySettings(ports.config, trusted));
  const mayBecome = before === null && becomes(plan, ports);
  const posted = await writeSummary(after, text, plan, { ...ports, trusted, mayBecome });
  return { ...posted, isOwn: reviews && after.created_by === plan.run_id };
}

const trustedStore = ({ review, store }: PublishPorts): StateStore | null =>
  review === undefined ? store : review.store;

const becomes = (plan: RunPlan, { config }: PublishPorts): boolean =>
  isReview(plan) && config.report?.notify !== 'comment';

/**
 * Returns the address that the summary has or will have: of its comment, or of the comment of this
 * run that becomes it. Null if neither is known.
 */
export async function summaryUrlOf(plan: RunPlan, ports: PublishPorts): Promise<string | null> {
  const before = await readSummary(plan, { ...ports, trusted: trustedStore(ports) });
  if (before === null) return becomes(plan, ports) ? (ports.progress?.url ?? null) : null;
  const root = plan.repository.clone_url.replace(/\.git$/u, '');
  const pull = `${root}/pull/${plan.thread?.number ?? 0}`;
  return before.comment_id === null ? null : `${pull}#issuecomment-${before.comment_id}`;
}

/** Returns the stored findings after a look at what people dismissed since. */
async function currentFindings(
  before: PullSummary | null,
  plan: RunPlan,
  ports: Parameters<typeof settleDismissed>[1],
): Promise<readonly ToldFinding[]> {
  await settleDismissed(plan, ports);
  return storedFindings(before, plan, ports.store);
}

function nextSummary(
  before: PullSummary | null,
  { outcome, plan, ports, review, render, told }: SummaryRun & { readonly told: readonly ToldFinding[] },
): PullSummary {
  const first = {
    comment_id: null,
    created_by: plan.run_id,
    head: null,
    news: '',
    notes: '',
    footer: '',
    merged: false,
    text: '',
  };
  const kept = before ?? { version: 1 as const, ...first, run_id: plan.run_id, walkthrough: null, runs: [] };
  const threads = told.flatMap(({ id, thread }) => (thread === null ? [] : [[id, thread] as const]));
  const all = {
    ...{ ...kept, ...basesOf(before, plan) },
    ...{ threads: Object.fromEntries(threads), runs: addCost(kept.runs, outcome, plan) },
  };
  if (!isReview(plan)) return all;
  const { scope } = review;
  return {
    ...all,
    ...render(kept.created_by === plan.run_id),
    run_id: plan.run_id,
    head: scope === undefined ? kept.head : scope.head,
    walkthrough:
      scope === undefined
        ? kept.walkthrough
        : mergeWalkthrough({
            before: kept.walkthrough,
            now: outcome.walkthrough ?? null,
            incremental: scope.since !== null && plan.review_scope === 'new',
            files: scope.files,
          }),
    footer: outcome.turns === 0 ? kept.footer : footerOf(outcome, ports.runUrl),
  };
}

/** Returns the base branch of a pull request, and the one before it; none before if it is back. */
function basesOf(
  summary: PullSummary | null,
  { checkout: { base_ref: now } }: RunPlan,
): Pick<PullSummary, 'base' | 'base_before'> {
  const { base, base_before: before } = summary ?? {};
  const last = base === undefined || base === now ? before : (before ?? base);
  return { base: now, base_before: last === now ? undefined : last };
}

const footerOf = ({ model }: Outcome, runUrl: string | null): string =>
  [...(model === '' ? [] : [codeSpan(model)]), ...(runUrl === null ? [] : [`[last review](${runUrl})`])].join(
    ' · ',
  );

/** Maximum runs whose cost is remembered one by one, the newest. */
const mostRuns = 400;

/**
 * Adds the cost of a run once, however often it is published. That of a run which it continues is
 * part of its own.
 */
function addCost(
  runs: PullSummary['runs'],
  { run_id, cost_usd, usage, turns }: Outcome,
  { resume }: Pick<RunPlan, 'resume'>,
): PullSummary['runs'] {
  if (turns === 0) return runs;
  const tokens = usage.input + usage.output + usage.cache_read + usage.cache_write;
  const others = runs.filter((run) => run.run_id !== run_id && run.run_id !== resume?.run_id);
  return [...others, { run_id, cost_usd, tokens }].slice(-mostRuns);
}
