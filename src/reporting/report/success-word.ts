import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { workOf } from '../../contract/work-of.ts';

/**
 * Returns what a successful run did, in at most three words. What the run left decides, not
 * what its answer claims. A free task may be a question, so its words say both.
 */
export function successWord(
  { changes, handoffs, findings }: Pick<Outcome, 'changes' | 'handoffs' | 'findings'>,
  plan: Pick<RunPlan, 'verb' | 'work'>,
): string {
  const verb = storedVerb(workOf(plan));
  const mayCommit = (verb?.push ?? 'commit') === 'commit';
  const left = changes.files.length + (changes.left_out ?? []).length + handoffs.length + findings.length;
  if (!mayCommit || left > 0) return 'Done';
  return verb === null || verb.text === 'required' ? 'Answered, nothing changed' : 'Nothing changed';
}
