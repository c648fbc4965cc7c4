import type { Action, Level, Preset } from '../../contract/levels.ts';

/** Returns a preset's action for a call by its level. For commands use `commandAction`. */
export function presetAction(
  preset: Preset,
  call: { level: Level; tool: string; ownState: boolean; onlyReads: boolean },
): Action {
  const own = call.level === 'state_write' && call.ownState;
  if (call.level === 'auto_read' || call.level === 'interactive' || own) return 'allow';
  // It only proposes; a person decides on the proposal.
  if (call.level === 'delegated' && call.tool === 'handoff') return 'allow';
  if (preset !== 'strict') return 'allow';
  return call.level === 'delegated' && call.onlyReads ? 'allow' : 'ask';
}

/**
 * Returns a preset's action for a command by its effect. In `careful`, commands that neither read
 * nor destroy run only in a sandbox without network.
 */
export function commandAction(
  preset: Preset,
  kind: 'read_only' | 'destructive' | 'other',
  sandboxed: boolean,
): Action {
  if (preset === 'unrestricted') return 'allow';
  if (preset === 'strict') return 'ask';
  if (kind === 'read_only') return 'allow';
  if (kind === 'destructive') return 'reject';
  return sandboxed ? 'allow' : 'ask';
}
