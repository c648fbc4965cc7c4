import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashLockfiles, setupKey } from '../../../src/workspace/setup/setup-key.ts';
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

describe('what says that a kept result is out of date', () => {
  it('changes with the content and the name of any file that says what is installed, and with no other', async () => {
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

  it('is not there without such a file, nor where one leads elsewhere', async () => {
    put('index.js', 'code');
    expect(await hash()).toBeNull();
    put('locks/npm.json', 'one');
    symlinkSync('locks/npm.json', join(root, 'package-lock.json'));
    expect(await hash()).toBeNull();
  });
});

describe('the key of a result', () => {
  const subject = { repository: 'acme/shop', trust: '', path: '/usr/bin' };

  it('is another for other commands, settings, repositories, trust, toolchains or lock files', () => {
    const keys = [
      setupKey('hash', settings, subject),
      setupKey('other', settings, subject),
      setupKey('hash', setupSettings('npm ci --omit dev'), subject),
      setupKey('hash', setupSettings({ commands: ['npm ci'], scripts: true }), subject),
      setupKey('hash', setupSettings({ commands: ['npm ci'], registries: ['r.test'] }), subject),
      setupKey('hash', setupSettings({ commands: ['npm ci'], cache: ['deps'] }), subject),
      setupKey('hash', settings, { ...subject, repository: 'acme/other' }),
      setupKey('hash', settings, { ...subject, trust: 'pull request 7' }),
      setupKey('hash', settings, { ...subject, path: '/opt/bin' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(setupKey('hash', settings, subject)).toBe(keys[0]);
    expect(keys.every((key) => /^[0-9a-f]{40}$/.test(key))).toBe(true);
  });
});
