import type { ToolContext } from '../tool.ts';

/** Enters what commands have changed since the last look into the change ledger, as the work of this call; what may not stand is put back. */
export async function recordChanges(context: ToolContext, tool: string): Promise<void> {
  const by = { tool, callId: context.callId };
  for (const change of await context.workspace.changes.observe(by, context.changeJudge)) {
    context.record({ type: 'change', change });
    if (change.after !== null) context.workspace.memory.ownChange(change.path, change.after);
  }
}
