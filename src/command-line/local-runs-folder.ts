import os from 'node:os';
import path from 'node:path';

/** Where local runs keep their folders: outside every checkout, one place for each user of the machine. */
export function localRunsFolder(): string {
  return path.join(os.tmpdir(), `anode-runs-${process.getuid?.()}`);
}
