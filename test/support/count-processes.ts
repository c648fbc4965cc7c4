import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';

/**
 * Loaded before a program (`--import`): at its end, writes its started processes as JSON to the
 * file in `STARTED_FILE`.
 */
const started: string[][] = [];
subscribe('child_process', (message) => {
  const { process: child } = message as { process: { spawnargs?: string[] } };
  // The program's own words are known only once it has been started.
  process.nextTick(() => started.push(child.spawnargs ?? []));
});
const file = process.env.STARTED_FILE;
process.on('exit', () => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(started));
});
