import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';

/**
 * The end of a run ledger, in a file beside it. Without the key of its HMAC nobody can write a
 * matching head for changed lines.
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

/** Returns the SHA-256 (hex) of a line without its line end: `prev` of the next line. */
export function lineHash(line: string | Buffer): string {
  return createHash('sha256').update(line).digest('hex');
}

/** Makes the head of a ledger of so many lines that ends with this hash. */
export function makeLedgerHead(entries: number, sha256: string | null, key: string | null): LedgerHead {
  return { v: 1, entries, sha256, hmac: key === null ? null : headHmac(entries, sha256, key) };
}

/** Returns true if the key made this head. Compares in constant time. */
export function isHeadSigned({ entries, sha256, hmac }: LedgerHead, key: string): boolean {
  const [expected, actual] = [Buffer.from(headHmac(entries, sha256, key)), Buffer.from(hmac ?? '')];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function headHmac(entries: number, sha256: string | null, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['anode-ledger-head', entries, sha256]))
    .digest('hex');
}

/** Returns the file of the head beside a ledger. */
export function headFile(ledgerFile: string): string {
  return path.join(path.dirname(ledgerFile), 'ledger.head.json');
}
