import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pruneState } from '../../../src/pipeline/finish/prune-state.ts';
import { createFileStateStore } from '../../../src/state/file-state-store.ts';

test('records of old runs and deliveries are deleted, but not those of waiting runs', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-state-'));
  const store = createFileStateStore({ folder, secret: null, onRejected: () => undefined });
  const passing = ['plan/guid', 'told/guid', 'finished/run_1', 'making/run_1/report/1', 'stop/run_1'];
  const longer = ['controls/run_1', 'suggestions/run_1', 'applied/run_1', 'summary-body/1/a'];
  const lasting = ['waiting/1/run_1', 'review/1', 'report/secret', 'asked/run_1'];
  for (const key of [...passing, ...longer, ...lasting]) await store.set(key, '1');
  const after = async (days: number) => {
    await pruneState(store, new Date(Date.now() + days * 86_400_000));
    return store.list('');
  };
  expect([await after(29), await after(31), await after(91)]).toEqual([
    [...passing, ...longer, ...lasting].sort(),
    [...longer, ...lasting].sort(),
    lasting.sort(),
  ]);
  rmSync(folder, { recursive: true });
});
