import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneRunFolders, pruneRuns } from '../../../src/workspace/storage/prune-runs.ts';

const now = Date.UTC(2026, 10, 22);
const day = 86_400_000;
let root: string;
/** The folder of one repository's runs. */
let base: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'anode-prune-'));
  base = path.join(root, '42.7.0');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Makes a run's folder with a ledger of this size, last written some days ago. */
function leave(place: string, daysAgo: number, bytes = 10): void {
  const folder = path.join(base, place);
  mkdirSync(path.join(folder, 'spill'), { recursive: true });
  writeFileSync(path.join(folder, 'ledger.jsonl'), 'x'.repeat(bytes));
  const at = new Date(now - daysAgo * day);
  for (const one of ['ledger.jsonl', 'spill', '']) utimesSync(path.join(folder, one), at, at);
}

async function prune(maxDays: number, maxBytes = Number.POSITIVE_INFINITY) {
  const problems: unknown[] = [];
  const removed = await pruneRuns(
    root,
    { maxAgeMs: maxDays * day, maxBytes },
    { now, onProblem: (error) => problems.push(error) },
  );
  return { removed, problems };
}

const there = (...places: string[]) => places.filter((place) => existsSync(path.join(base, place)));

it('deletes runs of any attempt that are too old, and no others', async () => {
  leave('attempt/run_old', 31);
  leave('attempt-2/run_old', 40);
  leave('attempt/run_new', 29);
  expect(await prune(30)).toEqual({ removed: 2, problems: [] });
  expect(there('attempt/run_old', 'attempt-2/run_old', 'attempt/run_new/ledger.jsonl')).toEqual([
    'attempt/run_new/ledger.jsonl',
  ]);
});

it('deletes the oldest runs until the rest is small enough', async () => {
  for (const [index, daysAgo] of [1, 2, 3, 4].entries()) leave(`attempt/run_${index}`, daysAgo, 1_000);
  expect(await prune(30, 2_500)).toEqual({ removed: 2, problems: [] });
  expect(there('attempt/run_0', 'attempt/run_1', 'attempt/run_2', 'attempt/run_3')).toEqual([
    'attempt/run_0',
    'attempt/run_1',
  ]);
});

it('never deletes a run that may still be running, however large it is', async () => {
  leave('attempt/run_now', 0.1, 5_000);
  leave('attempt/run_before', 2, 10);
  expect(await prune(1, 1_000)).toEqual({ removed: 1, problems: [] });
  expect(there('attempt/run_now', 'attempt/run_before')).toEqual(['attempt/run_now']);
});

it('uses the newest file of a run as its age, since its folder does not change', async () => {
  leave('attempt/run_long', 40);
  utimesSync(path.join(base, 'attempt/run_long/ledger.jsonl'), new Date(now), new Date(now));
  expect(await prune(30)).toEqual({ removed: 0, problems: [] });
});

it('deletes only folders of runs, and follows no link', async () => {
  leave('attempt/notes', 99);
  leave('other/run_1', 99);
  leave('elsewhere', 99);
  mkdirSync(path.join(base, 'attempt-2'));
  symlinkSync(path.join(base, 'elsewhere'), path.join(base, 'attempt-2', 'run_link'));
  leave('attempt/run_1', 99);
  symlinkSync(path.join(base, 'elsewhere'), path.join(base, 'attempt', 'run_1', 'link'));
  const at = new Date(now - 99 * day);
  utimesSync(path.join(base, 'attempt', 'run_1'), at, at);
  // The link itself is new, and the newest file decides the age of a run.
  const later = now + 31 * day;
  const removed = await pruneRuns(
    root,
    { maxAgeMs: 30 * day, maxBytes: 1e9 },
    { now: later + Date.now(), onProblem: () => {} },
  );
  expect({
    removed,
    left: there(
      'attempt/notes',
      'other/run_1',
      'elsewhere/ledger.jsonl',
      'attempt-2/run_link',
      'attempt/run_1',
    ),
  }).toEqual({
    removed: 1,
    left: ['attempt/notes', 'other/run_1', 'elsewhere/ledger.jsonl', 'attempt-2/run_link'],
  });
});

it('deletes nothing if there was no run', async () => {
  expect(
    await pruneRuns(path.join(base, 'nowhere'), { maxAgeMs: 1, maxBytes: 1 }, { now, onProblem: () => {} }),
  ).toBe(0);
});

it('does not delete runs of exactly the allowed size, including files in folders', async () => {
  const lay = () => {
    leave('attempt/run_new', 1, 1_000);
    leave('attempt/run_old', 2, 1_000);
    writeFileSync(path.join(base, 'attempt/run_old/spill/out'), 'x'.repeat(500));
    const at = new Date(now - 2 * day);
    utimesSync(path.join(base, 'attempt/run_old/spill'), at, at);
  };
  lay();
  const kept = await prune(30, 2_500);
  expect([kept, await prune(30, 2_499), there('attempt/run_new', 'attempt/run_old')]).toEqual([
    { removed: 0, problems: [] },
    { removed: 1, problems: [] },
    ['attempt/run_new'],
  ]);
});

it('deletes runs over 30 days old, and for size those at least six hours old', async () => {
  leave('attempt/run_edge', 30);
  const edge = await prune(30);
  leave('attempt/run_edge', 30 + 1 / day);
  leave('attempt/run_hours', 0.25);
  leave('attempt/run_before', 0.25 - 1 / day);
  expect([
    edge,
    await prune(30, 0),
    there('attempt/run_edge', 'attempt/run_hours', 'attempt/run_before'),
  ]).toEqual([{ removed: 0, problems: [] }, { removed: 2, problems: [] }, ['attempt/run_before']]);
});

it('recognises attempts and runs by their whole names', async () => {
  const others = [
    'attempts/run_1',
    'attempt-x/run_1',
    'my-attempt/run_1',
    'attempt/run_',
    'attempt/my_run_1',
    'attempt/run_1.x',
  ];
  for (const place of [...others, 'attempt-12/run_a1']) leave(place, 99);
  expect([await prune(30), there(...others, 'attempt-12/run_a1')]).toEqual([
    { removed: 1, problems: [] },
    others,
  ]);
});

const pruneRecords = (maxBytes: number) =>
  pruneRunFolders(
    base,
    { maxAgeMs: 30 * day, maxBytes },
    { now, measured: true, onProblem: () => undefined },
  );
/** Changes a file in a record; its folder keeps its time. */
const grow = (run: string, bytes: number) =>
  writeFileSync(path.join(base, run, 'ledger.jsonl'), 'x'.repeat(bytes));

it('measures a record once, and again when something was added to it', async () => {
  for (const [index, daysAgo] of [1, 2, 3].entries()) leave(`run_${index}`, daysAgo, 1_000);
  expect(await pruneRecords(5_000)).toBe(0);
  grow('run_0', 9_000);
  expect([await pruneRecords(5_000), there('run_0', 'run_1', 'run_2')]).toEqual([
    ...[0, ['run_0', 'run_1', 'run_2']],
  ]);
  writeFileSync(path.join(base, 'run_0', 'replay.json'), 'x');
  expect([await pruneRecords(5_000), there('run_0', 'run_1', 'run_2')]).toEqual([2, ['run_0']]);
});

it('does not store the size of a record that may still be copied', async () => {
  leave('run_old', 2, 1_000);
  leave('run_fresh', 0.01, 1_000);
  expect(await pruneRecords(5_000)).toBe(0);
  grow('run_fresh', 9_000);
  expect([await pruneRecords(5_000), there('run_fresh', 'run_old')]).toEqual([1, ['run_fresh']]);
});

it('measures anew where the stored sizes are damaged, or a link', async () => {
  const sizes = path.join(base, '.sizes.json');
  leave('run_0', 1, 4_000);
  leave('run_1', 2, 4_000);
  writeFileSync(sizes, '{"run_0":{"bytes":-1}}');
  const theirs = path.join(root, 'theirs.json');
  writeFileSync(theirs, '{}');
  expect(await pruneRecords(10_000)).toBe(0);
  rmSync(sizes);
  symlinkSync(theirs, sizes);
  expect([await pruneRecords(5_000), readFileSync(theirs, 'utf8')]).toEqual([1, '{}']);
});
