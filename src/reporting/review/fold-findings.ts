import type { Finding, ToldFinding } from '../../contract/findings.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';

interface FoldFacts {
  /** The run whose open findings are new. */
  readonly runId: string;
  /** Findings of this run by id, whole: the record has only the beginning of their text. */
  readonly found: ReadonlyMap<string, Finding>;
  /** Comments by the ids of their findings. */
  readonly threads: ReadonlyMap<string, number>;
}

/** Folds all that is known of a pull request's findings into one list. Pure. */
export function foldFindings(known: readonly PreviousFinding[], facts: FoldFacts): ToldFinding[] {
  return known.map((one) => ({
    id: one.id,
    state: stateOf(one, facts.runId),
    finding: facts.found.get(one.id) ?? storedFinding(one),
    thread: facts.threads.get(one.id) ?? null,
    by: one.state === 'fixed' ? (one.fixed?.sha ?? null) : one.dismissed_by,
    ...(one.state === 'dismissed' && one.dismissed_reason ? { reason: one.dismissed_reason } : {}),
    ...(one.state === 'fixed' && one.fixed?.reason ? { reason: one.fixed.reason } : {}),
  }));
}

function stateOf({ state, run_id, outside }: PreviousFinding, runId: string): ToldFinding['state'] {
  if (state !== 'open') return state;
  if (outside === true) return 'outside';
  return run_id === runId ? 'new' : 'carried';
}

/** Returns a finding as the record has it. */
export function storedFinding(stored: PreviousFinding): Finding {
  const { path, side, line, start_line, severity, category, title, body, suggestion, check } = stored;
  const finding = { path, side, line, severity, category, title, body: body ?? title };
  return {
    ...finding,
    ...(start_line === undefined ? {} : { start_line }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(check === null ? {} : { check }),
  };
}

/** Returns the open findings, new and carried. */
export function openFindings(told: readonly ToldFinding[]): ToldFinding[] {
  return told.filter(({ state }) => state === 'new' || state === 'carried');
}

/** Returns the findings to list for a run: the open ones where a review told them, else its own. */
export function findingsToList(
  own: readonly Finding[],
  told: readonly ToldFinding[] | undefined,
): readonly Finding[] {
  return told === undefined ? own : openFindings(told).map(({ finding }) => finding);
}
