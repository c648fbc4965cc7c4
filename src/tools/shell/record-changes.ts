import type { ToolContext } from '../tool.ts';

/**
 * Records what commands changed since the last look, as the work of this call, and reverts what is
 * not allowed. A read-only command changes nothing in a sandbox, which mounts the workspace
 * read-only. Without a sandbox the look is postponed until something may change the workspace, or
 * the run ends.
 */
export async function recordChanges(context: ToolContext, tool: string): Promise<void> {
  const { changes, memory } = context.workspace;
  const observe = async () => {
    const by = { tool, callId: context.callId };
    for (const change of await changes.observe(by, context.changeEvaluator)) {
      context.record({ type: 'change', change });
      if (change.after !== null) memory.ownChange(change.path, change.after);
    }
  };
  if (!context.onlyReads) return observe();
  if (!context.commands.sandboxed) changes.observeLater(observe);
}
