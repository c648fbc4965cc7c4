import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyRedacted } from '../../../src/workspace/storage/export-run.ts';
import { put, temporaryFolder } from '../repository.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('redacted');
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);
const redact = (text: string) => text.replaceAll('secret', '***');
const most = 8 * 1024 * 1024;

test('a file is copied redacted and with a private mode, and replaces no file', async () => {
  put(folder, { from: 'a secret é\n' });
  await copyRedacted(at('from'), at('to'), redact);
  expect([readFileSync(at('to'), 'utf8'), statSync(at('to')).mode & 0o777]).toEqual(['a *** é\n', 0o600]);
  await expect(copyRedacted(at('from'), at('to'), redact)).rejects.toThrow('EEXIST');
});

test('a copy stops after 8 MiB and gives the number of missing bytes', async () => {
  put(folder, { whole: 'x'.repeat(most), longer: `${'x'.repeat(most)}yz` });
  await copyRedacted(at('whole'), at('one'), (text) => text);
  await copyRedacted(at('longer'), at('two'), (text) => text);
  expect([statSync(at('one')).size, readFileSync(at('two'), 'utf8').slice(most - 1)]).toEqual([
    most,
    'x\n[2 more bytes were not copied into this record]\n',
  ]);
});
