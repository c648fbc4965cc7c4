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

/**
 * The preset a word names: `yolo` is `unrestricted`; anything unknown is `strict`, so that a misspelt word
 * never opens more than was meant.
 */
export function presetFrom(word: string): Preset {
  if (word === 'unrestricted' || word === 'yolo') return 'unrestricted';
  return word === 'careful' ? 'careful' : 'strict';
}

/** What a preset says of one kind of call where no rule matches. */
export interface LevelRow {
  readonly level: Level;
  /** Which calls of the level; empty for all of them. */
  readonly calls: string;
  readonly sandboxed: Action;
  readonly unsandboxed: Action;
}

/** The whole table of a preset, made by the functions that decide. */
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
