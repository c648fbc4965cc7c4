import type { Action, Level, Preset } from '../../contract/levels.ts';
import { commandAction, presetAction } from './presets.ts';

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
    change: { tool?: string; ownState?: boolean; onlyReads?: boolean } = {},
  ) => {
    const action = presetAction(preset, { level, tool: 'any', ownState: false, onlyReads: false, ...change });
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
    row('delegated', 'to children that only read', { onlyReads: true }),
    row('delegated', 'to other children'),
  ];
}
