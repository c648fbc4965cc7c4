import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import * as path from 'node:path';
import { createRedactStream } from '../permissions/redaction/redact-stream.ts';

/** No secret is longer than this many characters, however it is written. */
const heldBack = 16 * 1024;

/**
 * Copies a text file to `to`, which must not exist, with `redact` applied to parts between which no secret stands, so
 * that a file of any size takes little memory.
 */
export async function copyRedacted(
  from: string,
  to: string,
  redact: (text: string) => string,
): Promise<void> {
  const target = await open(path.resolve(to), 'wx', 0o600);
  try {
    const stream = createRedactStream(redact, heldBack);
    for await (const chunk of createReadStream(from, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
      await target.write(stream.push(String(chunk)));
    }
    await target.write(stream.end());
  } finally {
    await target.close();
  }
}
