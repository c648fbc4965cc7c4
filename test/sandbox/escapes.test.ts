import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { bundleForAnyUser, programsForAnyUser } from '../support/shared/for-any-user.ts';
import { attacks } from './attacks.ts';
import { available, processesWith, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

const program = join(import.meta.dirname, 'run-commands.ts');
const here = `${process.execPath} ${program}`;

/** What run-commands.ts is told. */
const reported = (commands: readonly string[], agentGit: string | null = place.agentGit) =>
  JSON.stringify({ root: place.root, spillFolder: place.spillFolder, agentGit, commands });

/**
 * Starts run-commands.ts with a shell command in which `$program` stands for it; returns its
 * output.
 */
async function runBy(command: string, commands: readonly string[], started = here): Promise<unknown[]> {
  const script = command.replace('$program', `${started} "$1"`);
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', reported(commands)]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function giveAllTo(user: number): void {
  chmodSync(place.folder, 0o711);
  execFileSync('chown', ['-R', `${user}:${user}`, place.root, place.agentGit, place.spillFolder]);
}

const expected = attacks.map(({ title, output }) => ({ title, output }));

describe.skipIf(!available)('no process leaves the sandbox or gains rights', () => {
  it('started by the user of the tests', async () => {
    const run = await place.runnerOf('required');
    const found: typeof expected = [];
    for (const { title, command } of attacks) found.push({ title, output: (await run(command)).output });
    expect(found).toEqual(expected);
  });

  it.runIf(isRoot)('started by root, as the owner of the workspace', async () => {
    giveAllTo(nobody);
    const run = await place.runnerOf('required');
    const found: typeof expected = [];
    for (const { title, command } of attacks) found.push({ title, output: (await run(command)).output });
    expect(found).toEqual(expected);
    expect((await run('id -u; id -g; id -G')).output).toBe(`${nobody}\n${nobody}\n${nobody}\n`);
  });

  it.runIf(isRoot)('started by an ordinary user', async () => {
    giveAllTo(nobody);
    const commands = attacks.map(({ command }) => command);
    const ordinary = `exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups $program`;
    const [folder, bundled] = await Promise.all([programsForAnyUser(), bundleForAnyUser(program)]);
    const [, ...results] = await runBy(ordinary, ['id -u', ...commands], `${folder}/node ${bundled}`);
    const outputs = results.map((result) => (result as { output: string }).output);
    expect(outputs[0]).toBe(`${nobody}\n`);
    expect(attacks.map(({ title }, index) => ({ title, output: outputs[index + 1] }))).toEqual(expected);
  });
});

describe.skipIf(!available)('resources inherited from our parent process stay out of the sandbox', () => {
  it('descriptors that were left open', async () => {
    const secret = join(place.folder, 'secret');
    writeFileSync(secret, 'canary');
    const command = 'cat <&40; cat /proc/*/fd/40; ls /proc/$$/fd | wc -l';
    expect(await runBy(`exec 40< ${secret}; $program`, [command])).toEqual([
      'starting',
      { exitCode: 0, output: expect.not.stringContaining('canary') },
    ]);
  });

  it('its terminal', async () => {
    const script = `script -qec '${here} '"'$1'" /dev/null | tr -d '\\r'`;
    const [, result] = await runBy(script, ['tty; (echo > /dev/tty) 2>/dev/null || echo none']);
    expect(result).toEqual({ exitCode: 0, output: 'not a tty\nnone\n' });
  });

  it('its key ring', async () => {
    const [addKey, keyctl] = process.arch === 'arm64' ? [217, 219] : [248, 250];
    const words = 'my ($type, $name, $value) = ("user", "token", "canary")';
    const plant = `perl -e '${words}; syscall(${keyctl}, 1, 0) >= 0 && syscall(${addKey}, $type, $name, $value, 6, -3) >= 0 or die; exec @ARGV' `;
    const read = `perl -e '${words}; my $got = "." x 6; my $id = syscall(${keyctl}, 10, -3, $type, $name, 0); syscall(${keyctl}, 11, $id, $got, 6); print "$got\\n"'`;
    const outside = await promisify(execFile)('bash', ['-c', `${plant} bash -c "$1"`, 'bash', read]);
    expect(outside.stdout).toBe('canary\n');
    expect(await runBy(`${plant} $program`, [read])).toEqual([
      'starting',
      { exitCode: 0, output: '......\n' },
    ]);
  });
});

describe.skipIf(!available)('services of the machine', () => {
  /** Listens, and gives whoever connects a canary. */
  async function listening(where: string): Promise<Server> {
    const server = createServer((socket) => socket.on('error', () => {}).end('canary'));
    server.listen({ path: where });
    await once(server, 'listening');
    return server;
  }

  it('cannot be reached by an abstract socket', async () => {
    const name = `anode-test-${process.pid}`;
    const server = await listening(`\0${name}`);
    const connect = `perl -MSocket -e 'socket(S, 1, 1, 0); connect(S, pack_sockaddr_un("\\0${name}")) or do { print "refused\\n"; exit }; print <S>, "\\n"'`;
    try {
      // In a separate process, because this one has to answer.
      const outside = await promisify(execFile)('bash', ['-c', connect]);
      const run = await place.runnerOf('required');
      expect([outside.stdout, (await run(connect)).output]).toEqual(['canary\n', 'refused\n']);
    } finally {
      server.close();
    }
  });

  it.runIf(isRoot)('cannot be reached by a socket in /run, where docker has its own', async () => {
    const file = `/run/anode-test-${process.pid}.sock`;
    const server = await listening(file);
    try {
      const run = await place.runnerOf('required');
      const look = `ls ${file} /var${file} /proc/1/root${file} 2>/dev/null; perl -MSocket -e 'socket(S, 1, 1, 0); print connect(S, pack_sockaddr_un("${file}")) ? "connected\\n" : "none\\n"'`;
      expect((await run(look)).output).toBe('none\n');
    } finally {
      server.close();
      rmSync(file, { force: true });
    }
  });
});

describe.skipIf(!available)('results', () => {
  /** Takes every descriptor of every process it can (pidfd_open, pidfd_getfd), and writes to those it has not itself. */
  const forge = `perl -e '
    for my $pid (map { m{(\\d+)$} } glob "/proc/[0-9]*") {
      my $handle = syscall(434, $pid + 0, 0);
      for my $fd (0..64) {
        my $got = syscall(438, $handle, $fd, 0);
        next if $got < 0;
        my $link = readlink "/proc/self/fd/$got";
        next if grep { ($_ = readlink "/proc/self/fd/$_") eq $link } (0..2);
        open my $out, ">&=", $got or next;
        syswrite $out, pack("Q<", 1);
      }
    }'`;

  it('belong to their command, whatever another one writes to open descriptors', async () => {
    const run = await place.runnerOf('required');
    const results = await Promise.all([
      run('sleep 0.5; echo own; exit 3'),
      run(`${forge}; sleep 0.2; echo forged > /dev/null`),
      run('sleep 0.5; echo own; exit 4'),
    ]);
    expect([results[0], results[2]]).toMatchObject([
      { exitCode: 3, output: 'own\n' },
      { exitCode: 4, output: 'own\n' },
    ]);
    expect(await run('echo after; exit 5')).toMatchObject({ exitCode: 5, output: 'after\n' });
  });

  it('that a command forges end it with all processes it started', async () => {
    const run = await place.runnerOf('required');
    const time = `${700 + Math.random()}${process.pid}`;
    const { output } = await run(`setsid sleep ${time} & ${forge}; sleep ${time}`, { timeoutMs: 5_000 });
    expect([output, processesWith(time)]).toEqual(['', []]);
  });
});

describe.skipIf(!available)('programs of one run', () => {
  it('share only the workspace: a session, a command and a linter each have their own sandbox', async () => {
    const runner = await createCommandRunner({
      mode: 'required',
      workspace: { root: place.root, agentGitDirectory: async () => place.agentGit },
      spillFolder: place.spillFolder,
      environment: process.env,
    });
    place.close = () => runner.close();
    let reply = '';
    const session = await runner.open({
      command: 'echo x > /tmp/mark; echo x > /dev/shm/mark; echo x > shared; echo up; exec -a mark sleep 600',
      cwd: place.root,
      env: { MARK: 'mark' },
      onOutput: (chunk) => {
        reply += chunk.toString();
      },
    });
    await expect.poll(() => reply).toBe('up\n');
    const look =
      'ls /tmp /dev/shm | grep [m]ark; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | grep -ac [m]ark; ipcs -q 2>/dev/null | grep -c 0x; cat shared; kill -9 -1 2>/dev/null';
    const outputs: string[] = [];
    for (const readOnlyWorkspace of [false, true]) {
      let output = '';
      await runner.run({
        command: look,
        cwd: place.root,
        timeoutMs: 20_000,
        signal: new AbortController().signal,
        readOnlyWorkspace,
        onOutput: (chunk) => {
          output += chunk.toString();
        },
      });
      outputs.push(output);
    }
    expect(outputs).toEqual(['0\n0\nx\n', '0\n0\nx\n']);
    expect(reply).toBe('up\n');
    const ended = vi.fn();
    void session.ended.then(ended);
    expect(ended).not.toHaveBeenCalled();
    await session.kill();
  });
});

describe.skipIf(!available)('files left in the workspace', () => {
  it('make our git run nothing: settings, hooks and monitors of a forged or nested git directory', async () => {
    const before = readFileSync(join(place.root, '.git/config'), 'utf8');
    const run = await place.runnerOf('required');
    await run(
      `mkdir -p sub nested && git -C sub init -q && git -C sub config core.fsmonitor 'touch ${place.folder}/ran' && cp -r .git nested/.git && git config core.fsmonitor 'touch ${place.folder}/ran' && git config core.hooksPath "$PWD/hooks"; echo 'gitdir: /etc' > nested/file`,
    );
    expect(existsSync(join(place.root, 'sub/.git/config'))).toBe(true);
    execFileSync('git', ['-C', place.root, 'log', '-1']);
    expect([
      readFileSync(join(place.root, '.git/config'), 'utf8'),
      existsSync(join(place.folder, 'ran')),
    ]).toEqual([before, false]);
  });
});

describe.skipIf(!available)('a time-out', () => {
  it('ends a process that forked twice, left its session, and cleared its environment and descriptors', async () => {
    const run = await place.runnerOf('required');
    const time = `${800 + Math.random()}${process.pid}`;
    const daemon = `(setsid env -i bash -c "exec 0<&- 1>&- 2>&-; trap '' TERM HUP; (setsid sleep ${time} &)" &)`;
    const { timedOut, output } = await run(
      `${daemon}; env -i setsid sleep ${time} & echo said; sleep ${time}`,
      {
        timeoutMs: 1_500,
      },
    );
    expect({ timedOut, output, left: processesWith(time) }).toEqual({
      timedOut: true,
      output: 'said\n',
      left: [],
    });
  });
});

describe.skipIf(!available)('when our process is killed', () => {
  it.each([0, 5, 10, 20, 40, 80, 160])('no command continues, %i ms after its start', {
    timeout: 120_000,
  }, async (delay) => {
    const made = join(place.root, 'made');
    const child = spawn(
      process.execPath,
      [program, reported([`sleep 0.5; touch ${made}; sleep 600`], null)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(child.stdout, 'data');
    const late = performance.now() + delay;
    while (performance.now() < late) await new Promise((settle) => setImmediate(settle));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => processesWith(place.root)).toEqual([]);
    expect(existsSync(made)).toBe(false);
  });
});
