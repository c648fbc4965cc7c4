import type { Action, Level, Preset } from '../../contract/levels.ts';

/** Returns a preset's action for a call by its level. For commands use `commandAction`. */
export function presetAction(
  preset: Preset,
  call: { level: Level; tool: string; ownState: boolean; readOnly: boolean },
): Action {
  const own = call.level === 'state_write' && call.ownState;
  if (call.level === 'auto_read' || call.level === 'interactive' || own) return 'allow';
  // It only proposes; a person decides on the proposal.
  if (call.level === 'delegated' && call.tool === 'handoff') return 'allow';
  if (preset !== 'strict') return 'allow';
  return call.level === 'delegated' && call.readOnly ? 'allow' : 'ask';
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

/**
 * Returns the preset that a word names; `yolo` is `unrestricted`. Unknown words give `strict`, so
 * that a typo never permits more.
 */
export function presetFrom(word: string): Preset {
  if (word === 'unrestricted' || word === 'yolo') return 'unrestricted';
  return word === 'careful' ? 'careful' : 'strict';
}

/** A preset's action for one kind of call if no rule matches. */
export interface LevelRow {
  readonly level: Level;
  /** The calls of the level; empty for all of them. */
  readonly calls: string;
  readonly sandboxed: Action;
  readonly unsandboxed: Action;
}

/** Returns the whole table of a preset, computed by the deciding functions. */
export function levelTable(preset: Preset): LevelRow[] {
  const row = (
    level: Level,
    calls = '',
    change: { tool?: string; ownState?: boolean; readOnly?: boolean } = {},
  ) => {
    const action = presetAction(preset, { level, tool: 'any', ownState: false, readOnly: false, ...change });
    return { level, calls, sandboxed: action, unsandboxed: action };
  };
  const command = (kind: 'read_only' | 'destructive' | 'other', calls: string): LevelRow => ({
    level: 'confirm_execute',
    calls,
    sandboxed: commandAction(preset, kind, true),
    unsandboxed: commandAction(preset, kind, false),
  });
  return [
    row('auto_read'),
    row('interactive'),
    row('external_read', 'of enabled tools'),
    row('state_write', "of the run's own state", { ownState: true }),
    row('state_write', 'of other state'),
    row('confirm_write'),
    command('read_only', 'commands proven to read only'),
    command('destructive', 'destructive commands'),
    command('other', 'all other commands and programs'),
    row('delegated', 'handoff, which only proposes', { tool: 'handoff' }),
    row('delegated', 'to children that only read', { readOnly: true }),
    row('delegated', 'to other children'),
  ];
}
