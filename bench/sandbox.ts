import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SandboxMode } from '../src/contract/levels.ts';
import { createCommandRunner } from '../src/sandbox/create-command-runner.ts';
import { openWorkspace } from '../src/workspace/open-workspace.ts';
import { makeRepository } from './make-repository.ts';
import { spawnPlainly } from './spawn-plainly.ts';
import { median, type Row, renderTable } from './table.ts';

/** So often each is measured; the first rounds warm caches and are not kept. */
const rounds = 40;
const warmRounds = 5;
/** So many runners are made for the start. */
const starts = 10;

/** Maximum cost of a command in the sandbox, as a multiple of the bare spawn. */
const most = 2.5;

/** Between two commands the model thinks, much longer than a sandbox takes to start. */
const thinkingMs = 40;

/**
 * Measures the cost of the sandbox (pool of two, no network) for a command, beside a bare spawn of
 * the same shell in the same minutes. Then measures its start, and its cost without the pool for
 * consecutive commands. Takes less than a minute.
 */
export async function benchSandbox(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bench-'));
  try {
    const root = makeRepository(path.join(folder, 'repository'), 600);
    const bare = () => spawnPlainly('bash', ['-c', 'true'], root);
    const sandboxed = await openRunner(folder, root, 'required');
    const plain = await openRunner(folder, root, 'off');
    const script = 'for n in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done';
    const bareScript = () => spawnPlainly('bash', ['-c', script], root);
    const rows: Row[] = [
      await compare('bash -c true', bare, () => sandboxed.run('true'), { pause: thinkingMs, most }),
      await compare('the same, without sandbox', bare, () => plain.run('true'), { pause: thinkingMs }),
      await compare('ten programs in a script', bareScript, () => sandboxed.run(script), {
        pause: thinkingMs,
        most,
      }),
      await compare('commands without a pause', bare, () => sandboxed.run('true'), { pause: 0 }),
      await startRow(folder, root, bare),
    ];
    await sandboxed.close();
    await plain.close();
    console.log(renderTable(rows));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openRunner(folder: string, root: string, mode: SandboxMode) {
  const runFolder = mkdtempSync(path.join(folder, 'run-'));
  const spillFolder = path.join(runFolder, 'spill');
  mkdirSync(spillFolder);
  const workspace = await openWorkspace({ root, runFolder, spillFolder });
  const environment = { PATH: process.env.PATH };
  const runner = await createCommandRunner({ mode, workspace, spillFolder, environment });
  return {
    async run(command: string) {
      const signal = new AbortController().signal;
      const { exitCode } = await runner.run({
        command,
        cwd: root,
        timeoutMs: 20_000,
        signal,
        onOutput: () => {},
      });
      if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}`);
    },
    async close() {
      await runner.close();
      await workspace.close();
    },
  };
}

/** They alternate, so other load of the machine affects both equally. */
async function compare(
  what: string,
  plain: () => Promise<void>,
  ours: () => Promise<void>,
  { pause, most: ratio }: { readonly pause: number; readonly most?: number },
): Promise<Row> {
  const times = { floor: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds + warmRounds; round += 1) {
    await idle(pause);
    const floor = await timed(plain);
    await idle(pause);
    const own = await timed(ours);
    if (round < warmRounds) continue;
    times.floor.push(floor);
    times.ours.push(own);
  }
  const budget = ratio === undefined ? null : ({ kind: 'ratio', most: ratio } as const);
  return { what, unit: 'ms', floor: median(times.floor), ours: median(times.ours), budget };
}

/** From nothing to the end of the first command: probe, copies, git directory, the first sandbox. */
async function startRow(folder: string, root: string, bare: () => Promise<void>): Promise<Row> {
  const times = { floor: [] as number[], ours: [] as number[] };
  for (let round = 0; round < starts; round += 1) {
    times.floor.push(await timed(bare));
    const startedAt = performance.now();
    const runner = await openRunner(folder, root, 'required');
    await runner.run('true');
    times.ours.push(performance.now() - startedAt);
    await runner.close();
  }
  return {
    what: 'start and first command',
    unit: 'ms',
    floor: median(times.floor),
    ours: median(times.ours),
    budget: null,
  };
}

const idle = (ms: number) => (ms === 0 ? undefined : new Promise((settle) => setTimeout(settle, ms)));

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
