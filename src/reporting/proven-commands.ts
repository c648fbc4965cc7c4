import { isJsonObject } from '../contract/json.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { ProvenCommand } from '../contract/run-results.ts';

/** Characters of a command that are kept, and commands of a run. */
const longest = { command: 500, list: 20 } as const;

/** A command. `key` tells apart equal texts in different folders. */
interface Command {
  readonly key: string;
  readonly command: string;
}
type EndedCommand = Command & { readonly code: number };

/**
 * Returns the commands that prove a run's change: the same text failed before anything was changed
 * and ended with 0 after the last change. Commands of children count too. Commands in the
 * background have no end and prove nothing, nor does a record that was cut: it lacks calls.
 */
export function provenCommands(entries: readonly RunEntry[]): ProvenCommand[] {
  if (entries.some(({ type }) => type === 'cut')) return [];
  const before = new Map<string, EndedCommand>();
  const passed = new Set<string>();
  let isChanged = false;
  for (const step of stepsOf(entries)) {
    if (step === 'change') {
      isChanged = true;
      passed.clear();
    } else if (!isChanged) before.set(step.key, step);
    else if (step.code === 0) passed.add(step.key);
    else passed.delete(step.key);
  }
  return [...before.values()]
    .filter(({ key, code }) => code !== 0 && passed.has(key))
    .slice(0, longest.list)
    .map(({ command, code }) => ({ command: command.slice(0, longest.command), before: code, after: 0 }));
}

/** Yields changes, and commands with their exit codes, in the order in which they ended. */
function* stepsOf(entries: readonly RunEntry[]): Generator<'change' | EndedCommand> {
  const open = new Map<string, Command>();
  for (const entry of entries) {
    if (entry.type === 'change') yield 'change';
    const [child, inner] = entry.type === 'child_run.entry' ? [entry.child_run_id, entry.entry] : ['', entry];
    if (inner.type !== 'tool.call' && inner.type !== 'tool.result') continue;
    const call = `${child}/${inner.call_id}`;
    const begun = inner.type === 'tool.call' ? commandOf(inner) : open.get(call);
    if (begun === undefined) continue;
    if (inner.type === 'tool.call') open.set(call, begun);
    else yield* endOf(begun, inner);
  }
}

function commandOf({ input }: Extract<RunEntry, { type: 'tool.call' }>): Command | undefined {
  const { command, cwd = '' } = isJsonObject(input) ? input : {};
  const text = typeof command === 'string' ? command.trim() : '';
  return text === '' ? undefined : { key: JSON.stringify([cwd, text]), command: text };
}

/** Returns the end of a command; none for one in the background. */
function endOf(begun: Command, { data }: Extract<RunEntry, { type: 'tool.result' }>): EndedCommand[] {
  const { exit_code: code } = isJsonObject(data) ? data : {};
  return typeof code === 'number' ? [{ ...begun, code }] : [];
}
