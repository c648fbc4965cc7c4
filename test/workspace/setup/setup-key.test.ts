import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderMatcher, hashLockfiles, setupKey } from '../../../src/workspace/setup/setup-key.ts';
import { setupSettings } from '../../../src/workspace/setup/setup-settings.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-key-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const settings = setupSettings('npm ci');
const hash = () => hashLockfiles(root, settings);

describe('the hash of the lock files', () => {
  it('changes with the content and name of each lock file, and with no other file', async () => {
    put('package-lock.json', 'one');
    const hashes = [await hash()];
    put('index.js', 'code');
    put('node_modules/a/package.json', 'installed');
    expect(await hash()).toBe(hashes[0]);
    for (const [path, text] of [
      ['package-lock.json', 'two'],
      ['web/package.json', 'three'],
      ['api/package.json', 'three'],
      ['.npmrc', 'four'],
    ] as const) {
      put(path, text);
      hashes.push(await hash());
    }
    expect(new Set(hashes).size).toBe(5);
  });

  it('is null without a lock file, or if one is a link', async () => {
    put('index.js', 'code');
    expect(await hash()).toBeNull();
    put('locks/npm.json', 'one');
    symlinkSync('locks/npm.json', join(root, 'package-lock.json'));
    expect(await hash()).toBeNull();
  });

  it('is null for too many lock files, or if the tree is too deep', async () => {
    const given = { lockfiles: ['**/*.lock'], cache: ['deps', '~/kept'] };
    mkdirSync(join(root, 'many'));
    for (let index = 0; index < 2_000; index += 1) writeFileSync(join(root, `many/${index}.lock`), '');
    put('deps/more.lock', '');
    const many = await hashLockfiles(root, given);
    put('one-more.lock', '');
    const more = await hashLockfiles(root, given);
    rmSync(join(root, 'many'), { recursive: true });
    const few = await hashLockfiles(root, given);
    put(`${'d/'.repeat(25)}x`, '');
    expect([many, more, few, await hashLockfiles(root, given)]).toEqual([
      ...[expect.stringMatching(/^[0-9a-f]{64}$/), null, expect.stringMatching(/^[0-9a-f]{64}$/), null],
    ]);
  });

  it('is null without a pattern, or if only a folder matches', async () => {
    put('a.lock/x', '');
    const without = await hashLockfiles('/nowhere', { lockfiles: [], cache: [] });
    expect([without, await hashLockfiles(root, { lockfiles: ['*.lock'], cache: [] })]).toEqual([null, null]);
  });

  it('is the same for the same files in any folder', async () => {
    put('one/package.json', '{}');
    put('two/package.json', '{}');
    const of = (folder: string) => hashLockfiles(join(root, folder), settings);
    expect(await of('one')).toBe(await of('two'));
  });
});

describe('the folders that a set-up makes', () => {
  it('match their globs, except for those in the home', () => {
    const isMade = folderMatcher(['**/node_modules', '~/go', '.venv']);
    expect(['node_modules', 'a/node_modules', '.venv', 'a/.venv', '~/go', 'go'].map(isMade)).toEqual([
      ...[true, true, true, false, false, false],
    ]);
  });
});

describe('the key of a result', () => {
  const subject = { repository: 'acme/shop', trust: '', path: '/usr/bin' };

  it('differs for other commands, settings, repositories, trust, toolchains or lock files', () => {
    const keys = [
      setupKey('hash', settings, subject),
      setupKey('other', settings, subject),
      setupKey('hash', setupSettings('npm ci --omit dev'), subject),
      setupKey('hash', { ...settings, scripts: true }, subject),
      setupKey('hash', { ...settings, registries: ['r.test'] }, subject),
      setupKey('hash', { ...settings, cache: ['deps'] }, subject),
      setupKey('hash', { ...settings, environment: { A: '1' } }, subject),
      setupKey('hash', { ...settings, commands: ['npm install'] }, subject),
      setupKey('hash', settings, { ...subject, repository: 'acme/other' }),
      setupKey('hash', settings, { ...subject, trust: 'pull request 7' }),
      setupKey('hash', settings, { ...subject, path: '/opt/bin' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    const same = { ...settings, timeoutSeconds: 1, lockfiles: ['x'], runEnvironment: { B: '2' } };
    expect(setupKey('hash', same, subject)).toBe(keys[0]);
    expect(keys.every((key) => /^[0-9a-f]{40}$/.test(key))).toBe(true);
  });
});
