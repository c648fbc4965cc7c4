import { expect, test } from 'vitest';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { provenCommands } from '../../src/reporting/proven-commands.ts';

let calls = 0;

/** A command that ended with a code, in a folder of the checkout. */
function ran(command: string, exit_code: number, cwd?: string): RunEntry[] {
  calls += 1;
  const rest = { error_kind: null, spill: null, duration_ms: 1 };
  const [call_id, tool, content] = [`c${calls}`, 'bash', ''];
  return [
    {
      type: 'tool.call',
      call_id,
      tool,
      input: { command, ...(cwd === undefined ? {} : { cwd }) },
      what: command,
      decision: null,
    },
    { type: 'tool.result', call_id, tool, ok: true, content, ...rest, data: { exit_code } },
  ];
}

/** The same as the call of a child. */
const byChild = (child_run_id: string, entries: readonly RunEntry[]) =>
  entries.map((entry) => ({ type: 'child_run.entry', child_run_id, entry }) as RunEntry);

const change = { type: 'change', change: { path: 'a' } } as RunEntry;
const cut = { type: 'cut' } as RunEntry;
const proven = (command: string, before = 1) => ({ command, before, after: 0 });

test.for<[string, readonly RunEntry[], object[]]>([
  ['fails, then passes', [...ran('t', 1), change, ...ran('t', 0)], [proven('t')]],
  ['passes before the change too', [...ran('t', 0), change, ...ran('t', 0)], []],
  ['still fails', [...ran('t', 1), change, ...ran('t', 1)], []],
  ['was not run before', [change, ...ran('t', 0)], []],
  ['passes without a change', [...ran('t', 1), ...ran('t', 0)], []],
  ['was not run after the last change', [...ran('t', 1), change, ...ran('t', 0), change], []],
  ['fails at last', [...ran('t', 1), change, ...ran('t', 0), ...ran('t', 1)], []],
  ['is another text', [...ran('t --old', 1), change, ...ran('t', 0)], []],
  ['stands in another folder', [...ran('t', 1, 'a'), change, ...ran('t', 0, 'b')], []],
  ['is run by a child at the end', [...ran('t', 2), change, ...byChild('x', ran('t', 0))], [proven('t', 2)]],
  ['stands in a cut record', [...ran('t', 1), change, ...ran('t', 0), cut], []],
  ['is broken by the change of a child', [...ran('t', 1), change, ...ran('t', 0), change], []],
])('a command that %s', ([, entries, expected]) => {
  expect(provenCommands(entries)).toEqual(expected);
});

test('calls of children with one id are told apart', () => {
  const [begin, end] = ran('t', 0);
  const [other, otherEnd] = [begin, end].map((entry) => ({ ...entry, call_id: 'same' }) as RunEntry);
  const [mine, mineEnd] = ran('u', 1).map((entry) => ({ ...entry, call_id: 'same' }) as RunEntry);
  const entries = [
    ...ran('t', 1),
    change,
    ...byChild('x', other === undefined ? [] : [other]),
    ...byChild('y', mine === undefined || mineEnd === undefined ? [] : [mine, mineEnd]),
    ...byChild('x', otherEnd === undefined ? [] : [otherEnd]),
  ];
  expect(provenCommands(entries)).toEqual([proven('t')]);
});

test('at most 20 commands of 500 characters are kept', () => {
  const all = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(600)}`);
  const entries = [...all.flatMap((text) => ran(text, 1)), change, ...all.flatMap((text) => ran(text, 0))];
  expect(provenCommands(entries).map(({ command }) => command.length)).toEqual(
    Array.from({ length: 20 }, () => 500),
  );
});
