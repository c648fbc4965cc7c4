import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import type { ProvenCommand } from '../contract/run-results.ts';
import { provenCommands } from '../reporting/proven-commands.ts';
import { describeTrace, type TraceSummary } from './read-trace.ts';
import { foldReceipts, type Receipt } from './receipts.ts';

type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** Facts of a run, from its ledger alone. */
export interface RunInspection {
  readonly started: Omit<Entry<'run.started'>, 'type'> | null;
  /** Null for a run before version 1.0.0. */
  readonly provenance: Entry<'provenance'>['provenance'] | null;
  /** Null for a run that was killed. */
  readonly finished: Omit<Entry<'run.finished'>, 'type'> | null;
  /** Times of the first and last entry, ISO 8601; null for an empty ledger. */
  readonly recorded: { readonly from: string; readonly to: string } | null;
  readonly receipts: readonly Receipt[];
  readonly changes: readonly Entry<'change'>['change'][];
  /** Runs of linters and of the command that tries suggestions, with what they printed. */
  readonly validations: readonly Omit<Entry<'validation'>, 'type'>[];
  /** Commands that failed before the first change and passed after the last. */
  readonly proofs: readonly ProvenCommand[];
  readonly refusals: readonly Entry<'refusal'>['refusal'][];
  /** The limit that the ledger reached, and when; null for a whole record. */
  readonly cut: { readonly at: string; readonly limit_bytes: number } | null;
  readonly diagnostics: readonly string[];
}

/** Folds the ledger of a run. */
export async function inspectRun(lines: readonly RunLedgerLine[]): Promise<RunInspection> {
  const entries = lines.map(({ entry }) => entry);
  const found = <Type extends RunEntry['type']>(type: Type) =>
    entries.filter((entry): entry is Entry<Type> => entry.type === type);
  const [first, last] = [lines[0], lines.at(-1)];
  return {
    started: withoutType(found('run.started')[0]),
    provenance: found('provenance')[0]?.provenance ?? null,
    finished: withoutType(found('run.finished').at(-1)),
    recorded: first === undefined || last === undefined ? null : { from: first.at, to: last.at },
    receipts: await foldReceipts(lines),
    changes: found('change').map(({ change }) => change),
    validations: found('validation').map(({ type: _, ...rest }) => rest),
    proofs: provenCommands(entries),
    cut: cutOf(lines),
    refusals: found('refusal').map(({ refusal }) => refusal),
    diagnostics: found('diagnostic').map(({ message }) => message),
  };
}

function cutOf(lines: readonly RunLedgerLine[]): RunInspection['cut'] {
  for (const { at, entry } of lines) if (entry.type === 'cut') return { at, limit_bytes: entry.limit_bytes };
  return null;
}

function withoutType<Value extends RunEntry>(entry: Value | undefined): Omit<Value, 'type'> | null {
  if (entry === undefined) return null;
  const { type: _, ...rest } = entry;
  return rest;
}

/** Renders the facts of a run for a terminal. `trace` is null for a run without one. */
export function renderInspection(run: RunInspection, trace: TraceSummary | null): string {
  const calls = run.receipts.map(receiptLine);
  const changes = run.changes.map(
    ({ kind, path, risk, validation, tool }) => `${kind} ${path} (risk ${risk}, ${validation}, by ${tool})`,
  );
  const inputs = (run.provenance?.inputs ?? []).map(
    ({ kind, from, trust, characters, sha256 }) =>
      `${kind} of ${from} (${trust}), ${characters} characters, sha256 ${sha256.slice(0, 12)}`,
  );
  const dropped = (run.provenance?.dropped ?? []).map(
    ({ reason, where, from, characters }) => `${reason} in ${where} of ${from}, ${characters} characters`,
  );
  const refusals = run.refusals.map(({ tool, what, reason }) => `${tool} ${what}: ${reason}`);
  return [
    ...headLines(run),
    ...(trace === null ? [] : [`Trace:    ${describeTrace(trace)}`]),
    ...(run.cut === null ? [] : [`Cut:      ${describeCut(run.cut)}`]),
    ...section('Inputs', inputs),
    ...section('Dropped', dropped),
    ...section('Calls', calls),
    ...section('Changes', changes),
    ...section('Checks', run.validations.flatMap(validationLines)),
    ...section(
      'Proofs',
      run.proofs.map(({ command, before }) => `${command}: failed (${before}) before, passes after`),
    ),
    ...section('Refusals', refusals),
    ...section('Notes', run.diagnostics),
  ].join('\n');
}

function headLines({ started, finished, recorded }: RunInspection): string[] {
  if (started === null) return ['The record has no start of a run.'];
  const setting = `${started.model}, profile ${started.profile}, preset ${started.preset}, sandbox ${started.sandbox}`;
  const task = started.prompt.split('\n', 1)[0] ?? '';
  return [
    `Run:      ${started.run_id}`,
    `Settings: ${setting}`,
    `Task:     ${task}`,
    `Time:     ${timing(recorded, finished)}`,
    `End:      ${ending(finished)}`,
  ];
}

/** Describes the recorded time of a run, so that a slow or killed one is obvious. */
export function timing(recorded: RunInspection['recorded'], finished: RunInspection['finished']): string {
  if (recorded === null) return 'nothing was recorded';
  const seconds = (Date.parse(recorded.to) - Date.parse(recorded.from)) / 1000;
  const state = finished === null ? ', without an end: it was killed or is still active' : '';
  return `${recorded.from} to ${recorded.to} (${seconds.toFixed(1)} s)${state}`;
}

function ending(finished: RunInspection['finished']): string {
  if (finished === null) return 'none';
  const { conclusion, turns, usage, cost_usd, stop } = finished;
  const cost = cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(4)}`;
  const tokens = `${usage.input} tokens in, ${usage.output} out`;
  return `${conclusion}, ${turns} turns, ${tokens}, ${cost}${stop === null ? '' : `. ${stop.detail ?? stop.message}`}`;
}

/** One line on a call: its decision, its end and its time. */
export function receiptLine({ call_id, tool, what, decision, result, requested_by }: Receipt): string {
  const verdict =
    decision === null ? 'not understood' : `${decision.action} (${decision.rule ?? decision.level})`;
  const child = requested_by.startsWith('child_') ? ` by ${requested_by}` : '';
  if (result === null) return `${call_id} ${tool} ${what}: ${verdict}, no result${child}`;
  const end = result.ok
    ? `${result.characters} characters, sha256 ${result.sha256.slice(0, 12)}`
    : (result.error_kind ?? 'failed');
  return `${call_id} ${tool} ${what}: ${verdict}, ${end}, ${Math.round(result.duration_ms)} ms${child}`;
}

function describeCut({ at, limit_bytes }: NonNullable<RunInspection['cut']>): string {
  return `at ${at} the ledger reached ${limit_bytes / 1_000_000} MB; calls and messages after it are missing`;
}

/** Lines of output of one check that are shown; `--json` has all. */
const mostOutputLines = 5;

function validationLines(validation: RunInspection['validations'][number]): string[] {
  const { check, command, files, result, exit_code, output, duration_ms } = validation;
  const named = [check, command ?? files.join(' ')].filter((part) => part !== '').join(' ');
  const code = exit_code === null ? '' : ` (exit code ${exit_code})`;
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const more = lines.length > mostOutputLines ? [`[${lines.length - mostOutputLines} more lines]`] : [];
  const shown = [...lines.slice(0, mostOutputLines), ...more];
  return [`${named}: ${result}${code}, ${Math.round(duration_ms)} ms`, ...shown.map((line) => `  ${line}`)];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
