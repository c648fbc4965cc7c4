import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reachableNode, toolchainFolders } from '../../../src/permissions/sandbox/toolchain-folders.ts';

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

it('takes ours for the Node that a user can start, else the first on the PATH, else none', () => {
  chmodSync(folder, 0o711);
  for (const name of ['home/bin', 'app/bin', 'go/bin']) writeFileSync(join(folder, name, 'node'), '');
  chmodSync(join(folder, 'home'), 0o700);
  const other = { uid: 4321, gid: 4321 };
  const path = ['home/bin', 'app/bin', 'go/bin'].map((name) => join(folder, name)).join(':');
  const at = (place: string) => join(folder, place);
  expect([
    reachableNode(at('home/bin/node'), path, {}),
    reachableNode(at('home/bin/node'), path, other),
    reachableNode(at('home/bin/node'), at('home/bin'), other),
    reachableNode(at('go/bin/node'), path, other),
  ]).toEqual([at('home/bin/node'), at('app/bin/node'), null, at('go/bin/node')]);
});
