import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRunLedger } from '../../../src/agent/ledger/open-run-ledger.ts';
import { openRunTrace, traceBeside } from '../../../src/agent/ledger/open-run-trace.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-trace-'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = '2026-01-02T03:04:05.000Z';
const options = {
  now: () => new Date(at),
  redact: (text: string) => text.replaceAll('hunter22', '[redacted]'),
};

async function events(file: string): Promise<unknown[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { event, ...rest } = JSON.parse(line);
    expect(rest).toEqual({ v: 1, at });
    return event;
  });
}

test('names entries of the ledger by number, and has what the ledger lacks, without secrets', async () => {
  const ledgerFile = path.join(folder, 'ledger.jsonl');
  const trace = openRunTrace(traceBeside(ledgerFile), options);
  const ledger = openRunLedger(ledgerFile, { ...options, onEntry: trace.addEntry });
  const child = { child_run_id: 'child_1', title: 'Look', tool: 'bash' };
  ledger.record({ type: 'turn.started', turn: 1 });
  trace.addEvent({ type: 'turn.started', turn: 1 });
  trace.addEvent({ type: 'text.delta', text: 'It is hunter22' });
  trace.addEvent({ type: 'child_run.tool_call', ...child, what: 'echo hunter22' });
  trace.addEvent({ type: 'child_run.tool_result', ...child, ok: true, content: 'hunter22' });
  ledger.record({ type: 'message', message: { role: 'assistant', parts: [] } });
  await ledger.close();
  await trace.close();
  expect(await events(path.join(folder, 'trace.jsonl'))).toEqual([
    { type: 'ledger', entry: 'turn.started', seq: 1 },
    { type: 'text.delta', text: 'It is [redacted]' },
    { type: 'child_run.tool_call', ...child, what: 'echo [redacted]' },
    { type: 'child_run.tool_result', ...child, ok: true, content: '[redacted]' },
    { type: 'ledger', entry: 'message', seq: 2 },
  ]);
});

test('ends at its size limit', async () => {
  const file = path.join(folder, 'trace.jsonl');
  const trace = openRunTrace(file, { ...options, mostBytes: 200 });
  for (const text of ['one', 'two', 'three']) trace.addEvent({ type: 'text.delta', text });
  trace.addEntry({ type: 'turn.started', turn: 1 }, null);
  await trace.close();
  expect(await events(file)).toEqual([
    { type: 'text.delta', text: 'one' },
    { type: 'text.delta', text: 'two' },
    { type: 'cut', limit_bytes: 200 },
  ]);
});
