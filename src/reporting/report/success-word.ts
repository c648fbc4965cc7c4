import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { workOf } from '../../contract/work-of.ts';
import type { Published } from './published.ts';

type Posted = Pick<Published, 'commit' | 'review' | 'patch' | 'changes_issue' | 'withheld' | 'handedOn'>;

/**
 * Returns what a successful run did, in a few words without a full stop. What the run left decides,
 * not what its answer claims. A free task may be a question, so its words say both. Changes that
 * became neither a commit nor suggestions come first: a reader would take them for done.
 */
export function successWord(
  { changes, handoffs, findings }: Pick<Outcome, 'changes' | 'handoffs' | 'findings'>,
  plan: Pick<RunPlan, 'verb' | 'work'>,
  posted: Posted | null,
): string {
  if (isUncommitted({ changes }, plan, posted))
    return posted?.withheld?.replace(/\.$/u, '') ?? 'Not committed';
  const verb = storedVerb(workOf(plan));
  const mayCommit = (verb?.push ?? 'commit') === 'commit';
  const left = changes.files.length + (changes.left_out ?? []).length + handoffs.length + findings.length;
  if (!mayCommit || left > 0) return 'Done';
  return verb === null || verb.text === 'required' ? 'Answered, nothing changed' : 'Nothing changed';
}

/**
 * Returns the reason of a successful run without a commit and suggestions, as a sentence for its
 * first line; undefined for any other run, and without a reason.
 */
export function reasonAtOnce(
  { changes, conclusion }: Pick<Outcome, 'changes' | 'conclusion'>,
  plan: Pick<RunPlan, 'verb'>,
  posted: Posted & Pick<Published, 'uncommitted'>,
): string | undefined {
  if (conclusion !== 'success' || !isUncommitted({ changes }, plan, posted)) return undefined;
  return posted.withheld ?? posted.uncommitted;
}

/** Returns true if what was to become a commit is a patch. A step leaves it in the checkout. */
export function isUncommitted(
  { changes }: Pick<Outcome, 'changes'>,
  { verb }: Pick<RunPlan, 'verb'>,
  posted: Posted | null,
): boolean {
  if (posted?.withheld !== undefined) return true;
  if (posted === null || posted.handedOn === true || verb === 'step' || changes.files.length === 0)
    return false;
  const isPatch = posted.patch !== '' || posted.changes_issue !== undefined;
  return isPatch && posted.commit === undefined && posted.review === undefined;
}
