import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { mountedSetup } from '../../src/sandbox/setup-layout.ts';
import { available, runnerPlace } from './runner-fixture.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-shown-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const output = (places: readonly string[], builtAt = root) => ({
  builtAt,
  folders: places.map((mountPath, index) => ({ mountPath, folder: `/store/${index}` })),
});

describe('the result of a set-up in a sandbox', () => {
  it('mounts each folder at its path in the workspace or in the home of commands', () => {
    expect(mountedSetup(output(['node_modules', '~/go/pkg/mod']), root, [])).toEqual({
      folders: [
        { folder: '/store/0', target: join(root, 'node_modules') },
        { folder: '/store/1', target: '/tmp/home/go/pkg/mod' },
      ],
      scratch: [],
      builtAt: null,
    });
  });

  it('has writable folders where programs write, if these are empty', () => {
    const folder = join(root, 'store');
    for (const name of ['.cache', '.vite', '.vite-temp/kept'])
      mkdirSync(join(folder, name), { recursive: true });
    const made = {
      builtAt: root,
      folders: [
        { mountPath: 'web/node_modules', folder },
        { mountPath: '.venv', folder },
      ],
    };
    expect(mountedSetup(made, root, []).scratch).toEqual([
      join(root, 'web/node_modules/.cache'),
      join(root, 'web/node_modules/.vite'),
    ]);
  });

  it('is left out where a command has put a link or a file since', () => {
    mkdirSync(join(root, 'web'));
    symlinkSync('/etc', join(root, 'web/node_modules'));
    symlinkSync('/tmp', join(root, 'api'));
    writeFileSync(join(root, 'docs'), '');
    const places = ['web/node_modules', 'api/node_modules', 'docs/node_modules'];
    expect(mountedSetup(output(places), root, []).folders).toEqual([]);
  });

  it('is also mounted at its old path, unless another mount is there', () => {
    const builtAt = (place: string) => mountedSetup(output([], place), root, ['/opt/tools']).builtAt;
    expect(['/var/old/tree', join(root, 'sub'), '/opt/tools/tree', '/opt', '/'].map(builtAt)).toEqual([
      '/var/old/tree',
      null,
      null,
      null,
      null,
    ]);
  });
});

const place = runnerPlace();

describe.skipIf(!available)('a sandbox with the result of a set-up', () => {
  it('has the files, also those that contain the path of another run, and cannot change or move them', async () => {
    const store = join(place.folder, 'store');
    const builtAt = join(place.folder, 'earlier/tree');
    mkdirSync(join(store, 'bin'), { recursive: true });
    writeFileSync(join(store, 'bin/tool'), `#!${builtAt}/.venv/bin/interpreter\n`, { mode: 0o755 });
    writeFileSync(join(store, 'bin/interpreter'), '#!/bin/sh\necho "interpreted $1"\n', { mode: 0o755 });
    const runner = await createCommandRunner({
      mode: 'required',
      workspace: { root: place.root, agentGitDirectory: async () => place.agentGit },
      spillFolder: place.spillFolder,
      environment: process.env,
      setup: () => ({ builtAt, folders: [{ mountPath: '.venv', folder: store }] }),
    });
    place.close = () => runner.close();
    let output = '';
    const run = (command: string) =>
      runner.run({
        command,
        cwd: place.root,
        timeoutMs: 20_000,
        signal: new AbortController().signal,
        onOutput: (chunk) => {
          output += chunk.toString();
        },
      });
    await run(
      'sh .venv/bin/interpreter x; cat .venv/bin/tool | head -c 2; ls $(head -1 .venv/bin/tool | cut -c3-)',
    );
    expect(output).toBe(`interpreted x\n#!${builtAt}/.venv/bin/interpreter\n`);
    const changes = [
      'rm -rf .venv',
      'mv .venv other',
      'ln -sfn /tmp .venv/bin/tool',
      'chmod 777 .venv/bin/tool',
    ];
    for (const change of changes) expect((await run(change)).exitCode).not.toBe(0);
    expect(readFileSync(join(store, 'bin/interpreter'), 'utf8')).toContain('interpreted');
    expect(readdirSync(join(place.root, '.venv'))).toEqual([]);
  });
});
