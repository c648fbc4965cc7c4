import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { localRunsFolder } from './local-folders.ts';

/** Returns the record folder of a local run: its own, else its copy in the checkout. */
export function recordOf(runId: string, root: string): string | null {
  const places = [path.join(localRunsFolder(), runId), path.join(root, harnessFolder, runId)];
  return places.find((folder) => existsSync(path.join(folder, 'ledger.jsonl'))) ?? null;
}

/** Describes the newest runs of a checkout, for errors about a missing run. */
export async function knownRuns(root: string): Promise<string> {
  const names = await readdir(path.join(root, harnessFolder)).catch(() => []);
  const runs = names.filter((name) => name.startsWith('run_')).sort();
  if (runs.length === 0) return `No run has left its record in ${root}.`;
  return `The newest runs here: ${runs.slice(-5).reverse().join(', ')}.`;
}
