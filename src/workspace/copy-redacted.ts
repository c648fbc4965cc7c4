import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import * as path from 'node:path';

/** A line longer than this many characters is taken apart. */
const longestLine = 4 * 1024 * 1024;

/**
 * Copies a text file to `to`, which must not exist, with `redact` applied to runs of whole lines, so that a file
 * of any size takes little memory.
 */
export async function copyRedacted(
  from: string,
  to: string,
  redact: (text: string) => string,
): Promise<void> {
  const target = await open(path.resolve(to), 'wx', 0o600);
  try {
    let rest = '';
    for await (const chunk of createReadStream(from, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
      rest += String(chunk);
      const whole = rest.length > longestLine ? rest.length : rest.lastIndexOf('\n') + 1;
      await target.write(redact(rest.slice(0, whole)));
      rest = rest.slice(whole);
    }
    await target.write(redact(rest));
  } finally {
    await target.close();
  }
}
