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

test('Accepts a record as it was written, with the key that signed its end', async () => {
  const lines = await writeLedger('key-of-the-operator');
  const head = lineHash(lines[2] ?? '');
  expect(await verifyLedger(file, 'key-of-the-operator')).toEqual({
    ...{ entries: 3, head, truncated: false, problems: [], signature: 'signed' },
  });
  expect((await verifyLedger(file, null)).signature).toBe('unchecked');
});

test('Names the line behind a changed one, and the end', async () => {
  const [first, second = '', third] = await writeLedger();
  await writeFile(file, [first, second.replace('"turn":2', '"turn":7'), third, ''].join('\n'));
  expect(await problems()).toEqual(['Line 3: the line before it is not the one that was written.']);
});

test('Notices a changed last line by the head', async () => {
  const [first, second, third = ''] = await writeLedger();
  await writeFile(file, [first, second, third.replace('"turn":3', '"turn":7'), ''].join('\n'));
  expect(await problems()).toEqual([
    'The head names 3 lines with another end: lines were changed, added or removed.',
  ]);
});

test('Notices a removed line', async () => {
  const [first, , third] = await writeLedger();
  await writeFile(file, [first, third, ''].join('\n'));
  expect(await problems()).toEqual([
    'Line 2: its number is 3, so that lines are missing or were added.',
    'The head names 3 lines with another end: lines were changed, added or removed.',
  ]);
});

test('Rejects a record that was written anew without the key', async () => {
  await writeLedger('key-of-somebody-else');
  expect(await problems('key-of-the-operator')).toEqual([
    'Another key signed the head, or the head was changed.',
  ]);
  await rm(folder, { recursive: true });
  await writeLedger();
  expect(await problems('key-of-the-operator')).toEqual(['The head is not signed, although a key is given.']);
});

test('Reads the record of a killed run, whose last line is cut off', async () => {
  const [first, second, third = ''] = await writeLedger();
  await writeFile(file, [first, second, third.slice(0, 20)].join('\n'));
  await rm(headFile(file));
  expect(await verifyLedger(file, null)).toEqual({
    ...{ entries: 2, head: lineHash(second ?? ''), truncated: true, problems: [], signature: 'absent' },
  });
});

test('Names lines that are no entries, and a head that cannot be read', async () => {
  await writeLedger();
  await writeFile(file, 'not json\n');
  await writeFile(headFile(file), '{}');
  expect(await problems()).toEqual([
    'Line 1: it is no entry of a run ledger.',
    'The head beside the ledger cannot be read.',
  ]);
});
