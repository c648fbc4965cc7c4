import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { createRedactStream } from '../../redaction/redact-stream.ts';
import { longestSecret } from '../../redaction/secret-forms.ts';

/** Bytes copied per file. Redaction is far slower than copying, and output may be endless. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Copies a text file to `to`, which must not exist, and redacts it in chunks that never split a
 * secret. Memory use does not depend on the size. Beyond 8 MiB only the beginning is copied, with a
 * note on how much is missing.
 */
export async function copyRedacted(
  from: string,
  to: string,
  redact: (text: string) => string,
): Promise<void> {
  const target = await open(path.resolve(to), 'wx', 0o600);
  try {
    const stream = createRedactStream(redact, longestSecret);
    const reading = { encoding: 'utf8', highWaterMark: 1024 * 1024, end: mostBytes - 1 } as const;
    for await (const chunk of createReadStream(from, reading)) await target.write(stream.push(String(chunk)));
    await target.write(stream.end());
    const left = (await stat(from)).size - mostBytes;
    if (left > 0) await target.write(`\n[${left} more bytes were not copied into this record]\n`);
  } finally {
    await target.close();
  }
}
