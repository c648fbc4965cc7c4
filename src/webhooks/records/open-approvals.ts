import { parseJson } from '../../contract/json.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { PlanProposal } from '../../contract/thread-records.ts';
import { readDecidedApproval } from './approval-record.ts';

/** A call or a plan that a person can decide on. */
export interface OpenApproval {
  readonly kind: 'call' | 'plan';
  readonly hash: string;
  /** The call, or the first line of the plan. */
  readonly what: string;
  /** True once the head moved: then it can only be refused. */
  readonly lapsed: boolean;
}

interface ApprovalSource {
  readonly thread: { readonly number: number };
  /** The sessions that wait on the thread. */
  readonly sessions: readonly SavedSession[];
  /** The head that an approval has to be about. */
  readonly head: string;
  readonly store: StateStore;
}

/** Reads what waits for an approval on a thread: calls first, then plans. */
export async function readOpenApprovals(source: ApprovalSource): Promise<OpenApproval[]> {
  const calls = source.sessions.flatMap(({ approval, base_sha }): OpenApproval[] =>
    approval === undefined
      ? []
      : [
          {
            kind: 'call',
            hash: approval.hash,
            what: `${approval.tool} ${approval.what}`,
            lapsed: base_sha !== source.head,
          },
        ],
  );
  return [...calls, ...(await readPlans(source))];
}

async function readPlans({ thread, head, store }: ApprovalSource): Promise<OpenApproval[]> {
  const keys = await store.list(stateKeys.proposal(thread.number, ''));
  const plans = await Promise.all(
    keys.map(async (key): Promise<OpenApproval[]> => {
      const { success, data } = PlanProposal.safeParse(parseJson((await store.get(key)) ?? ''));
      if (!success) return [];
      const { hash, text, head_sha } = data;
      if ((await readDecidedApproval(store, stateKeys.approval(thread.number, hash))) !== null) return [];
      const [what = ''] = text.trim().split('\n', 1);
      return [{ kind: 'plan', hash, what, lapsed: head_sha !== head }];
    }),
  );
  return plans.flat();
}
