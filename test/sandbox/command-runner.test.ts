import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SandboxMode } from '../../src/contract/levels.ts';
import { withoutNetwork } from '../../src/sandbox/clean-environment.ts';
import { available, processesWith, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

/** A duration for `sleep` that no other process on the machine has. */
const unique = () => `${300 + Math.floor(Math.random() * 1e6) / 1e4}${process.pid}`;

describe.each([['off'], ...(available ? [['required']] : [])] as [
  SandboxMode,
][])('a runner with sandbox %s', (mode) => {
  it('returns output, exit code and input of a command in its folder', async () => {
    mkdirSync(join(place.root, 'sub'));
    const run = await place.runnerOf(mode);
    const result = await run('pwd; cat; echo "$GREETING" >&2; exit 7', {
      cwd: join(place.root, 'sub'),
      stdin: 'input\n',
      env: { GREETING: "it's $HOME" },
    });
    expect(result).toEqual({
      exitCode: 7,
      signal: null,
      timedOut: false,
      durationMs: expect.any(Number),
      output: `${place.root}/sub\ninput\nit's $HOME\n`,
    });
  });

  it('gives an empty input by default', async () => {
    const run = await place.runnerOf(mode);
    expect((await run('wc -c')).output.trim()).toBe('0');
  });

  it.each([
    ['one over what the system takes', `: ${'ü'.repeat(61_440)}`, 'too long for the system'],
    ['one with a NUL', 'echo \0', 'holds a NUL'],
  ])('refuses with a message a command that no shell can start: %s', async (_, command, words) => {
    const run = await place.runnerOf(mode);
    await expect(run(command)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringContaining(words),
    });
  });

  it('accepts commands of any text and length', async () => {
    const run = await place.runnerOf(mode);
    const text = `quotes ' " \\ $x \`y\` ünï\n${'long '.repeat(10_000)}`;
    expect((await run(`cat <<'END'\n${text}\nEND`)).output).toBe(`${text}\n`);
  });

  it('runs a command in the waiting shell without starting another', async () => {
    const run = await place.runnerOf(mode);
    expect((await run('for')).output).toContain('bash: eval: line 1: syntax error');
  });

  it("passes only a short list of the broker's variables", async () => {
    const run = await place.runnerOf(mode, {
      GITHUB_TOKEN: 'canary',
      ANTHROPIC_API_KEY: 'canary',
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'canary',
      BASH_ENV: '/canary',
      LD_PRELOAD: 'canary',
      LC_TIME: 'C',
    });
    const names = (await run('env')).output
      .split('\n')
      .map((line) => line.split('=')[0])
      .sort();
    const allowed =
      'ANODE_COMMAND CI GIT_PAGER GIT_TERMINAL_PROMPT HOME LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME OLDPWD PAGER PATH PWD SHELL SHLVL TERM TMPDIR TZ _'.split(
        ' ',
      );
    if (mode !== 'off') allowed.push(...Object.keys(withoutNetwork));
    expect(names.filter((name) => name !== '' && !allowed.includes(name ?? ''))).toEqual([]);
    expect(names).toContain('LC_TIME');
  });

  it('ends everything that a command leaves running when it ends', async () => {
    const run = await place.runnerOf(mode);
    const time = unique();
    const result = await run(
      `sleep ${time} & (setsid sleep ${time} &) ; nohup sleep ${time} >/dev/null 2>&1 & echo done`,
    );
    expect({ code: result.exitCode, output: result.output, left: processesWith(time) }).toEqual({
      code: 0,
      output: 'done\n',
      left: [],
    });
  });

  it('ends the whole process tree at the time-out and returns the output before it', async () => {
    const run = await place.runnerOf(mode);
    const time = unique();
    const result = await run(`trap '' TERM INT HUP; echo said; setsid sleep ${time} & sleep ${time}`, {
      timeoutMs: 400,
    });
    expect({ ...result, left: processesWith(time) }).toMatchObject({
      timedOut: true,
      output: 'said\n',
      left: [],
    });
  });

  it('ends processes that cleared their environment and left their group, without waiting for them', async () => {
    const run = await place.runnerOf(mode);
    const time = unique();
    const result = await run(`env -i setsid sleep ${time} & echo done`, { timeoutMs: 5_000 });
    expect({ code: result.exitCode, timedOut: result.timedOut, left: processesWith(time) }).toEqual({
      code: 0,
      timedOut: false,
      left: [],
    });
  });

  it('rejects with the reason of an abort once all processes have ended', async () => {
    const run = await place.runnerOf(mode);
    const time = unique();
    const abort = new AbortController();
    const reason = new Error('enough');
    const running = run(`echo started; setsid sleep ${time} & sleep ${time}`, {
      signal: abort.signal,
      onOutput: () => abort.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    expect(processesWith(time)).toEqual([]);
  });

  it('rejects immediately if it is already aborted', async () => {
    const run = await place.runnerOf(mode);
    const reason = new Error('before');
    await expect(run('touch made', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(existsSync(join(place.root, 'made'))).toBe(false);
  });

  it('leaves no process when it is closed during a command', async () => {
    const run = await place.runnerOf(mode);
    const time = unique();
    const started = Promise.withResolvers<void>();
    const running = run(`echo go; sleep ${time}`, { onOutput: () => started.resolve() });
    await started.promise;
    await place.close();
    expect(processesWith(time)).toEqual([]);
    expect((await running).timedOut).toBe(false);
  });

  it('runs several commands at once, each with its own output', async () => {
    const run = await place.runnerOf(mode);
    const results = await Promise.all([1, 2, 3, 4, 5].map((number) => run(`echo ${number}; exit ${number}`)));
    expect(results.map(({ exitCode, output }) => [exitCode, output])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, `${number}\n`]),
    );
  });
});
