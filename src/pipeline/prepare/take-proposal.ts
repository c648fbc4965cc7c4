import { RunStopped } from '../../contract/errors.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { type DecidedApproval, decidedApprovalKey } from '../../webhooks/records/approval-record.ts';

/**
 * Claims the approved plan that a run carries out, for its delivery and the repeats of it. Throws
 * `RunStopped` for any other delivery; does nothing for a run without an approved plan.
 */
export async function claimProposal(plan: RunPlan, store: StateStore): Promise<void> {
  const { approved_plan: hash, thread } = plan;
  if (hash === undefined || thread === null) return;
  const taker = plan.source.delivery_id ?? plan.run_id;
  const decided = decidedApprovalKey({ thread }, hash);
  const key = `used-${decided}`;
  const isOwn = (await store.claim(key, taker)) || (await store.get(key)) === taker;
  if (!isOwn)
    throw new RunStopped({ kind: 'cancelled', message: `The plan ${hash} is being carried out already.` });
  const record: DecidedApproval = { by: plan.requester.login, verdict: 'approve' };
  await store.set(decided, JSON.stringify(record));
}
