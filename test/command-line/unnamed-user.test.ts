import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findCheckout } from '../../src/command-line/find-checkout.ts';
import { localRunsFolder, localSetupFolder } from '../../src/command-line/local-folders.ts';
import { repository, temporaryFolder } from '../workspace/repository.ts';

afterEach(() => void vi.restoreAllMocks());

test('a user without an entry in /etc/passwd has a checkout and folders', async () => {
  const root = temporaryFolder('unnamed');
  repository(root, { 'src/a': 'a\n' });
  // As Node does it without an entry (uv_os_get_passwd).
  vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  vi.spyOn(process, 'getuid').mockReturnValue(12_345);
  expect([
    await findCheckout('run', path.join(root, 'src')),
    localRunsFolder(),
    localSetupFolder({ HOME: '/' }),
  ]).toEqual([
    { root, start: 'src', hasRepository: true },
    path.join(os.tmpdir(), 'anode-runs-12345'),
    '/.cache/anode/set-up',
  ]);
});
