import type { Action, Level, Preset } from '../../contract/levels.ts';

/** What a preset says of a call by its level. For a call that runs commands `commandAction` says more. */
export function presetAction(
  preset: Preset,
  call: { level: Level; tool: string; ownState: boolean; readOnly: boolean },
): Action {
  const own = call.level === 'state_write' && call.ownState;
  if (call.level === 'auto_read' || call.level === 'interactive' || own) return 'allow';
  // It only proposes; a person decides what becomes of it.
  if (call.level === 'delegated' && call.tool === 'handoff') return 'allow';
  if (preset !== 'strict') return 'allow';
  return call.level === 'delegated' && call.readOnly ? 'allow' : 'ask';
}

/**
 * What a preset says of a command by what it does. In `careful`, what is neither known to read nor to
 * destroy runs only inside a working sandbox without network.
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
