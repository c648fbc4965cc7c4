import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { etcParts } from '../../src/sandbox/mounted-etc.ts';
import { available, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

const isRoot = process.getuid?.() === 0;

/** Whom the tests play when they are not root: `nobody`, by its usual number. */
const nobody = 65_534;

describe.skipIf(!available)('inside the sandbox', () => {
  it('files of the machine are hidden', async () => {
    const run = await place.runnerOf('required');
    const secret = join(place.folder, 'secret.txt');
    writeFileSync(secret, 'canary');
    const { output } = await run(
      `cat /etc/shadow ${secret} ${place.folder}/agent.git/config /root/.bashrc /proc/1/root/etc/shadow 2>/dev/null; ls -A /home /var/lib /run /etc/ssh 2>/dev/null | grep -v '^/\\|^$\\|^anode$'`,
    );
    expect(output).toBe('');
  });

  it('the parts of /etc that programs need look as on the machine', async () => {
    const run = await place.runnerOf('required');
    const parts = etcParts();
    const look = `for part in ${parts.join(' ')}; do echo $part; ls -A1L $part; done; cat /etc/passwd /etc/hosts`;
    const { output } = await run(look);
    expect(output).toBe(execFileSync('bash', ['-c', look], { encoding: 'utf8' }));
    expect(parts).toContain('/etc/passwd');
  });

  it('processes outside and their environment are hidden', async () => {
    const run = await place.runnerOf('required');
    const { output } = await run(
      'cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"; ls -d /proc/[0-9]* | wc -l',
    );
    expect({
      sees: output.includes('vitest'),
      processes: Number(output.trim().split('\n').at(-1)) < 12,
    }).toEqual({ sees: false, processes: true });
  });

  it('other checkouts can be read but not written, and their git directories are hidden', async () => {
    const lib = join(place.folder, 'lib');
    const tree = join(place.folder, 'tree');
    for (const folder of [lib, tree]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'lib.ts'), 'shared\n');
    }
    mkdirSync(join(lib, '.git'));
    writeFileSync(join(lib, '.git/config'), 'canary');
    writeFileSync(join(tree, '.git'), 'gitdir: /canary');
    const run = await place.runnerOf('required', {}, [
      { root: lib, displayPath: '../lib' },
      { root: tree, displayPath: '../by-another-name' },
    ]);
    const { output } = await run(
      'for place in ../lib ../by-another-name; do cat $place/lib.ts $place/.git $place/.git/config; ls -A $place; (echo bad > $place/x || echo bad > $place/.git/x); done 2>/dev/null; ls -A ../lib/.git; echo end',
    );
    expect(output).toBe('shared\n.git\nlib.ts\nshared\n.git\nlib.ts\nend\n');
    expect([readdirSync(lib), readdirSync(tree)]).toEqual([
      ['.git', 'lib.ts'],
      ['.git', 'lib.ts'],
    ]);
  });

  it('no file outside the workspace can be written', async () => {
    const run = await place.runnerOf('required');
    const { output } = await run(
      `for place in ${place.spillFolder}/x ${place.spillFolder}/output.txt /usr/x /etc/x /x; do (echo bad > $place) 2>/dev/null && echo "wrote $place"; done; echo lost > ${place.folder}/x; cat ${place.spillFolder}/output.txt`,
    );
    expect(output).toBe('spilt');
    expect([existsSync(join(place.folder, 'x')), existsSync('/usr/x'), existsSync('/x')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('a command with read-only rights changes nothing in the workspace, with or without a ledger there', async () => {
    const run = await place.runnerOf('required');
    const attempt =
      'for at in made.txt .git/made .anode-harness/made /tmp/made; do (echo x > $at) 2>/dev/null && echo $at; done; cat file.txt';
    const outputs: string[] = [];
    for (let round = 0; round < 2; round += 1)
      outputs.push((await run(attempt, { readOnlyWorkspace: true })).output);
    expect(outputs).toEqual(Array.from({ length: 2 }, () => '/tmp/made\ncontent\n'));
    expect([existsSync(join(place.root, 'made.txt')), existsSync(join(place.agentGit, 'made'))]).toEqual([
      false,
      false,
    ]);
  });

  it('the workspace can be written, and /tmp ends with the command', async () => {
    const run = await place.runnerOf('required');
    await run('echo new > made.txt; echo old > /tmp/trace');
    const { output } = await run('cat made.txt; cat /tmp/trace 2>&1 | grep -c such');
    expect([output, readFileSync(join(place.root, 'made.txt'), 'utf8')]).toEqual(['new\n1\n', 'new\n']);
  });

  it('there is no network and no socket of the machine', async () => {
    const server = createServer((socket) => socket.end('canary'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const run = await place.runnerOf('required');
      const { output } = await run(
        `(cat < /dev/tcp/127.0.0.1/${port}) 2>/dev/null; find /run /tmp /var /home /root /dev -type s 2>/dev/null; echo end`,
      );
      expect(output).toBe('end\n');
    } finally {
      server.close();
    }
  });

  it('git works on the throwaway directory and cannot reach the real one', async () => {
    const before =
      readFileSync(join(place.root, '.git/HEAD'), 'utf8') +
      readdirSync(join(place.root, '.git/hooks')).join();
    const run = await place.runnerOf('required');
    const { output } = await run(
      'git log --format=%s; echo more >> file.txt; git commit -qam second && git log --format=%s; cat .git/config | grep -c canary; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout; echo evil > .git/HEAD; mv .git other 2>&1 | grep -c busy',
    );
    expect(output).toBe('first\nsecond\nfirst\n0\n1\n');
    const after =
      readFileSync(join(place.root, '.git/HEAD'), 'utf8') +
      readdirSync(join(place.root, '.git/hooks')).join();
    expect(after).toBe(before);
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: place.root, encoding: 'utf8' })).toBe(
      'first\n',
    );
  });

  it('a repository whose alternate folder holds no objects does not reveal that folder or its path', async () => {
    const secrets = join(place.folder, 'objects');
    mkdirSync(secrets);
    writeFileSync(join(secrets, 'key'), 'canary');
    appendFileSync(join(place.root, '.git/objects/info/alternates'), `${secrets}\n${place.folder}\n`);
    const run = await place.runnerOf('required');
    const { output } = await run(
      'git log --format=%s; ls /run/anode/objects; cat /run/anode/objects/*/key 2>/dev/null',
    );
    expect(output).toBe('first\n0\n');
  });

  it('no ledger can be forged in a workspace without one', async () => {
    const run = await place.runnerOf('required');
    const { exitCode } = await run(
      'mkdir -p .anode-harness/run_made_up && echo {} > .anode-harness/run_made_up/session.json',
    );
    expect([exitCode, readdirSync(join(place.root, '.anode-harness'))]).toEqual([1, []]);
  });

  it('temporary folders have a size limit, no core is dumped, and private keys of the machine are hidden', async () => {
    const run = await place.runnerOf('required');
    const { output } = await run(
      'df --output=size -B1 /tmp /root | tail -n 2; ulimit -c; ls -A /etc/ssl/private /etc/pki/tls/private 2>/dev/null | grep -v "^/"',
    );
    const [tmp = 0, root, cores, ...keys] = output
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(Number);
    expect({ tmp: tmp <= totalmem() / 4, root, cores, keys }).toEqual({
      tmp: true,
      root: 64 * 1024 * 1024,
      cores: 0,
      keys: [],
    });
  });

  it('a `.git` file is also replaced', async () => {
    const linked = join(place.folder, 'linked');
    execFileSync('git', ['worktree', 'add', '-q', linked, '-b', 'side'], { cwd: place.root });
    place.root = linked;
    const run = await place.runnerOf('required');
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

  it('the ledger of the run is hidden', async () => {
    mkdirSync(join(place.root, '.anode-harness'));
    writeFileSync(join(place.root, '.anode-harness/run.jsonl'), 'record');
    const run = await place.runnerOf('required');
    const { output } = await run(
      'ls -A .anode-harness; (echo x > .anode-harness/run.jsonl) 2>/dev/null || echo refused',
    );
    expect([output, readFileSync(join(place.root, '.anode-harness/run.jsonl'), 'utf8')]).toEqual([
      'refused\n',
      'record',
    ]);
  });

  it('a process has no rights to create another sandbox, mount or become root', async () => {
    const run = await place.runnerOf('required');
    const { output } = await run(
      'unshare -Ur true 2>/dev/null && echo unshared; mount -o remount,rw /usr 2>/dev/null && echo mounted; grep CapEff /proc/self/status; chroot / true 2>/dev/null && echo chrooted',
    );
    expect(output).toBe('CapEff:\t0000000000000000\n');
  });

  it('a program found through PATH works in any install folder', async () => {
    const tool = join(place.folder, 'tool/bin');
    mkdirSync(tool, { recursive: true });
    writeFileSync(join(tool, 'greet'), '#!/bin/sh\necho hello\n');
    chmodSync(join(tool, 'greet'), 0o755);
    const run = await place.runnerOf('required', { PATH: `${tool}:${process.env.PATH}` });
    expect((await run(`greet; ${process.execPath} -p 6*7; echo x > ${tool}/greet`)).output).toMatch(
      /^hello\n42\n.*Read-only/s,
    );
  });

  it.runIf(isRoot)('a command started by root runs as the owner of the workspace', async () => {
    chmodSync(place.folder, 0o711);
    execFileSync('chown', ['-R', `${nobody}:${nobody}`, place.root]);
    const run = await place.runnerOf('required');
    const { output } = await run(
      'id -u; echo mine > made.txt; git log --format=%s; git commit -q --allow-empty -m x && git log -1 --format=%s',
    );
    expect([
      output,
      execFileSync('stat', ['-c', '%u', join(place.root, 'made.txt')], { encoding: 'utf8' }),
    ]).toEqual([`${nobody}\nfirst\nx\n`, `${nobody}\n`]);
  });
});
