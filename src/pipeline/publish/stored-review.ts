import { createHash } from 'node:crypto';
import type { ToldFinding } from '../../contract/findings.ts';
import { parseJson } from '../../contract/json.ts';
import { LastReview } from '../../contract/last-review.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Published } from '../../reporting/report/published.ts';
import { openFindings } from '../../reporting/review/fold-findings.ts';
import type { BrokerContext } from '../context/broker-context.ts';

/** Stores a published review of a pull request, with what its check and code scanning tell. */
export async function saveLastReview(
  plan: RunPlan,
  outcome: Outcome,
  { told, summary, comment, question, approval, review }: Published,
  { store, canAsk }: Pick<BrokerContext, 'store' | 'canAsk'>,
): Promise<void> {
  if (!canAsk || told === undefined || plan.thread === null) return;
  const { hidden_text: _, chat: __, ...rest } = plan;
  const changes = { ...outcome.changes, patch: '', files: [] };
  const record: LastReview = {
    version: 1,
    plan: { ...rest, prompt: '', thread_context: '', attachments: [], trigger_comment: null },
    outcome: { ...outcome, answer: '', findings: [], changes },
    found: openFindings(told).map(({ id, finding }) => ({ id, finding })),
    links: { summary, comment, question, approval, review },
    told: digestTold(told),
  };
  await store.set(stateKeys.lastReview(plan.thread.number), JSON.stringify(record));
}

/** Reads the last review of a pull request; null if none is stored. */
export async function readLastReview(pull: number, store: StateStore): Promise<LastReview | null> {
  const text = await store.get(stateKeys.lastReview(pull));
  return text === null ? null : (LastReview.safeParse(parseJson(text)).data ?? null);
}

/** A digest of the findings with their severities and states, whichever run found them. */
export function digestTold(told: readonly ToldFinding[]): string {
  const lines = told.map(({ id, state, finding }) => {
    const isOpen = state === 'new' || state === 'carried';
    return `${id} ${finding.severity} ${isOpen ? 'open' : state}`;
  });
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}
