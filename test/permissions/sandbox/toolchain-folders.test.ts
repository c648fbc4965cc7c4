import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolchainFolders } from '../../../src/permissions/sandbox/toolchain-folders.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'anode-toolchains-')));
  for (const name of ['go/bin', 'app/bin', 'app/data/runs', 'home/bin', 'home/.cargo/bin', 'home/.cargo/git'])
    mkdirSync(join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('shows toolchains, but no home and nothing that lies beside data of ours', () => {
  const path = ['go/bin', 'app/bin', 'home/bin', 'home/.cargo/bin', 'app', 'missing/bin'].map((name) =>
    join(folder, name),
  );
  const hidden = [join(folder, 'home'), join(folder, 'app/data/runs')];
  expect(toolchainFolders(path.join(':'), [], hidden)).toEqual(
    ['app/bin', 'go', 'home/.cargo/bin', 'home/.cargo/git', 'home/bin'].map((name) => join(folder, name)),
  );
});
