import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SandboxMode } from '../../src/contract/levels.ts';
import type { CommandRunner, OpenProcess } from '../../src/sandbox/command-runner.ts';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { available, processesWith, runnerPlace, sleepers } from './runner-fixture.ts';

const place = runnerPlace();

/** A duration for `sleep` that no other process on the machine has. */
const unique = () => `${400 + Math.floor(Math.random() * 1e6) / 1e4}${process.pid}`;

/** An opened program, with its output so far. */
interface Opened extends OpenProcess {
  readonly runner: CommandRunner;
  said(): string;
  /** Settles when the text was said. */
  says(text: string): Promise<void>;
}

async function openAt(mode: SandboxMode, command: string): Promise<Opened> {
  const runner = await createCommandRunner({
    mode,
    workspace: { root: place.root, agentGitDirectory: async () => place.agentGit },
    spillFolder: place.spillFolder,
    environment: process.env,
  });
  place.close = () => runner.close();
  let reply = '';
  const onOutput = (chunk: Buffer) => {
    reply += chunk.toString();
  };
  const opened = await runner.open({ command, cwd: place.root, env: { GREETING: 'hello' }, onOutput });
  return {
    ...opened,
    runner,
    said: () => reply,
    says: (text) => expect.poll(() => reply).toContain(text),
  };
}

/**
 * Processes that are hard to find: forked twice, in their own sessions, without environment,
 * ignoring signals.
 */
const daemons = (time: string) =>
  `(setsid sleep ${time} &); nohup sleep ${time} >/dev/null 2>&1 & disown; env -i setsid sleep ${time} & (trap '' HUP TERM; setsid setsid sleep ${time} &) & echo started`;

function endByItself(program: Opened): Promise<unknown> {
  program.write('\n');
  return program.ended;
}

describe.each([['off'], ...(available ? [['required']] : [])] as [
  SandboxMode,
][])('a program left running with sandbox %s', (mode) => {
  it('reads input while it runs and reports how it ended', async () => {
    const program = await openAt(mode, 'while read -r line; do echo "$GREETING $line"; done; exit 7');
    program.write('you\n');
    await program.says('hello you\n');
    program.write('and you\n');
    await program.says('hello and you\n');
    await program.kill();
    const ended = await program.ended;
    program.write('nobody reads this\n');
    expect({ said: program.said(), ended }).toEqual({
      said: 'hello you\nhello and you\n',
      ended: { exitCode: null, signal: 'SIGKILL', durationMs: expect.any(Number) },
    });
  });

  it('reports its exit code when it ends by itself', async () => {
    const program = await openAt(mode, 'read -r line; exit "$line"');
    program.write('5\n');
    expect(await program.ended).toEqual({ exitCode: 5, signal: null, durationMs: expect.any(Number) });
  });

  it('gets the end of its input and a request to end before it is killed', async () => {
    const reads = await openAt(mode, 'cat; echo no more; exit 3');
    reads.write('last\n');
    reads.closeInput();
    const ended = await reads.ended;
    const heeds = await openAt(
      mode,
      'trap "echo asked; exit 4" TERM; echo ready; while :; do read -r -t 1; done',
    );
    await heeds.says('ready');
    heeds.terminate();
    expect([reads.said(), ended.exitCode, (await heeds.ended).exitCode, heeds.said()]).toEqual([
      'last\nno more\n',
      3,
      4,
      'ready\nasked\n',
    ]);
  });

  it('separates its standard error from its output if requested', async () => {
    const runner = await createCommandRunner({
      mode,
      workspace: { root: place.root, agentGitDirectory: async () => place.agentGit },
      spillFolder: place.spillFolder,
      environment: process.env,
    });
    place.close = () => runner.close();
    const printed: { output: string[]; error: string[] } = { output: [], error: [] };
    const program = await runner.open({
      command: 'echo out; echo err >&2',
      cwd: place.root,
      onOutput: (chunk) => void printed.output.push(chunk.toString()),
      onError: (chunk) => void printed.error.push(chunk.toString()),
    });
    await program.ended;
    expect(printed).toEqual({ output: ['out\n'], error: ['err\n'] });
  });

  it.each([
    ['is killed', (program: Opened) => program.kill()],
    ['ends by itself', endByItself],
    ['is closed with its runner', (program: Opened) => program.runner.close()],
  ])('leaves no process when it %s', async (_, end) => {
    const time = unique();
    const program = await openAt(mode, `${daemons(time)}; read -r line`);
    await program.says('started');
    await expect.poll(() => sleepers(time).length).toBeGreaterThanOrEqual(4);
    await end(program);
    expect(processesWith(time)).toEqual([]);
  });

  it('leaves no process on a terminal either', async () => {
    const time = unique();
    const command = `script -qec ${JSON.stringify(`${daemons(time)}; read line`)} /dev/null`;
    const program = await openAt(mode, command);
    await program.says('started');
    await expect.poll(() => sleepers(time).length).toBeGreaterThanOrEqual(4);
    await program.kill();
    expect(processesWith(time)).toEqual([]);
  });

  it('lets commands run at the same time', async () => {
    const program = await openAt(mode, 'cat');
    const { runner } = program;
    const quiet = { cwd: place.root, onOutput: () => {} };
    const others = await Promise.all([1, 2, 3].map(() => runner.open({ ...quiet, command: 'cat' })));
    const signal = new AbortController().signal;
    const results = await Promise.all(
      [1, 2, 3].map((code) => runner.run({ ...quiet, command: `exit ${code}`, timeoutMs: 20_000, signal })),
    );
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 2, 3]);
    await Promise.all(others.map((one) => one.kill()));
  });

  it('does not start for a run that has ended', async () => {
    const { runner } = await openAt(mode, 'true');
    await runner.close();
    await expect(runner.open({ command: 'true', cwd: place.root, onOutput: () => {} })).rejects.toThrow(
      'the run has ended',
    );
  });
});

describe.skipIf(!available || process.getuid?.() !== 0)('a program left running by root', () => {
  it('runs as the owner of the workspace with a terminal and leaves no process', async () => {
    chmodSync(place.folder, 0o711);
    execFileSync('chown', ['-R', '65534:65534', place.root]);
    const time = unique();
    const inside = `${daemons(time)}; tty; stat -c %u /proc/self; read line`;
    const program = await openAt('required', `script -qec ${JSON.stringify(inside)} /dev/null`);
    await program.says('/dev/pts/0\r\n65534\r\n');
    await expect.poll(() => sleepers(time).length).toBe(4);
    await program.kill();
    expect(processesWith(time)).toEqual([]);
  });
});
