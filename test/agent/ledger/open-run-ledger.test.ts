import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lineHash, openRunLedger } from '../../../src/agent/ledger/open-run-ledger.ts';
import { readRunLedger } from '../../../src/agent/ledger/read-run-ledger.ts';
import { ConfigError } from '../../../src/contract/errors.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { verifyLedger } from '../../../src/evidence/verify-ledger.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-ledger-'));
});
afterEach(() => rm(folder, { recursive: true }));

const now = () => new Date('2026-01-02T03:04:05.000Z');

const question = { options: [], allow_freeform: true, required: true, questions: [] };

describe('the run ledger', () => {
  it('stores every entry, numbered, stamped and redacted', async () => {
    const file = path.join(folder, 'deep', 'ledger.jsonl');
    const received: RunEntry[] = [];
    const redact = (text: string) => text.replaceAll('hunter22', '[redacted]');
    const ledger = openRunLedger(file, { now, redact, onEntry: (entry) => received.push(entry) });
    ledger.record({ type: 'turn.started', turn: 1 });
    ledger.flush();
    ledger.record({ type: 'diagnostic', level: 'info', message: 'said hunter22' });
    await ledger.close();
    const expected = [
      { v: 1, seq: 1, at: '2026-01-02T03:04:05.000Z', entry: { type: 'turn.started', turn: 1 } },
      {
        v: 1,
        seq: 2,
        at: '2026-01-02T03:04:05.000Z',
        entry: { type: 'diagnostic', level: 'info', message: 'said [redacted]' },
      },
    ];
    const stored = await readFile(file, 'utf8');
    const chained = expected.map((line, index) => ({
      ...line,
      prev: index === 0 ? null : lineHash(stored.split('\n')[index - 1] ?? ''),
    }));
    expect(ledger.lines).toEqual(chained);
    expect(received).toEqual(expected.map(({ entry }) => entry));
    expect(await readRunLedger(file)).toEqual(chained);
  });

  it('stores conversation and long texts in the file, not in memory', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    const ledger = openRunLedger(file, { now, redact: (text) => text });
    const long = 'x'.repeat(2_000);
    const call = { call_id: 'c', tool: 'bash' };
    const result = { ok: true, error_kind: null, spill: null, duration_ms: 1, type: 'tool.result' } as const;
    const written: RunEntry[] = [
      { type: 'message', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } },
      { type: 'tool.call', ...call, input: { command: long }, what: 'long', decision: null },
      { ...result, ...call, content: long, data: { long } },
      { ...result, ...call, content: 'short', data: { exit_code: 0 } },
      { ...result, call_id: 'r', tool: 'code_review', content: long, data: { findings: [] } },
      { type: 'question', question: { ...question, question: long } },
    ];
    for (const entry of written) ledger.record(entry);
    await ledger.close();
    expect((await readRunLedger(file)).map(({ seq, entry }) => [seq, entry])).toEqual(
      written.map((entry, index) => [index + 1, entry]),
    );
    const [, second, third, fourth, fifth, sixth] = written;
    expect(ledger.lines.map(({ seq, entry }) => [seq, entry])).toEqual([
      [2, { ...second, input: null }],
      [3, { ...result, ...call, content: '' }],
      [4, fourth],
      [5, { ...fifth, content: '' }],
      [6, sixth],
    ]);
    expect([third?.type, ledger.last]).toEqual(['tool.result', sixth]);
  });

  it('never overwrites the ledger of another run', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    await writeFile(file, 'older\n');
    const ledger = openRunLedger(file, { now, redact: (text) => text });
    ledger.record({ type: 'turn.started', turn: 1 });
    await expect(ledger.close()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('older\n');
  });

  it('ends at its size limit with a record of the cut, and still gets counts, changes and the end', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    const written: (number | null)[] = [];
    const ledger = openRunLedger(file, {
      ...{ now, redact: (text) => text, mostBytes: 2_000 },
      onEntry: (_, line) => written.push(line?.seq ?? null),
    });
    const note = (size: number): RunEntry => ({
      ...{ type: 'diagnostic', level: 'info', message: 'x'.repeat(size) },
    });
    const change: RunEntry = {
      type: 'change',
      change: {
        ...{ path: 'a.txt', kind: 'modify', before: 'b', after: 'a', diff: 'x'.repeat(5_000) },
        ...{ risk: 'low', validation: 'unchecked', tool: 'edit_file', call_id: 'c' },
      },
    };
    const finished: RunEntry = {
      ...{ type: 'run.finished', conclusion: 'success', answer: 'x'.repeat(3_000), stop: null },
      ...{ turns: 1, usage: { input: 1, output: 1, cache_read: 0, cache_write: 0 } },
      ...{ cost_usd: 0, duration_ms: 1 },
    };
    const turn: RunEntry = { type: 'turn.started', turn: 2 };
    const all = [note(1_360), note(1_000), note(1), change, turn, finished];
    for (const entry of all) ledger.record(entry);
    const end = await ledger.close();
    const message =
      'The record of this run was cut: its ledger reached 0.002 MB (records.ledgerMegabytes). The run went on without it.';
    const cut = { type: 'cut', limit_bytes: 2_000, message };
    const short = change.type === 'change' ? { ...change, change: { ...change.change, diff: '' } } : change;
    expect((await readRunLedger(file)).map(({ entry }) => entry)).toEqual([
      ...[note(1_360), cut, short, finished],
    ]);
    expect({ written, end: end.entries, problems: (await verifyLedger(file, null)).problems }).toEqual({
      ...{ written: [1, null, null, 3, null, 4], end: 4, problems: [] },
    });
    expect(ledger.lines.map(({ entry }) => entry)).toEqual([
      ...[note(1_360), cut, note(1_000), note(1), short, turn, finished],
    ]);
  });

  it('can be read if a crash cut off its last line', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    const ledger = openRunLedger(file, { now, redact: (text) => text });
    ledger.record({ type: 'turn.started', turn: 1 });
    await ledger.close();
    await appendFile(file, '{"v":1,"seq":2,"at":"2026');
    expect(await readRunLedger(file)).toEqual(ledger.lines);
  });

  it('is refused if a line in the middle is damaged, with file and line', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    await writeFile(file, 'nonsense\n{}\n');
    const reading = readRunLedger(file);
    await expect(reading).rejects.toBeInstanceOf(ConfigError);
    await expect(reading).rejects.toMatchObject({
      message: `${file}, line 1: not an entry of a run ledger.`,
      file,
    });
  });
});
