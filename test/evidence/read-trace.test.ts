import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TraceEvent } from '../../src/contract/run-trace.ts';
import { describeTrace, readTrace, summariseTrace } from '../../src/evidence/read-trace.ts';

let file: string;
beforeEach(async () => {
  file = path.join(await mkdtemp(path.join(os.tmpdir(), 'anode-trace-')), 'trace.jsonl');
});
afterEach(() => rm(path.dirname(file), { recursive: true }));

const line = (second: number, event: TraceEvent) => ({
  ...{ v: 1, at: `2026-01-02T03:04:0${second}.000Z`, event },
});
const turn = line(1, { type: 'ledger', entry: 'turn.started', seq: 1 });
const text = (second: number, piece: string) => line(second, { type: 'text.delta', text: piece });

test('reads a trace whose last line was cut off, and counts its text', async () => {
  const lines = [turn, text(3, 'one'), text(4, 'two!'), line(5, { type: 'cut', limit_bytes: 9 })];
  await writeFile(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await appendFile(file, '{"v":1,"at"');
  const read = await readTrace(file);
  const summary = summariseTrace(read ?? []);
  expect([read, summary, describeTrace(summary)]).toEqual([
    lines,
    { events: 4, pieces: 2, characters: 7, first_text_ms: 2_000, cut: true },
    '4 events, 2 pieces of text (7 characters), the first 2000 ms after the first turn began; cut at its size limit',
  ]);
  expect(describeTrace(summariseTrace([turn] as typeof read & object))).toBe('1 events, no streamed text');
});

test('finds no trace of an older run, and refuses a damaged one', async () => {
  expect(await readTrace(file)).toBe(null);
  await writeFile(file, `${JSON.stringify(turn)}\nnonsense\n`);
  await expect(readTrace(file)).rejects.toThrow(`${file}, line 2: not an event of a run.`);
});
