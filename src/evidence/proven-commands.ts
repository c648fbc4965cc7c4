import { isJsonObject } from '../contract/json.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';

/** A command that failed before the first change of a run and passed after the last. */
export interface ProvenCommand {
  readonly command: string;
  /** Exit codes. */
  readonly before: number;
  readonly after: number;
}

/** Characters of a command that are kept, and commands of a run. */
const longest = { command: 500, list: 20 } as const;

/**
 * Returns the commands that prove a run's change: the same text failed before anything was changed
 * and ended with 0 after the last change. Commands in the background have no end and prove nothing.
 * A record that was cut proves nothing either, as calls are missing.
 */
export async function provenCommands(
  lines: AsyncIterable<RunLedgerLine> | Iterable<RunLedgerLine>,
): Promise<ProvenCommand[]> {
  const failed = new Map<string, number>();
  const passed = new Set<string>();
  let isChanged = false;
  for await (const step of stepsOf(lines)) {
    if (step === 'cut') return [];
    if (step === 'change') {
      isChanged = true;
      passed.clear();
    } else if (!isChanged) failed.set(step.command, step.code);
    else if (step.code === 0) passed.add(step.command);
    else passed.delete(step.command);
  }
  return [...failed]
    .filter(([command, code]) => code !== 0 && passed.has(command))
    .slice(0, longest.list)
    .map(([command, before]) => ({ command: command.slice(0, longest.command), before, after: 0 }));
}

/** Yields changes, and commands with their exit codes, in the order in which they ended. */
async function* stepsOf(
  lines: AsyncIterable<RunLedgerLine> | Iterable<RunLedgerLine>,
): AsyncGenerator<'change' | 'cut' | { readonly command: string; readonly code: number }> {
  const open = new Map<string, string>();
  for await (const { entry } of lines) {
    if (entry.type === 'change' || entry.type === 'cut') yield entry.type;
    if (entry.type === 'tool.call') open.set(entry.call_id, commandOf(entry));
    if (entry.type !== 'tool.result') continue;
    const [command = '', code] = [open.get(entry.call_id), exitCodeOf(entry)];
    if (command !== '' && code !== null) yield { command, code };
  }
}

function commandOf({ input }: Extract<RunEntry, { type: 'tool.call' }>): string {
  const { command } = isJsonObject(input) ? input : {};
  return typeof command === 'string' ? command.trim() : '';
}

function exitCodeOf({ data }: Extract<RunEntry, { type: 'tool.result' }>): number | null {
  const { exit_code } = isJsonObject(data) ? data : {};
  return typeof exit_code === 'number' ? exit_code : null;
}
