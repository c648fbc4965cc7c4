import type { IncomingEvent } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { PlanProposal } from '../../contract/thread-records.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { hashIn } from '../commands/read-command.ts';
import type { Trigger } from '../commands/trigger.ts';
import { type DecidedApproval, readDecidedApproval } from '../records/approval-record.ts';
import { editedCommentReason } from './decide-approval.ts';

/** Decision on an approval or denial of a posted plan. */
export type ProposalDecision =
  | { readonly kind: 'approved'; readonly proposal: PlanProposal }
  /** No run; `text` is the reply. */
  | { readonly kind: 'reply'; readonly text: string };

/**
 * Decides on a plan by its hash; returns null if no plan of the thread has it. A person with write
 * permission must have typed it, in an unedited comment. The head must be the commit that the plan
 * was made on.
 */
export async function decideProposal(
  event: IncomingEvent,
  request: EventRequest,
  context: Pick<DecideContext, 'octokit' | 'store' | 'settings'>,
): Promise<ProposalDecision | null> {
  const { trigger, triggers, authorization, facts } = request;
  const hash = hashIn(trigger.text) ?? '';
  const proposal = await readProposal(context.store, trigger, hash);
  if (proposal === null) return null;
  const refused = (text: string): ProposalDecision => ({ kind: 'reply', text });
  const { requester } = authorization;
  if (requester.type !== 'User' || !canWrite(requester))
    return refused('Only a person with write permission can decide on a plan.');
  const key = stateKeys.approval(trigger.thread.number, hash);
  const before = await readDecidedApproval(context.store, key);
  const again = `\`/${triggers.mention} plan\` makes a new one.`;
  if (before?.verdict === 'approve')
    return refused(`${before.by} approved the plan \`${hash}\` already. It is carried out once; ${again}`);
  if (before?.verdict === 'deny') return refused(`${before.by} dropped the plan \`${hash}\`; ${again}`);
  const changed = await editedCommentReason(event, request, context);
  if (changed !== null) return refused(changed);
  if (trigger.kind === 'deny') {
    const dropped: DecidedApproval = { by: requester.login, verdict: 'deny' };
    if (!context.settings.dryRun) await context.store.set(key, JSON.stringify(dropped));
    return refused(`The plan \`${hash}\` is dropped. Nothing was done.`);
  }
  const head = facts.pull?.head.sha ?? facts.baseHead;
  if (head === proposal.head_sha) return { kind: 'approved', proposal };
  return refused(
    `The plan has lapsed: it was made on ${proposal.head_sha.slice(0, 12)}, and the head is ${head.slice(0, 12)} now. Nothing was done; ${again}`,
  );
}

/** Returns the prompt of a run that carries out a plan: the plan's text as it was posted. */
export function carryOut({ text }: PlanProposal, approvedBy: string): string {
  return `Carry out the plan below, which ${approvedBy} approved: all of it, and nothing else. Where a step turns out to be wrong or impossible, leave it, do the rest that does not need it, and say so.\n\n${text}`;
}

async function readProposal(
  store: StateStore,
  { thread }: Trigger,
  hash: string,
): Promise<PlanProposal | null> {
  const text = await store.get(stateKeys.proposal(thread.number, hash));
  const parsed = text === null ? null : PlanProposal.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
