import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import type { StateStore } from '../../../src/contract/state-store.ts';
import { openRunStores, type RunStores } from '../../../src/run/records/run-stores.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { samplePlan } from '../../reporting/samples.ts';

let base: string;
let store: StateStore;
let entries: RunEntry[];
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'run-stores-'));
  store = createMemoryStateStore();
  entries = [];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const ledger = { record: (entry: RunEntry) => void entries.push(entry) };
const cloneUrl = 'https://github.com/acme/shop.git';

function begin(runId: string, readOnly: boolean): RunStores {
  return openRunStores({
    runId,
    runFolder: path.join(base, runId),
    store,
    readOnly,
    plan: samplePlan({ repository: { ...samplePlan().repository, clone_url: cloneUrl } }),
    resume: null,
    redact: (text) => text,
    now: () => new Date(0),
  });
}

const write = ({ storage }: RunStores, at: string) =>
  storage.change(at, { tool: 'workspace.write_file', callId: 'call_1' }, () => 'text');

test('only a successful run passes on its files', async () => {
  for (const conclusion of ['failure', 'limit', 'waiting', 'cancelled', 'success'] as const) {
    const run = begin(`run_${conclusion}`, false);
    await write(run, `persist/${conclusion}.md`);
    await run.finish(conclusion, ledger);
  }
  const { files } = await begin('run_next', false).storage.open();
  expect(await files.list('persist')).toEqual([{ name: 'success.md', kind: 'file' }]);
  expect(entries).toEqual([]);
});

test('a read-only run leaves neither files nor tasks for later runs', async () => {
  const run = begin('run_1', true);
  await write(run, 'output/a.md');
  await expect(write(run, 'persist/a.md')).rejects.toMatchObject({ kind: 'outside_workspace' });
  await run.tasks.store.set('tasks/x', 'x');
  await run.finish('success', ledger);
  expect([await store.list(''), run.tasks.repositoryUrl]).toEqual([[], 'https://github.com/acme/shop']);
  expect(begin('run_2', false).tasks.store).toBe(store);
});

test("files that could not be stored are recorded without changing the run's result", async () => {
  const run = begin('run_1', false);
  await write(run, 'persist/a.md');
  store.set = () => Promise.reject(new Error('the disk is full'));
  await run.finish('success', ledger);
  expect(entries).toEqual([
    {
      type: 'diagnostic',
      level: 'error',
      message: 'The files of persist/ could not be kept for later runs: the disk is full',
    },
  ]);
});
