import { expect, test } from 'vitest';
import type { FileChange } from '../../src/contract/change.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { foldWhole } from '../../src/run/finish-run.ts';
import { collectFailures } from '../../src/run/run-failures.ts';
import { finding, ledger, started } from '../reporting/samples.ts';

const usage = { input: 10, output: 2, cache_read: 3, cache_write: 0 };
const finished: RunEntry = {
  ...{ type: 'run.finished', conclusion: 'success', answer: 'All good.', stop: null },
  ...{ turns: 2, usage, cost_usd: 0.5, duration_ms: 1234 },
};
const call: RunEntry = {
  ...{ type: 'tool.call', call_id: 'c1', tool: 'read', input: null, what: 'a', decision: null },
};
const file: FileChange = {
  ...{ path: 'a.txt', kind: 'modify', mode: '100644', old_mode: '100644', content: '', binary: false },
  diff: '-red\n+blue\n',
};
const changes = { base_sha: 'a'.repeat(40), patch: file.diff, files: [file] };
/** As a defect could have put it into the record. */
const broken = {
  type: 'todos',
  todos: [{ id: '1', content: 'Look', status: 'lost' }],
} as unknown as RunEntry;

async function fold(made: typeof changes) {
  const notes: string[] = [];
  const breakage = collectFailures({ lines: [] }, { messages: () => [] }, (entry) => {
    if (entry.type === 'diagnostic' && entry.level === 'error') notes.push(entry.message.split(':')[0] ?? '');
  });
  const lines = ledger(started, call, broken, { type: 'findings', findings: [finding] }, finished);
  const { conclusion, answer, stop, turns, tool_calls, cost_usd, todos, ...rest } = await foldWhole(
    lines,
    made,
    breakage,
  );
  const stored = { usage: rest.usage, findings: rest.findings, changes: rest.changes };
  return { conclusion, answer, stop, turns, tool_calls, cost_usd, todos, ...stored, notes };
}

const least = {
  ...{ conclusion: 'failure', answer: 'All good.', turns: 2, tool_calls: 1, cost_usd: 0.5, usage },
  ...{ findings: [finding], todos: [] },
  stop: {
    kind: 'internal_error',
    message:
      'Anode CI itself failed: Error: the outcome of the run could not be put together completely. What the run did before is kept.',
  },
};

test('a ledger entry that does not fit into an outcome loses details but no cost', async () => {
  expect(await fold(changes)).toEqual({ ...least, changes, notes: ['The outcome failed'] });
});

test('changes that do not fit into an outcome leave their patch', async () => {
  const wrong = { ...changes, files: [{ ...file, kind: 'lost' } as unknown as FileChange] };
  expect(await fold(wrong)).toEqual({
    ...{ ...least, changes: { ...changes, files: [] } },
    notes: ['The outcome failed', 'The outcome without its details failed'],
  });
});
