import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { traceBeside } from '../agent/ledger/open-run-trace.ts';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import { inspectRun, renderInspection } from '../evidence/inspect-run.ts';
import { readTrace, summariseTrace } from '../evidence/read-trace.ts';
import { verifyLedger } from '../evidence/verify-ledger.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { findCheckout } from './find-checkout.ts';
import type { HarnessRequest } from './harness-request.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { actionOf, parseArguments, usageError } from './parse-arguments.ts';
import { knownRuns, recordOf } from './run-record.ts';

const options = {
  cwd: { type: 'string' },
  json: { type: 'boolean' },
  config: { type: 'string' },
  'execute-read-only': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  format: { type: 'string' },
  runs: { type: 'string' },
} as const;

type Action = (request: HarnessRequest, folder: string) => Promise<number>;

/** Subcommands that take the record of one run. */
const ofOneRun: Readonly<Record<string, Action>> = {
  inspect,
  ledger: printLedger,
  verify,
  export: async (request, folder) => (await import('./harness-export.ts')).printExport(request, folder),
  replay: async (request, folder) => (await import('./harness-replay.ts')).replayRun(request, folder),
};

/** Subcommands that take no run. */
const ofCheckout: Readonly<Record<string, (request: HarnessRequest) => Promise<number>>> = {
  check: checkHarness,
  smoke: async (request) => (await import('./harness-smoke.ts')).smokeHarness(request),
  bench: async (request) => (await import('./harness-smoke.ts')).benchHarness(request),
};

/**
 * Runs `anode harness`: inspects, verifies and replays the records of runs, and checks that runs
 * work here. Returns the exit code: 1 for a record that was changed, a replay that differs or a
 * failed check.
 */
export async function harnessCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('harness', args, options);
  const [word, runId, ...others] = positionals;
  const action = actionOf('harness', word, [...Object.keys(ofOneRun), ...Object.keys(ofCheckout)]);
  const { root } = await findCheckout('harness', values.cwd);
  const isJson = values.json === true;
  const print: HarnessRequest['print'] = (value, text) =>
    context.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : `${text()}\n`);
  const request = { root, values, print, context };
  const alone = ofCheckout[action];
  if (alone !== undefined) {
    if (runId !== undefined) throw usageError('harness', `${action} takes no run.`);
    return alone(request);
  }
  if (runId === undefined || others.length > 0)
    throw usageError('harness', `${action} takes one run. ${await knownRuns(root)}`);
  const folder = /^[\w-]+$/.test(runId) ? recordIn(runId, root) : null;
  if (folder === null)
    throw usageError(
      'harness',
      `there is no record of ${logLine(runId)} for ${root}. ${await knownRuns(root)}`,
    );
  return ofOneRun[action]?.(request, folder) ?? 2;
}

const ledgerIn = (folder: string): string => path.join(folder, 'ledger.jsonl');

/** Returns the record in the checkout, which people hand on; else the run's own folder. */
function recordIn(runId: string, root: string): string | null {
  const folder = path.join(root, harnessFolder, runId);
  return existsSync(ledgerIn(folder)) ? folder : recordOf(runId, root);
}

/** The key of the operator. A workflow without the secret sets an empty text. */
const keyOf = ({ environment }: CommandContext): string | null => environment.ANODE_LEDGER_KEY || null;

async function inspect({ print }: HarnessRequest, folder: string): Promise<number> {
  const found = await inspectRun(await readRunLedger(ledgerIn(folder)));
  const lines = await readTrace(traceBeside(ledgerIn(folder)));
  const trace = lines && summariseTrace(lines);
  print({ ...found, trace }, () => renderInspection(found, trace).split('\n').map(logLine).join('\n'));
  return 0;
}

async function printLedger({ print }: HarnessRequest, folder: string): Promise<number> {
  const lines = await readRunLedger(ledgerIn(folder));
  print(lines, () =>
    lines.map(({ seq, at, entry }) => logLine(`${seq} ${at} ${entry.type} ${shortOf(entry)}`)).join('\n'),
  );
  return 0;
}

/** Returns the fields of an entry in one short line. */
function shortOf({ type: _, ...fields }: { readonly type: string }): string {
  const text = JSON.stringify(fields);
  return text.length <= mostOfEntry ? text : `${text.slice(0, mostOfEntry)}…`;
}

/** Characters of an entry in the text output; `--json` has all. */
const mostOfEntry = 160;

async function verify({ print, context }: HarnessRequest, folder: string): Promise<number> {
  const verdict = await verifyLedger(ledgerIn(folder), keyOf(context));
  print({ ok: verdict.problems.length === 0, ...verdict }, () =>
    [
      ...verdict.problems,
      `${verdict.entries} ${verdict.entries === 1 ? 'entry' : 'entries'}, ${verdict.problems.length === 0 ? 'as they were written' : 'not as they were written'}. ${signatures[verdict.signature]}`,
      ...(verdict.truncated ? ['The last line was cut off by a crash.'] : []),
    ].join('\n'),
  );
  return verdict.problems.length === 0 ? 0 : 1;
}

const signatures = {
  signed: 'The key in ANODE_LEDGER_KEY signed the end.',
  unchecked: 'The end is signed; set ANODE_LEDGER_KEY to check it.',
  unsigned: 'The end is not signed, so whoever can write the record could write it anew.',
  absent: 'The record has no end: the run was killed or is still active.',
} as const;

/** Checks that the records of this checkout can be read and are as they were written. */
async function checkHarness({ root, print, context }: HarnessRequest): Promise<number> {
  const names = await readdir(path.join(root, harnessFolder)).catch(() => []);
  const runs = names.filter((name) => /^run_\w+$/.test(name)).sort();
  const checked = await Promise.all(
    runs.map(async (run) => {
      const folder = recordIn(run, root);
      if (folder === null) return { run, problems: ['It has no ledger.'] };
      const { problems } = await verifyLedger(ledgerIn(folder), keyOf(context));
      return { run, problems };
    }),
  );
  const bad = checked.filter(({ problems }) => problems.length > 0);
  print({ ok: bad.length === 0, runs: checked }, () =>
    [
      ...bad.flatMap(({ run, problems }) => problems.map((problem) => `${run}: ${problem}`)),
      `${runs.length} ${runs.length === 1 ? 'record' : 'records'}, ${bad.length === 0 ? 'all as they were written' : `${bad.length} with problems`}.`,
    ].join('\n'),
  );
  return bad.length === 0 ? 0 : 1;
}
