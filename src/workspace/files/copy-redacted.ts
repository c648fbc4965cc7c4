import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { longestSecret } from '../../redaction/longest-secret.ts';
import { createRedactStream } from '../../redaction/redact-stream.ts';

/** What of one file is copied. To look for secrets takes far longer than to copy, and output can have no end. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Copies a text file to `to`, which must not exist, with `redact` applied to parts between which no secret stands, so
 * that a file of any size takes little memory. Of one with more than 8 MiB the beginning is copied, and the end says how
 * much is missing.
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
