import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startPruning } from '../../src/app/prune-regularly.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { createLog } from '../../src/redaction/create-log.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';

it('deletes old runs and abandoned checkouts at start, and stops with the App', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-pruning-'));
  const run = path.join(folder, 'runs', '1.2.0', 'attempt', 'run_old');
  mkdirSync(run, { recursive: true });
  writeFileSync(path.join(run, 'ledger.jsonl'), '');
  const before = new Date(Date.now() - 3 * 86_400_000);
  for (const name of ['ledger.jsonl', '']) utimesSync(path.join(run, name), before, before);
  const checkouts = ['run_left', 'run_new'].map((name) =>
    path.join(folder, 'checkouts', '1.2.0', 'attempt-2', name),
  );
  for (const one of checkouts) mkdirSync(one, { recursive: true });
  utimesSync(checkouts[0] ?? '', before, before);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) }, []);
  const environment = { ANODE_DATA_DIR: folder, ANODE_KEEP_RUNS_DAYS: '2' };
  const swept: string[] = [];
  const sweep = async () => void swept.push('swept');
  await startPruning(readEnvironment(environment), createMemoryStateStore(), sweep, log).stop();
  expect(swept).toEqual(['swept']);
  const there = [run, ...checkouts].map((one) => existsSync(one));
  expect({ there, said: lines.map((line) => JSON.parse(line)) }).toMatchObject({
    there: [false, false, true],
    said: ['runs', 'checkouts'].map((of) => ({
      ...{ removed: 1, folder: of, msg: 'Folders of old runs were deleted.' },
    })),
  });
  rmSync(folder, { recursive: true });
});
