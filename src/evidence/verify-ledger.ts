import { readFile } from 'node:fs/promises';
import { headFile, isHeadSigned, LedgerHead } from '../agent/ledger/ledger-head.ts';
import { lineHash } from '../agent/ledger/open-run-ledger.ts';
import { ledgerRows } from '../agent/ledger/read-run-ledger.ts';
import { parseJson } from '../contract/json.ts';
import { RunLedgerLine } from '../contract/run-ledger.ts';

/** Result of checking the hash chain of a ledger. */
export interface LedgerVerdict {
  /** Whole lines in the file. */
  readonly entries: number;
  /** SHA-256 (hex) of the last line; null without a line. */
  readonly head: string | null;
  /**
   * `signed`: by the given key. `unsigned`: no HMAC. `unchecked`: an HMAC, but no key. `absent`: no
   * head.
   */
  readonly signature: 'signed' | 'unsigned' | 'unchecked' | 'absent';
  /** True if a crash cut off the last line, which the chain does not contain. */
  readonly truncated: boolean;
  /** Sentences, each with its line, for people. Empty if the record is as it was written. */
  readonly problems: readonly string[];
}

/**
 * Checks that a ledger is as it was written: every line numbered and chained, and the head beside
 * it equal to the last line. With `key`, the head must have been signed by it. A run that was
 * killed has no head; then only the chain is checked.
 */
export async function verifyLedger(file: string, key: string | null): Promise<LedgerVerdict> {
  const chain = await checkChain(file);
  const head = await readHead(file);
  const problems = [...chain.problems, ...headProblems(chain, head, key)];
  return {
    entries: chain.entries,
    head: chain.head,
    truncated: chain.truncated,
    problems,
    signature: signatureOf(head, key),
  };
}

type Chain = Pick<LedgerVerdict, 'entries' | 'head' | 'truncated' | 'problems'>;

async function checkChain(file: string): Promise<Chain> {
  const problems: string[] = [];
  let [entries, truncated] = [0, false];
  let head: string | null = null;
  for await (const { text, ended } of ledgerRows(file)) {
    if (!ended) {
      truncated = true;
      break;
    }
    entries += 1;
    const problem = lineProblem(RunLedgerLine.safeParse(parseJson(text)).data, entries, head);
    if (problem !== null) problems.push(`Line ${entries}: ${problem}`);
    head = lineHash(text);
  }
  return { entries, head, truncated, problems };
}

function lineProblem(line: RunLedgerLine | undefined, number: number, before: string | null): string | null {
  if (line === undefined) return 'it is no entry of a run ledger.';
  if (line.seq !== number) return `its number is ${line.seq}, so that lines are missing or were added.`;
  if (line.prev === undefined) return 'it names no line before it: a version without a chain wrote it.';
  return line.prev === before ? null : 'the line before it is not the one that was written.';
}

/** Reads the head beside a ledger: null if it is missing, `invalid` if it is no head. */
async function readHead(file: string): Promise<LedgerHead | null | 'invalid'> {
  const text = await readFile(headFile(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (LedgerHead.safeParse(parseJson(text)).data ?? 'invalid');
}

function headProblems(chain: Chain, head: LedgerHead | null | 'invalid', key: string | null): string[] {
  if (head === null) return [];
  if (head === 'invalid') return ['The head beside the ledger cannot be read.'];
  const isSame = head.entries === chain.entries && head.sha256 === chain.head;
  const ends = isSame
    ? []
    : [`The head names ${head.entries} lines with another end: lines were changed, added or removed.`];
  if (key === null) return ends;
  if (head.hmac === null) return [...ends, 'The head is not signed, although a key is given.'];
  return isHeadSigned(head, key) ? ends : [...ends, 'Another key signed the head, or the head was changed.'];
}

function signatureOf(head: LedgerHead | null | 'invalid', key: string | null): LedgerVerdict['signature'] {
  if (head === null) return 'absent';
  if (head === 'invalid' || head.hmac === null) return 'unsigned';
  return key === null ? 'unchecked' : 'signed';
}
