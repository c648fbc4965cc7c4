import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { AppliedSuggestions, PostedSuggestions } from '../../contract/review-record.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Suggestion } from './suggestions.ts';

/** A suggested change under the id of its comment. */
export interface OfferedSuggestion {
  readonly id: string;
  readonly suggestion: Suggestion;
}

/** Limits of a record. Longer records are not stored, so that no box offers them. */
const mostBytes = 1_000_000;
const mostSuggestions = 1_000;

/**
 * Stores a run's suggestions, so that one tick applies them all. Not for forks, which we cannot
 * push to.
 */
export async function saveSuggestions(
  plan: RunPlan,
  offered: readonly OfferedSuggestion[],
  store: StateStore | null,
): Promise<void> {
  if (store === null || plan.thread === null || plan.checkout.fork || offered.length === 0) return;
  const { owner, name } = plan.repository;
  const record: PostedSuggestions = {
    version: 1,
    run_id: plan.run_id,
    ...{ owner, name, thread: plan.thread.number, head: plan.checkout.sha },
    suggestions: offered.slice(0, mostSuggestions).map(({ id, suggestion }) => ({
      id,
      path: suggestion.path,
      first_line: suggestion.firstLine,
      last_line: suggestion.lastLine,
      before: [...suggestion.before],
      after: [...suggestion.after],
    })),
  };
  const text = JSON.stringify(record);
  if (Buffer.byteLength(text) <= mostBytes) await store.set(stateKeys.suggestions(plan.run_id), text);
}

/** Reads the suggestions of a run; null if unknown. */
export async function readSuggestions(store: StateStore, runId: string): Promise<PostedSuggestions | null> {
  const text = await store.get(stateKeys.suggestions(runId));
  return text === null ? null : (PostedSuggestions.safeParse(parseJson(text)).data ?? null);
}

/** Reads the suggestions chosen for a run's commit; null if none. */
export async function readApplied(store: StateStore, runId: string): Promise<AppliedSuggestions | null> {
  const text = await store.get(stateKeys.applied(runId));
  return text === null ? null : (AppliedSuggestions.safeParse(parseJson(text)).data ?? null);
}

/** Deletes both records after the suggestions were applied. */
export async function forgetSuggestions(store: StateStore, runId: string): Promise<void> {
  await store.delete(stateKeys.suggestions(runId));
  await store.delete(stateKeys.applied(runId));
}
