import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Decision } from '../contract/decision.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';

/** Evidence of one tool call, made from the run ledger. */
export const Receipt = z.object({
  v: z.literal(1),
  /** The run, or the child run, whose model asked for the call. */
  requested_by: z.string(),
  call_id: z.string(),
  tool: z.string(),
  /** One line for a person: the path, the command, the pattern. */
  what: z.string(),
  input: z.json(),
  /** True if a secret was removed from `input`, so that the call cannot be repeated. */
  input_redacted: z.boolean(),
  /** The gate's decision with its rule; null for a call that was not understood. */
  decision: Decision.nullable(),
  /** Null if the run ended before the call did. */
  result: z
    .object({
      ok: z.boolean(),
      error_kind: z.string().nullable(),
      /** SHA-256 (hex) of the text that the model got. */
      sha256: z.string(),
      characters: z.int(),
      /** File with the whole output, if it exceeded the model's budget. */
      spill: z.string().nullable(),
      duration_ms: z.number(),
    })
    .nullable(),
  /** Time of the call. */
  at: z.iso.datetime(),
});
export type Receipt = z.infer<typeof Receipt>;

/** Returns the SHA-256 (hex) of a text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Makes a receipt of each call in a ledger, in the order of the calls, those of children included.
 */
export async function foldReceipts(
  lines: AsyncIterable<RunLedgerLine> | Iterable<RunLedgerLine>,
): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  const open = new Map<string, number>();
  let runId = '';
  for await (const { entry, at } of lines) {
    if (entry.type === 'run.started') runId = entry.run_id;
    const [requestedBy, inner] =
      entry.type === 'child_run.entry' ? [entry.child_run_id, entry.entry] : [runId, entry];
    const key = 'call_id' in inner ? `${requestedBy}/${inner.call_id}` : '';
    if (inner.type === 'tool.call') {
      open.set(key, receipts.length);
      receipts.push(receiptOf(inner, requestedBy, at));
    }
    const index = open.get(key);
    const begun = index === undefined ? undefined : receipts[index];
    if (inner.type !== 'tool.result' || index === undefined || begun === undefined) continue;
    open.delete(key);
    receipts[index] = { ...begun, result: resultOf(inner) };
  }
  return receipts;
}

type Call = Extract<RunEntry, { type: 'tool.call' }>;
type Result = Extract<RunEntry, { type: 'tool.result' }>;

function receiptOf({ call_id, tool, what, input, decision }: Call, requestedBy: string, at: string): Receipt {
  const input_redacted = JSON.stringify(input).includes('[redacted]');
  return {
    v: 1,
    requested_by: requestedBy,
    call_id,
    tool,
    what,
    input,
    input_redacted,
    decision,
    result: null,
    at,
  };
}

function resultOf({ ok, error_kind, content, spill, duration_ms }: Result): Receipt['result'] {
  return { ok, error_kind, sha256: textHash(content), characters: content.length, spill, duration_ms };
}
