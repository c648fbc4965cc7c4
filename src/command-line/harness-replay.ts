import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import type { JsonObject } from '../contract/json.ts';
import { inspectRun, timing } from '../evidence/inspect-run.ts';
import { classifyForReplay, type ReplayStep } from '../evidence/plan-replay.ts';
import { textHash } from '../evidence/receipts.ts';
import type { HarnessRequest } from './harness-request.ts';
import { localConfig } from './local-config.ts';
import { openLocalTools } from './local-tools.ts';
import { logLine } from './log-line.ts';
import { useOneTool } from './use-one-tool.ts';

/** A recorded call with the result of its repetition; null if it was not repeated. */
interface Replayed extends ReplayStep {
  readonly outcome: 'same' | 'different' | 'failed' | null;
  /** SHA-256 (hex) of the new text, or the error. */
  readonly now: string | null;
}

/**
 * Runs `anode harness replay RUN`. Classifies the recorded calls; with `--execute-read-only` it
 * repeats those that only read inside the checkout, and compares their text with the record. The
 * result is saved in the record as `replay-<time>.json`. Exit code 1 if an output differs.
 */
export async function replayRun(request: HarnessRequest, folder: string): Promise<number> {
  const lines = await readRunLedger(path.join(folder, 'ledger.jsonl'));
  const { recorded, finished, started, receipts } = await inspectRun(lines);
  const execute = request.values['execute-read-only'] === true;
  const opened = await openTools(request);
  const replayed: Replayed[] = [];
  try {
    const known = new Set((await opened.set.all()).map(({ name }) => name));
    for (const receipt of receipts) {
      const step = classifyForReplay(receipt, known);
      const repeated =
        execute && step.kind === 'read-only' ? await repeat(step, request, opened) : notRepeated;
      replayed.push({ ...step, ...repeated });
    }
  } finally {
    await opened.close();
  }
  const differing = replayed.filter(({ outcome }) => outcome === 'different' || outcome === 'failed');
  const artifact = {
    ...{ v: 1, run_id: started?.run_id ?? path.basename(folder), executed: execute },
    ...{ recorded: timing(recorded, finished), differing: differing.length, steps: replayed },
  };
  const file = path.join(folder, `replay-${new Date().toISOString().replaceAll(':', '')}.json`);
  if (execute) await writeFile(file, `${JSON.stringify(artifact, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  request.print(artifact, () => textOf(artifact, execute ? file : null));
  return differing.length === 0 ? 0 : 1;
}

const notRepeated = { outcome: null, now: null } as const;

type OpenedTools = Awaited<ReturnType<typeof openTools>>;

async function openTools({ root, values, context }: HarnessRequest) {
  const named = typeof values.config === 'string' ? values.config : undefined;
  const config = await localConfig(named, context.environment);
  const tools = await openLocalTools({ ...context, root, profile: null, config, sandbox: 'preferred' });
  return { ...tools, config };
}

async function repeat(
  { receipt }: ReplayStep,
  { root, context }: HarnessRequest,
  { set, config }: OpenedTools,
): Promise<Pick<Replayed, 'outcome' | 'now'>> {
  const used = await useOneTool({
    ...{ name: receipt.tool, input: receipt.input as JsonObject, tools: set, root, start: '', cwd: null },
    ...{ config, sandbox: 'preferred', levels: ['auto_read'], discard: true },
    ...{ environment: context.environment, signal: context.signal },
    ask: () => Promise.reject(new Error('A replay asks nobody.')),
  });
  if (!used.ok) return { outcome: 'failed', now: used.error.message };
  const now = textHash(typeof used.content === 'string' ? used.content : textParts(used.content));
  return { outcome: now === receipt.result?.sha256 ? 'same' : 'different', now };
}

function textParts(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap(({ text }) => text ?? []).join('\n');
}

function textOf(
  {
    recorded,
    steps,
    differing,
    executed,
  }: {
    readonly recorded: string;
    readonly steps: readonly Replayed[];
    readonly differing: number;
    readonly executed: boolean;
  },
  file: string | null,
): string {
  const lines = steps.map(({ receipt, kind, reason, outcome }) => {
    const result = outcome === null ? kind : `${kind}, ${outcomes[outcome]}`;
    return logLine(`${receipt.call_id} ${receipt.tool} ${receipt.what}: ${result}. ${reason}`);
  });
  const count = (kind: ReplayStep['kind']) => steps.filter((step) => step.kind === kind).length;
  const sum = `${steps.length} calls: ${count('read-only')} read-only, ${count('inspect-only')} to inspect, ${count('skipped')} skipped.`;
  const end = executed
    ? `${differing} differ from the record. Saved: ${file}`
    : 'Nothing was run; --execute-read-only repeats the read-only calls.';
  return [`Recorded: ${recorded}`, ...lines, sum, end].join('\n');
}

const outcomes = {
  same: 'same output',
  different: 'the output differs',
  failed: 'it failed now',
} as const;
