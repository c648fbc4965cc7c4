import type { ToolContext } from '../tool.ts';

/**
 * Enters what commands have changed since the last look into the change ledger, as the work of this call; what may not stand is put back.
 * A call that was judged to only read looks too, in case the judgement was wrong, but not while another call changes the checkout: that
 * one looks when it ends.
 */
export async function recordChanges(context: ToolContext, tool: string): Promise<void> {
  const end = context.onlyReads && context.takeLook !== undefined ? context.takeLook() : () => undefined;
  if (end === null) return;
  try {
    const by = { tool, callId: context.callId };
    for (const change of await context.workspace.changes.observe(by, context.changeJudge)) {
      context.record({ type: 'change', change });
      if (change.after !== null) context.workspace.memory.ownChange(change.path, change.after);
    }
  } finally {
    end();
  }
}
