import { addUsage, noUsage, type Usage } from '../../contract/usage.ts';
import { callsLeft, type RunBudget } from './run-budget.ts';

/** A child's share of its family's budget: what it spends counts for both, and its own calls have a limit too. */
export interface ChildBudget {
  readonly budget: RunBudget;
  /** What this child spent. */
  readonly own: () => { readonly usage: Usage; readonly costUsd: number | null };
}

/** `maxToolCalls`: at so many the child ends, and only the child; null for no limit of its own. */
export function openChildBudget(family: RunBudget, maxToolCalls: number | null): ChildBudget {
  let usage = noUsage;
  let costUsd: number | null = 0;
  let calls = 0;
  return {
    own: () => ({ usage, costUsd }),
    budget: {
      get usage() {
        return family.usage;
      },
      get toolCalls() {
        return family.toolCalls;
      },
      get costUsd() {
        return family.costUsd;
      },
      spend: (more, cost) => {
        usage = addUsage(usage, more);
        costUsd = costUsd === null || cost === null ? null : costUsd + cost;
        family.spend(more, cost);
      },
      countToolCall: () => {
        calls += 1;
        family.countToolCall();
      },
      check: () => family.check(),
      callsUsedUp: () => {
        const used = family.callsUsedUp();
        if (used !== null || maxToolCalls === null || calls < maxToolCalls) return used;
        return { kind: 'tool_call_limit', message: `The child run used its ${maxToolCalls} tool calls.` };
      },
      left: () => [...family.left(), ...(maxToolCalls === null ? [] : [callsLeft(maxToolCalls, calls)])],
    },
  };
}
