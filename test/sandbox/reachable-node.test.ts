import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reachableNode } from '../../src/sandbox/reachable-node.ts';

it('our Node counts as the one that a user can start, else the first on the PATH, else none', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'anode-reachable-')));
  chmodSync(folder, 0o711);
  for (const name of ['home/bin', 'app/bin', 'go/bin']) mkdirSync(join(folder, name), { recursive: true });
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
  rmSync(folder, { recursive: true });
});
