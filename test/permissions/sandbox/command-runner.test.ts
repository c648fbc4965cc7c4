import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxMode } from '../../../src/contract/levels.ts';
import type { CommandRequest, CommandResult } from '../../../src/permissions/sandbox/command-runner.ts';
import { createCommandRunner } from '../../../src/permissions/sandbox/create-command-runner.ts';
import { probeSandbox } from '../../../src/permissions/sandbox/probe-sandbox.ts';

const { available } = await probeSandbox();
const isRoot = process.getuid?.() === 0;

/** Whom the tests play when they are not root: `nobody`, by its usual number. */
const nobody = 65_534;

let folder: string;
let root: string;
let spillFolder: string;
let agentGit: string;
let close: () => Promise<void>;

let template: string;

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), 'anode-runner-template-'));
  const checkout = join(template, 'checkout');
  mkdirSync(checkout);
  mkdirSync(join(template, 'spill'));
  writeFileSync(join(template, 'spill/output.txt'), 'spilt');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const identity = '[user]\n\temail = test@example.com\n\tname = Test\n';
  appendFileSync(join(checkout, '.git/config'), `${identity}[http]\n\textraheader = canary-in-git-config\n`);
  writeFileSync(join(checkout, 'file.txt'), 'content\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const agent = join(template, 'agent.git');
  mkdirSync(join(agent, 'objects/info'), { recursive: true });
  mkdirSync(join(agent, 'refs/heads'), { recursive: true });
  writeFileSync(join(agent, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(agent, 'config'), `[core]\n\trepositoryformatversion = 0\n${identity}`);
  writeFileSync(join(agent, 'refs/heads/main'), `${git('rev-parse', 'HEAD')}\n`);
  writeFileSync(join(agent, 'index'), readFileSync(join(checkout, '.git/index')));
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anode-runner-test-'));
  cpSync(template, folder, { recursive: true });
  root = join(folder, 'checkout');
  spillFolder = join(folder, 'spill');
  agentGit = join(folder, 'agent.git');
  writeFileSync(join(agentGit, 'objects/info/alternates'), `${root}/.git/objects\n`);
  close = async () => {};
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

type Run = (command: string, change?: Partial<CommandRequest>) => Promise<CommandResult & { output: string }>;

async function runnerOf(mode: SandboxMode, environment: Record<string, string> = {}): Promise<Run> {
  const runner = await createCommandRunner({
    mode,
    workspace: { root, agentGitDirectory: async () => agentGit },
    spillFolder,
    environment: { ...process.env, ...environment },
  });
  close = () => runner.close();
  return async (command, change = {}) => {
    let output = '';
    const result = await runner.run({
      command,
      cwd: root,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      onOutput: (chunk) => {
        output += chunk.toString();
      },
      ...change,
    });
    return { ...result, output };
  };
}

/** Processes of this machine whose command line holds a text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(text));
}

/** A duration for `sleep` that no other process on the machine has. */
const unique = () => `${300 + Math.floor(Math.random() * 1e6) / 1e4}${process.pid}`;

describe.each([['off'], ...(available ? [['required']] : [])] as [
  SandboxMode,
][])('a runner with sandbox %s', (mode) => {
  it('gives output, exit code and input of a command in its folder', async () => {
    mkdirSync(join(root, 'sub'));
    const run = await runnerOf(mode);
    const result = await run('pwd; cat; echo "$GREETING" >&2; exit 7', {
      cwd: join(root, 'sub'),
      stdin: 'input\n',
      env: { GREETING: "it's $HOME" },
    });
    expect(result).toEqual({
      exitCode: 7,
      signal: null,
      timedOut: false,
      durationMs: expect.any(Number),
      output: `${root}/sub\ninput\nit's $HOME\n`,
    });
  });

  it('gives an empty input where none is given', async () => {
    const run = await runnerOf(mode);
    expect((await run('wc -c')).output.trim()).toBe('0');
  });

  it('passes on commands of any text and length', async () => {
    const run = await runnerOf(mode);
    const text = `quotes ' " \\ $x \`y\` ünï\n${'long '.repeat(10_000)}`;
    expect((await run(`cat <<'END'\n${text}\nEND`)).output).toBe(`${text}\n`);
  });

  it('shows no variable of the broker but a short list', async () => {
    const run = await runnerOf(mode, {
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
      'ANODE_COMMAND CI GIT_PAGER GIT_TERMINAL_PROMPT HOME LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME OLDPWD PAGER PATH PWD SHLVL TERM TMPDIR TZ _'.split(
        ' ',
      );
    expect(names.filter((name) => name !== '' && !allowed.includes(name ?? ''))).toEqual([]);
    expect(names).toContain('LC_TIME');
  });

  it('ends everything that a command leaves running when it ends', async () => {
    const run = await runnerOf(mode);
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

  it('ends the whole tree at the time-out, and gives what was said before', async () => {
    const run = await runnerOf(mode);
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

  it('rejects with the reason of an abort, after all is gone', async () => {
    const run = await runnerOf(mode);
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

  it('rejects at once when it is aborted already', async () => {
    const run = await runnerOf(mode);
    const reason = new Error('before');
    await expect(run('touch made', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('leaves no process when it is closed in mid-command', async () => {
    const run = await runnerOf(mode);
    const time = unique();
    const started = Promise.withResolvers<void>();
    const running = run(`echo go; sleep ${time}`, { onOutput: () => started.resolve() });
    await started.promise;
    await close();
    expect(processesWith(time)).toEqual([]);
    expect((await running).timedOut).toBe(false);
  });

  it('runs several commands at once, each with its own output', async () => {
    const run = await runnerOf(mode);
    const results = await Promise.all([1, 2, 3, 4, 5].map((number) => run(`echo ${number}; exit ${number}`)));
    expect(results.map(({ exitCode, output }) => [exitCode, output])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, `${number}\n`]),
    );
  });
});

describe.skipIf(!available)('inside the sandbox', () => {
  it('files of the machine are not to be seen', async () => {
    const run = await runnerOf('required');
    const secret = join(folder, 'secret.txt');
    writeFileSync(secret, 'canary');
    const { output } = await run(
      `cat /etc/shadow ${secret} ${folder}/agent.git/config /root/.bashrc /proc/1/root/etc/shadow 2>/dev/null; ls -A /home /var/lib /run /etc/ssh 2>/dev/null | grep -v '^/\\|^$\\|^anode$'`,
    );
    expect(output).toBe('');
  });

  it('no process outside is to be seen, nor its environment', async () => {
    const run = await runnerOf('required');
    const { output } = await run(
      'cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"; ls -d /proc/[0-9]* | wc -l',
    );
    expect({
      sees: output.includes('vitest'),
      processes: Number(output.trim().split('\n').at(-1)) < 12,
    }).toEqual({ sees: false, processes: true });
  });

  it('nothing outside the workspace can be written', async () => {
    const run = await runnerOf('required');
    const { output } = await run(
      `for place in ${spillFolder}/x ${spillFolder}/output.txt /usr/x /etc/x /x; do (echo bad > $place) 2>/dev/null && echo "wrote $place"; done; echo lost > ${folder}/x; cat ${spillFolder}/output.txt`,
    );
    expect(output).toBe('spilt');
    expect([existsSync(join(folder, 'x')), existsSync('/usr/x'), existsSync('/x')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('the workspace can be written, and /tmp does not outlive the command', async () => {
    const run = await runnerOf('required');
    await run('echo new > made.txt; echo old > /tmp/trace');
    const { output } = await run('cat made.txt; cat /tmp/trace 2>&1 | grep -c such');
    expect([output, readFileSync(join(root, 'made.txt'), 'utf8')]).toEqual(['new\n1\n', 'new\n']);
  });

  it('there is no network, and no socket of the machine', async () => {
    const server = createServer((socket) => socket.end('canary'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const run = await runnerOf('required');
      const { output } = await run(
        `(cat < /dev/tcp/127.0.0.1/${port}) 2>/dev/null; find /run /tmp /var /home /root /dev -type s 2>/dev/null; echo end`,
      );
      expect(output).toBe('end\n');
    } finally {
      server.close();
    }
  });

  it('git works on the throwaway directory, and the real one is out of reach', async () => {
    const before =
      readFileSync(join(root, '.git/HEAD'), 'utf8') + readdirSync(join(root, '.git/hooks')).join();
    const run = await runnerOf('required');
    const { output } = await run(
      'git log --format=%s; echo more >> file.txt; git commit -qam second && git log --format=%s; cat .git/config | grep -c canary; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout; echo evil > .git/HEAD; mv .git other 2>&1 | grep -c busy',
    );
    expect(output).toBe('first\nsecond\nfirst\n0\n1\n');
    const after =
      readFileSync(join(root, '.git/HEAD'), 'utf8') + readdirSync(join(root, '.git/hooks')).join();
    expect(after).toBe(before);
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: root, encoding: 'utf8' })).toBe('first\n');
  });

  it('a `.git` file is replaced as well', async () => {
    const linked = join(folder, 'linked');
    execFileSync('git', ['worktree', 'add', '-q', linked, '-b', 'side'], { cwd: root });
    root = linked;
    const run = await runnerOf('required');
    const { output } = await run(
      'git log --format=%s; git commit -q --allow-empty -m inside && git log -1 --format=%s; echo x > .git; cat .git',
    );
    expect(output.split('\n').filter((line) => !line.includes('Read-only'))).toEqual([
      'first',
      'inside',
      'gitdir: /run/anode/git',
      '',
    ]);
  });

  it('the record of the run is hidden', async () => {
    mkdirSync(join(root, '.anode-harness'));
    writeFileSync(join(root, '.anode-harness/run.jsonl'), 'record');
    const run = await runnerOf('required');
    const { output } = await run(
      'ls -A .anode-harness; (echo x > .anode-harness/run.jsonl) 2>/dev/null || echo refused',
    );
    expect([output, readFileSync(join(root, '.anode-harness/run.jsonl'), 'utf8')]).toEqual([
      'refused\n',
      'record',
    ]);
  });

  it('no rights are left to make another sandbox, mount or become root', async () => {
    const run = await runnerOf('required');
    const { output } = await run(
      'unshare -Ur true 2>/dev/null && echo unshared; mount -o remount,rw /usr 2>/dev/null && echo mounted; grep CapEff /proc/self/status; chroot / true 2>/dev/null && echo chrooted',
    );
    expect(output).toBe('CapEff:\t0000000000000000\n');
  });

  it('a program found through PATH works wherever it is installed', async () => {
    const tool = join(folder, 'tool/bin');
    mkdirSync(tool, { recursive: true });
    writeFileSync(join(tool, 'greet'), '#!/bin/sh\necho hello\n');
    chmodSync(join(tool, 'greet'), 0o755);
    const run = await runnerOf('required', { PATH: `${tool}:${process.env.PATH}` });
    expect((await run(`greet; ${process.execPath} -p 6*7; echo x > ${tool}/greet`)).output).toMatch(
      /^hello\n42\n.*Read-only/s,
    );
  });

  it.runIf(isRoot)('started by root, a command runs as the owner of the workspace', async () => {
    chmodSync(folder, 0o711);
    execFileSync('chown', ['-R', `${nobody}:${nobody}`, root]);
    const run = await runnerOf('required');
    const { output } = await run(
      'id -u; echo mine > made.txt; git log --format=%s; git commit -q --allow-empty -m x && git log -1 --format=%s',
    );
    expect([
      output,
      execFileSync('stat', ['-c', '%u', join(root, 'made.txt')], { encoding: 'utf8' }),
    ]).toEqual([`${nobody}\nfirst\nx\n`, `${nobody}\n`]);
  });
});

describe('a machine on which the sandbox does not work', () => {
  const path = process.env.PATH;
  beforeEach(() => {
    // A `bwrap` that fails as in a container without user namespaces.
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n',
    );
    chmodSync(join(bin, 'bwrap'), 0o755);
    process.env.PATH = `${bin}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
  });

  const make = (mode: SandboxMode) =>
    createCommandRunner({
      mode,
      workspace: { root, agentGitDirectory: async () => null },
      spillFolder,
      environment: {},
    });

  it('stops a run that requires it, and says why and what to do', async () => {
    await expect(make('required')).rejects.toMatchObject({
      name: 'RunStopped',
      reason: {
        kind: 'sandbox_missing',
        message: expect.stringMatching(
          /requires a sandbox.*No permissions to create a new namespace.*(--security-opt|sysctl)/s,
        ),
      },
    });
  });

  it('lets a run that prefers it go on, and says that there is none', async () => {
    const runner = await make('preferred');
    expect(runner.sandboxed).toBe(false);
    await runner.close();
  });

  it('names the package where there is no bwrap at all', async () => {
    process.env.PATH = join(folder, 'nowhere');
    expect(await probeSandbox()).toMatchObject({
      available: false,
      cure: expect.stringContaining('apt-get install bubblewrap'),
    });
  });
});

describe.skipIf(!available)('the pool of sandboxes', () => {
  it('takes a sandbox that cannot be set up for a defect, not for the result of a command', async () => {
    const run = await runnerOf('required');
    rmSync(agentGit, { recursive: true });
    let said = '';
    const running = run('true', {
      onOutput: (chunk) => {
        said += chunk.toString();
      },
    });
    await expect(running).rejects.toThrow('The sandbox could not be set up');
    expect(said).toContain(agentGit);
  });

  it('leaves none waiting once it is closed', async () => {
    const runner = await createCommandRunner({
      mode: 'required',
      workspace: { root, agentGitDirectory: async () => null },
      spillFolder,
      environment: process.env,
    });
    await runner.warm();
    const waiting = processesWith(root).filter((line) => line.startsWith('bwrap')).length;
    await runner.close();
    expect([waiting > 0, processesWith(root)]).toEqual([true, []]);
  });

  it('dies with the program that started it, and does not keep it alive', async () => {
    const script = `
      import { createCommandRunner } from ${JSON.stringify(join(import.meta.dirname, '../../../src/permissions/sandbox/create-command-runner.ts'))};
      const runner = await createCommandRunner({ mode: 'required', workspace: { root: ${JSON.stringify(root)}, agentGitDirectory: async () => null }, spillFolder: ${JSON.stringify(spillFolder)}, environment: process.env });
      await runner.warm();
      console.log('ready');
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect.poll(() => processesWith(root), { timeout: 5_000 }).toEqual([]);
  });
});
