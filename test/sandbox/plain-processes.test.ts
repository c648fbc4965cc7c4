import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainRunner } from '../../src/sandbox/plain-processes.ts';

/** Numbers of the processes whose environment holds a text. */
function processesGiven(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text);
      } catch {
        return false;
      }
    });
}

const source = JSON.stringify(join(import.meta.dirname, '../../src/sandbox/plain-processes.ts'));

/** A program with a runner and `run`, which returns the exit code or the refusal of a command. */
const program = (mark: string, rest: string) => `
  import { openSync } from 'node:fs';
  import { plainRunner } from ${source};
  const runner = plainRunner({ PATH: process.env.PATH, MARK: '${mark}' });
  const signal = new AbortController().signal;
  const run = (command) => runner.run({ command, cwd: '/', timeoutMs: 20_000, signal, onOutput: () => {} })
    .then(({ exitCode }) => exitCode, ({ message }) => message);
  ${rest}
`;

function runnerWith(mark: string) {
  const runner = plainRunner({ PATH: process.env.PATH ?? '', MARK: mark });
  const run = async (command: string) => {
    let reply = '';
    const onOutput = (chunk: Buffer) => {
      reply += chunk.toString();
    };
    const signal = new AbortController().signal;
    const { exitCode } = await runner.run({ command, cwd: '/', timeoutMs: 20_000, signal, onOutput });
    return [reply, exitCode];
  };
  return { runner, run };
}

it('never returns a waiting shell that was killed, and leaves none after closing', async () => {
  const mark = randomUUID();
  const { runner, run } = runnerWith(mark);
  await run('true');
  await expect.poll(() => processesGiven(mark).length).toBe(1);
  const [waiting] = processesGiven(mark);
  // Never 0, which means this process and all of its group.
  if (waiting === undefined) throw new Error('no shell waits');
  process.kill(waiting, 'SIGKILL');
  // The process disappears only once this program has been notified.
  await expect.poll(() => existsSync(`/proc/${waiting}`)).toBe(false);
  const next = await run('echo ran');
  await expect.poll(() => processesGiven(mark).length).toBe(1);
  await runner.close();
  expect([next, processesGiven(mark)]).toEqual([['ran\n', 0], []]);
});

it('ends its waiting shells with the program that started them and does not keep it alive', async () => {
  const mark = randomUUID();
  const child = spawn(
    process.execPath,
    ['--input-type=module-typescript', '-e', program(mark, "await run('true'); console.log('ran');")],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect.poll(() => processesGiven(mark)).toEqual([]);
});

it('continues if no spare shell can be started, and reports why a needed one cannot', () => {
  const rest = `
    const said = [await run('exit 1')];
    const running = run('sleep 0.1; exit 2');
    try { for (;;) openSync('/dev/null'); } catch {}
    said.push(await running, await run('exit 3'), await run('exit 4'));
    console.log(JSON.stringify(said));
    process.exit();
  `;
  const limited = [
    '-c',
    'ulimit -n 64; exec "$@"',
    'bash',
    process.execPath,
    '--input-type=module-typescript',
  ];
  const printed = execFileSync('bash', [...limited, '-e', program(randomUUID(), rest)], { encoding: 'utf8' });
  const refused = 'A shell could not be started: this program has too many files open.';
  expect(JSON.parse(printed)).toEqual([1, 2, refused, refused]);
});
