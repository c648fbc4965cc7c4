import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Where a local run that waits for approval keeps the digest of its session, outside the checkout. */
export function localSessionKey(runId: string): string {
  return `waiting-session/${runId}`;
}

/** The SHA-256 (hex) of a file. */
export async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
