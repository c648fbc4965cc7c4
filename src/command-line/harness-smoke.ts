import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import { monotonicMs } from '../contract/monotonic-ms.ts';
import { inspectRun } from '../evidence/inspect-run.ts';
import { type ScriptedAnswer, startScriptedEndpoint } from '../evidence/scripted-endpoint.ts';
import { verifyLedger } from '../evidence/verify-ledger.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { runGit } from '../workspace/git/run-git.ts';
import type { HarnessRequest } from './harness-request.ts';
import { localRun } from './local-run.ts';
import { usageError } from './parse-arguments.ts';
import { recordOf } from './run-record.ts';

/** The task of a smoke run: read, edit and run, each once, on a scratch repository. */
const script: readonly ScriptedAnswer[] = [
  { calls: [{ name: 'read', input: { path: 'greeting.txt' } }] },
  { calls: [{ name: 'edit_file', input: { path: 'greeting.txt', old_str: 'Hello', new_str: 'Good day' } }] },
  { calls: [{ name: 'bash', input: { command: 'cat greeting.txt' } }] },
  { text: 'The greeting is changed.' },
];
const prompt = 'Change the greeting.';

/** One check of a smoke run. */
interface SmokeCheck {
  readonly what: string;
  readonly ok: boolean;
}

/** A smoke run: its checks, and its times in milliseconds. */
interface SmokeRun {
  readonly checks: readonly SmokeCheck[];
  readonly first_request_ms: number;
  readonly turn_ms: number;
  readonly whole_ms: number;
}

/**
 * Runs `anode harness smoke`: a whole run on a scratch repository with a scripted model on
 * loopback. It needs no key. Saves the report as `.anode-harness/smoke-<time>.json`. Exit code 1 if
 * a check failed.
 */
export async function smokeHarness(request: HarnessRequest): Promise<number> {
  const run = await smokeOnce(request);
  const ok = run.checks.every((check) => check.ok);
  const file = await saveReport(request.root, 'smoke', { v: 1, ok, ...run });
  request.print({ ok, ...run, report: file }, () =>
    [...run.checks.map(({ what, ok: held }) => `${held ? 'ok  ' : 'FAIL'} ${what}`), `Saved: ${file}`].join(
      '\n',
    ),
  );
  return ok ? 0 : 1;
}

/**
 * Runs `anode harness bench`: the smoke run `--runs` times (default 5), and prints the medians.
 * `--dry-run` only prints what it would do. Saves `.anode-harness/bench-<time>.json`.
 */
export async function benchHarness(request: HarnessRequest): Promise<number> {
  const runs = Number(request.values.runs ?? 5);
  if (!Number.isInteger(runs) || runs < 1 || runs > 100)
    throw usageError('harness', '--runs takes a whole number from 1 to 100.');
  const plan = { runs, turns: script.length - 1, model: 'scripted, on loopback' };
  if (request.values['dry-run'] === true) {
    request.print(
      plan,
      () => `Would do ${runs} runs of ${plan.turns} turns with a scripted model on loopback.`,
    );
    return 0;
  }
  const measured: SmokeRun[] = [];
  for (let run = 0; run < runs; run += 1) measured.push(await smokeOnce(request));
  const medians = {
    first_request_ms: median(measured.map((run) => run.first_request_ms)),
    turn_ms: median(measured.map((run) => run.turn_ms)),
    whole_ms: median(measured.map((run) => run.whole_ms)),
  };
  const ok = measured.every(({ checks }) => checks.every((check) => check.ok));
  const file = await saveReport(request.root, 'bench', { v: 1, ok, ...plan, medians, measured });
  request.print({ ok, ...plan, medians, report: file }, () =>
    [
      `First request: ${medians.first_request_ms} ms`,
      `A turn:        ${medians.turn_ms} ms`,
      `Whole run:     ${medians.whole_ms} ms`,
      `Medians of ${runs} runs in this process${ok ? '' : '; a check failed, see the report'}. Saved: ${file}`,
    ].join('\n'),
  );
  return ok ? 0 : 1;
}

async function smokeOnce({ context }: HarnessRequest): Promise<SmokeRun> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-smoke-'));
  const endpoint = await startScriptedEndpoint(script);
  try {
    const root = path.join(folder, 'repository');
    await makeRepository(root);
    const environment = {
      PATH: context.environment.PATH,
      HOME: folder,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: endpoint.url,
    };
    const output: string[] = [];
    const started = monotonicMs();
    const args = {
      cwd: root,
      model: 'anthropic/scripted',
      preset: 'unrestricted',
      sandbox: 'preferred',
      output: 'json',
    };
    const code = await localRun(
      { command: 'run', task: prompt, args, resume: null },
      {
        environment,
        write: (text) => void output.push(text),
        writeError: () => undefined,
        signal: context.signal,
      },
    );
    const whole = monotonicMs() - started;
    const [first = started] = endpoint.arrivals;
    const turns = Math.max(1, endpoint.arrivals.length - 1);
    return {
      checks: await checksOf(root, code, output.join('')),
      first_request_ms: Math.round(first - started),
      turn_ms: Math.round(((endpoint.arrivals.at(-1) ?? first) - first) / turns),
      whole_ms: Math.round(whole),
    };
  } finally {
    await endpoint.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeRepository(root: string): Promise<void> {
  await mkdir(root);
  await writeFile(path.join(root, 'greeting.txt'), 'Hello\n');
  const git = (...args: string[]) => runGit(args, { cwd: root });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git(
    '-c',
    'user.name=smoke',
    '-c',
    'user.email=smoke@example.invalid',
    'commit',
    '--quiet',
    '--message=Greet',
  );
}

async function checksOf(root: string, code: number, output: string): Promise<SmokeCheck[]> {
  const report: { readonly run_id?: string; readonly changes?: readonly unknown[] } = JSON.parse(
    output || '{}',
  );
  const folder = recordOf(report.run_id ?? '', root);
  const file = path.join(folder ?? root, 'ledger.jsonl');
  const lines = folder === null ? [] : await readRunLedger(file);
  const { receipts, finished } = await inspectRun(lines);
  const text = await readFile(path.join(root, 'greeting.txt'), 'utf8');
  const ran = receipts.map(({ tool, result }) => `${tool} ${result?.ok === true}`).join(', ');
  const checks = [
    { what: 'the run ends with exit code 0', ok: code === 0 },
    { what: 'it reads, edits and runs a command', ok: ran === 'read true, edit_file true, bash true' },
    { what: 'the file is changed', ok: text === 'Good day\n' },
    { what: 'the change is in the outcome', ok: report.changes?.length === 1 },
    { what: 'the record has an end', ok: finished?.conclusion === 'success' },
    {
      what: 'the record is as it was written',
      ok: folder !== null && (await verifyLedger(file, null)).problems.length === 0,
    },
  ];
  if (folder !== null) await rm(folder, { recursive: true, force: true });
  return checks;
}

async function saveReport(root: string, kind: string, report: object): Promise<string> {
  const folder = path.join(root, harnessFolder);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const file = path.join(folder, `${kind}-${new Date().toISOString().replaceAll(':', '')}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`, { flag: 'wx' });
  return file;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
