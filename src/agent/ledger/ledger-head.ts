import { createHmac, timingSafeEqual } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { LedgerEnd } from './open-run-ledger.ts';

/**
 * The end of a run ledger, in a file beside it. Without the key of its HMAC no matching head for
 * changed lines can be written.
 */
export const LedgerHead = z.object({
  v: z.literal(1),
  entries: z.int().nonnegative(),
  /** SHA-256 (hex) of the last line, which names the line before, and so on; null for no line. */
  sha256: z.string().nullable(),
  /** HMAC-SHA256 (hex) of both under the operator's `ANODE_LEDGER_KEY`; null without a key. */
  hmac: z.string().nullable(),
});
export type LedgerHead = z.infer<typeof LedgerHead>;

/** Writes the head of a closed ledger beside it, signed if there is a key. */
export async function writeLedgerHead(
  ledgerFile: string,
  end: LedgerEnd,
  key: string | undefined,
): Promise<void> {
  const head: LedgerHead = { v: 1, ...end, hmac: key === undefined ? null : headHmac(end, key) };
  await writeFile(headFile(ledgerFile), `${JSON.stringify(head)}\n`, { mode: 0o600 });
}

/** Returns true if the key made this head. Compares in constant time. */
export function isHeadSigned(head: LedgerHead, key: string): boolean {
  const [expected, actual] = [Buffer.from(headHmac(head, key)), Buffer.from(head.hmac ?? '')];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function headHmac({ entries, sha256 }: LedgerEnd, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['anode-ledger-head', entries, sha256]))
    .digest('hex');
}

/** Returns the file of the head beside a ledger. */
export function headFile(ledgerFile: string): string {
  return path.join(path.dirname(ledgerFile), 'ledger.head.json');
}
