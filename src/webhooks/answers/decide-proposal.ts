import type { IncomingEvent } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { PlanProposal, proposalKey } from '../../contract/thread-records.ts';
import { canWrite } from '../authorize/authorize.ts';
import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Judged } from '../authorize/judge-event.ts';
import { hashIn } from '../commands/read-command.ts';
import type { Trigger } from '../commands/trigger.ts';
import { type DecidedApproval, decidedApprovalKey, readDecidedApproval } from '../records/approval-record.ts';
import { whyChanged } from './decide-approval.ts';

/** What an approval or refusal comes to that is about a posted plan. */
export type ProposalDecision =
  | { readonly kind: 'approved'; readonly proposal: PlanProposal }
  /** No run; with a sentence for whoever decided. */
  | { readonly kind: 'told'; readonly words: string };

/**
 * Decides on a plan by its hash; null where no plan of the thread has it, so that it is about something else. A person
 * who may write has to have typed it, in a comment that stands as it was written, and the head has to be the commit
 * that the plan was made on.
 */
export async function decideProposal(
  event: IncomingEvent,
  judged: Judged,
  ports: Pick<DecidePorts, 'octokit' | 'store' | 'settings'>,
): Promise<ProposalDecision | null> {
  const { trigger, triggers, authorization, place } = judged;
  const hash = hashIn(trigger.text) ?? '';
  const proposal = await readProposal(ports.store, trigger, hash);
  if (proposal === null) return null;
  const told = (words: string): ProposalDecision => ({ kind: 'told', words });
  const { requester } = authorization;
  if (requester.type !== 'User' || !canWrite(requester))
    return told('Only a person with write permission can decide on a plan.');
  const key = decidedApprovalKey(trigger, hash);
  const before = await readDecidedApproval(ports.store, key);
  const again = `\`/${triggers.mention} plan\` makes a new one.`;
  if (before?.verdict === 'approve')
    return told(`${before.by} approved the plan \`${hash}\` already. It is carried out once; ${again}`);
  if (before?.verdict === 'deny') return told(`${before.by} dropped the plan \`${hash}\`; ${again}`);
  const changed = await whyChanged(event, judged, ports);
  if (changed !== null) return told(changed);
  if (trigger.kind === 'deny') {
    const dropped: DecidedApproval = { by: requester.login, verdict: 'deny' };
    if (!ports.settings.dryRun) await ports.store.set(key, JSON.stringify(dropped));
    return told(`The plan \`${hash}\` is dropped. Nothing was done.`);
  }
  const head = place.pull?.head.sha ?? place.defaultHead;
  if (head === proposal.head_sha) return { kind: 'approved', proposal };
  return told(
    `The plan has lapsed: it was made on ${proposal.head_sha.slice(0, 12)}, and the head is ${head.slice(0, 12)} now. Nothing was done; ${again}`,
  );
}

/** The prompt of a run that carries out a plan: its text as it was posted, and nothing that was said since. */
export function carryOut({ text }: PlanProposal, approvedBy: string): string {
  return `Carry out the plan below, which ${approvedBy} approved: all of it, and nothing else. Where a step turns out to be wrong or impossible, leave it, do the rest that does not need it, and say so.\n\n${text}`;
}

async function readProposal(
  store: StateStore,
  { thread }: Trigger,
  hash: string,
): Promise<PlanProposal | null> {
  const text = await store.get(proposalKey(thread.number, hash));
  const parsed = text === null ? null : PlanProposal.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
