import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRunLedger } from '../../src/agent/read-run-ledger.ts';
import { openRunLedger } from '../../src/agent/run-ledger.ts';
import { ConfigError } from '../../src/contract/errors.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-ledger-'));
});
afterEach(() => rm(folder, { recursive: true }));

const now = () => new Date('2026-01-02T03:04:05.000Z');

describe('the run ledger', () => {
  it('keeps every entry, numbered, stamped and redacted, in memory and in the file', async () => {
    const file = path.join(folder, 'deep', 'ledger.jsonl');
    const ledger = openRunLedger(file, { now, redact: (text) => text.replaceAll('hunter22', '[redacted]') });
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
    expect(ledger.lines).toEqual(expected);
    expect(await readRunLedger(file)).toEqual(expected);
  });

  it('never writes over the record of another run', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    await writeFile(file, 'older\n');
    const ledger = openRunLedger(file, { now, redact: (text) => text });
    ledger.record({ type: 'turn.started', turn: 1 });
    await expect(ledger.close()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('older\n');
  });

  it('reads a record whose last line a crash cut off', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    const ledger = openRunLedger(file, { now, redact: (text) => text });
    ledger.record({ type: 'turn.started', turn: 1 });
    await ledger.close();
    await appendFile(file, '{"v":1,"seq":2,"at":"2026');
    expect(await readRunLedger(file)).toEqual(ledger.lines);
  });

  it('refuses a record with a damaged line in the middle, naming file and line', async () => {
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
