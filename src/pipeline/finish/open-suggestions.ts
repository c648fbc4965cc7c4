import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import type { Offering } from '../../reporting/controls/controls-comment.ts';
import { readReviewRecord } from '../../reporting/findings/previous-findings.ts';
import { readSuggestions } from '../../reporting/suggestions/stored-suggestions.ts';
import { readSummaryBoxes, saveSummaryBoxes } from '../../reporting/summary/summary-boxes.ts';

/** Runs that one tick can commit. */
const mostRuns = 50;

/**
 * Returns the runs whose open suggestions one tick can commit: those with a box, and `newest` last.
 * A single suggestion on a line is not enough, since it has GitHub's own button, unless
 * `report.controls` asks for its box.
 */
export async function openSuggestions(
  thread: RunPlan['thread'],
  newest: string | null,
  { report, commit, protected: allowed }: Config,
  store: StateStore,
): Promise<Offering> {
  const commits = commit?.outlet === undefined || commit.outlet === 'commit';
  if (!commits || thread?.kind !== 'pull_request') return { runs: [], isEnough: false };
  const { boxes } = await readSummaryBoxes(thread.number, store);
  const earlier = boxes.flatMap((box) => (box.does === 'apply' && box.run_id !== newest ? [box.run_id] : []));
  const record = await readReviewRecord({ thread }, store);
  const closed = new Set((record?.findings ?? []).flatMap(({ id, state }) => (state === 'open' ? [] : [id])));
  const listed = new Set((record?.findings ?? []).flatMap(({ id, folded }) => (folded === true ? [id] : [])));
  const runs: string[] = [];
  let sum = 0;
  let hasListed = false;
  for (const run of [...earlier, ...(newest === null ? [] : [newest])].slice(-mostRuns)) {
    const suggestions = (await readSuggestions(store, run))?.suggestions ?? [];
    const open = suggestions.filter(
      ({ id, path }) => !closed.has(id) && isProtected(path, allowed?.allow ?? []) === null,
    );
    if (open.length > 0) runs.push(run);
    sum += open.length;
    hasListed ||= open.some(({ id }) => listed.has(id));
  }
  return { runs, isEnough: hasListed || sum >= (report?.controls === true ? 1 : 2) };
}

/** Removes the box of suggestions that are open no longer. The summary shows it once written. */
export async function dropSettledBoxes(
  thread: RunPlan['thread'],
  config: Config,
  store: StateStore,
): Promise<void> {
  if (thread === null) return;
  const before = await readSummaryBoxes(thread.number, store);
  if (before.boxes.every(({ does }) => does !== 'apply')) return;
  const { runs, isEnough } = await openSuggestions(thread, null, config, store);
  const boxes = before.boxes.filter(({ does, run_id }) => does !== 'apply' || runs.includes(run_id));
  await saveSummaryBoxes(thread.number, { ...before, boxes, offers: isEnough }, store);
}
