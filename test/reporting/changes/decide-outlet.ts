import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { commitVia, type OutletFacts } from '../../../src/reporting/changes/outlet-rules.ts';
import { hasChanges, outlets } from '../../../src/reporting/changes/outlets.ts';

/** Returns the strongest outlet that takes a run's changes; the reason if it is no commit. */
export function decideOutlet(outcome: Outcome, plan: RunPlan, facts: OutletFacts) {
  if (!hasChanges(outcome)) return { outlet: { kind: 'none' as const }, reason: null };
  const reasons = outlets.map((outlet) => outlet.refuse({ outcome, plan, facts }));
  const kind = outlets[reasons.indexOf(null)]?.name ?? 'patch';
  const via = commitVia(outcome.changes.files, facts);
  return { outlet: kind === 'commit' ? { kind, via } : { kind }, reason: reasons[0] ?? null };
}
