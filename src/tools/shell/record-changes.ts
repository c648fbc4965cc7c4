import type { ToolContext } from '../tool.ts';

/**
 * Enters what commands have changed since the last look into the change ledger, as the work of this call; what may not stand is put back.
 * A command that was judged to only read changes nothing in a sandbox, which shows it the workspace for reading only. Without one the
 * look is put off until something may change the workspace, or the run ends.
 */
export async function recordChanges(context: ToolContext, tool: string): Promise<void> {
  const { changes, memory } = context.workspace;
  const look = async () => {
    const by = { tool, callId: context.callId };
    for (const change of await changes.observe(by, context.changeJudge)) {
      context.record({ type: 'change', change });
      if (change.after !== null) memory.ownChange(change.path, change.after);
    }
  };
  if (!context.onlyReads) return look();
  if (!context.commands.sandboxed) changes.lookLater(look);
}
