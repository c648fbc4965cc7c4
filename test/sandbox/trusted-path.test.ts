import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBwrap, trustedPath } from '../../src/sandbox/trusted-path.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'anode-path-')));
  for (const name of ['tree/bin', 'treetop', 'other', 'linked', 'dull', 'real'])
    mkdirSync(at(name), { recursive: true });
  for (const name of ['tree/bin', 'treetop', 'other', 'dull', 'real']) {
    writeFileSync(at(`${name}/bwrap`), '#!/bin/sh\n');
    chmodSync(at(`${name}/bwrap`), name === 'dull' ? 0o644 : 0o755);
  }
  symlinkSync(at('tree/bin'), at('by-link'));
  symlinkSync(at('tree'), at('alias'));
  symlinkSync(at('tree/bin/bwrap'), at('linked/bwrap'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a PATH keeps its order but loses relative entries and folders of the checkout', () => {
  const path = [
    at('tree/bin'),
    'bin',
    '',
    '.',
    at('treetop'),
    at('by-link'),
    at('tree'),
    at('gone'),
    at('other'),
  ];
  const stored = [at('treetop'), at('gone'), at('other')].join(':');
  expect([at('tree'), at('alias')].map((root) => trustedPath(path.join(':'), root))).toEqual([
    stored,
    stored,
  ]);
});

test('without a checkout only relative entries are removed, and without a PATH the system default applies', () => {
  expect([trustedPath(`bin:${at('tree/bin')}:`, null), trustedPath(undefined, at('tree'))]).toEqual([
    at('tree/bin'),
    '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ]);
});

test('bubblewrap is the first executable outside the checkout', () => {
  const found = (...folders: string[]) => findBwrap(folders.map(at).join(':'), at('tree'));
  expect([
    found('tree/bin', 'linked', 'dull', 'real', 'other'),
    found('other', 'real'),
    found('tree/bin'),
  ]).toEqual([at('real/bwrap'), at('other/bwrap'), 'bwrap']);
});
