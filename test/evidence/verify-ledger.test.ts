import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headFile, writeLedgerHead } from '../../src/agent/ledger/ledger-head.ts';
import { lineHash, openRunLedger } from '../../src/agent/ledger/open-run-ledger.ts';
import { verifyLedger } from '../../src/evidence/verify-ledger.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-verify-'));
  file = path.join(folder, 'ledger.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

const now = () => new Date('2026-01-02T03:04:05.000Z');

async function writeLedger(headKey?: string): Promise<string[]> {
  const ledger = openRunLedger(file, { now, redact: (text) => text });
  for (const turn of [1, 2, 3]) ledger.record({ type: 'turn.started', turn });
  await writeLedgerHead(file, await ledger.close(), headKey);
  return (await readFile(file, 'utf8')).split('\n').slice(0, 3);
}

const problems = async (key: string | null = null) => (await verifyLedger(file, key)).problems;

test('accepts an unchanged ledger with the key that signed its end', async () => {
  const lines = await writeLedger('key-of-the-operator');
  const head = lineHash(lines[2] ?? '');
  expect(await verifyLedger(file, 'key-of-the-operator')).toEqual({
    ...{ entries: 3, head, truncated: false, problems: [], signature: 'signed' },
  });
  expect((await verifyLedger(file, null)).signature).toBe('unchecked');
});

test('names the line after a changed one', async () => {
  const [first, second = '', third] = await writeLedger();
  await writeFile(file, [first, second.replace('"turn":2', '"turn":7'), third, ''].join('\n'));
  expect(await problems()).toEqual(['Line 3: the line before it is not the one that was written.']);
});

test('finds a changed last line by the head', async () => {
  const [first, second, third = ''] = await writeLedger();
  await writeFile(file, [first, second, third.replace('"turn":3', '"turn":7'), ''].join('\n'));
  expect(await problems()).toEqual([
    'The head names 3 lines with another end: lines were changed, added or removed.',
  ]);
});

test('finds a removed line', async () => {
  const [first, , third] = await writeLedger();
  await writeFile(file, [first, third, ''].join('\n'));
  expect(await problems()).toEqual([
    'Line 2: its number is 3, so that lines are missing or were added.',
    'The head names 3 lines with another end: lines were changed, added or removed.',
  ]);
});

test('rejects a ledger that was rewritten without the key', async () => {
  await writeLedger('key-of-somebody-else');
  expect(await problems('key-of-the-operator')).toEqual([
    'Another key signed the head, or the head was changed.',
  ]);
  await rm(folder, { recursive: true });
  await writeLedger();
  expect(await problems('key-of-the-operator')).toEqual(['The head is not signed, although a key is given.']);
});

test('reads the ledger of a killed run, whose last line is incomplete', async () => {
  const [first, second, third = ''] = await writeLedger();
  await writeFile(file, [first, second, third.slice(0, 20)].join('\n'));
  await rm(headFile(file));
  expect(await verifyLedger(file, null)).toEqual({
    ...{ entries: 2, head: lineHash(second ?? ''), truncated: true, problems: [], signature: 'absent' },
  });
});

test('names lines that are no entries, and an unreadable head', async () => {
  await writeLedger();
  await writeFile(file, 'not json\n');
  await writeFile(headFile(file), '{}');
  expect(await problems()).toEqual([
    'Line 1: it is no entry of a run ledger.',
    'The head beside the ledger cannot be read.',
  ]);
});
