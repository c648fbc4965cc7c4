import os from 'node:os';
import path from 'node:path';

/** Returns the base folder of local runs: outside every checkout, one per user of the machine. */
export function localRunsFolder(): string {
  return path.join(os.tmpdir(), `anode-runs-${process.getuid?.()}`);
}
