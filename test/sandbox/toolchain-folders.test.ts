import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolchainFolders } from '../../src/sandbox/toolchain-folders.ts';

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

it('shows no folder that keeps credentials, whatever lies on PATH', () => {
  const files = [
    ...[
      'me/.docker/config.json',
      'me/.docker/bin/docker',
      'me/.fly/config.yml',
      'me/.fly/bin/fly',
      'me/.gem/credentials',
    ],
    ...[
      'me/.gem/ruby/3.3.0/bin/rake',
      'me/.aws/bin/x',
      'me/.ssh/tools/x',
      'me/.azure/bin/az',
      'me/.unknown/auth.json',
    ],
    ...[
      'me/.unknown/bin/unknown',
      'data/me/.ssh/id_rsa',
      'data/me/bin/x',
      'tools/credentials.json',
      'tools/x',
      'jdk/bin/java',
    ],
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  const onPath = [
    ...files.map((file) => dirname(join(folder, file))),
    ...['me/.docker', 'me/.ssh', 'data/me'].map((name) => join(folder, name)),
  ];
  expect(toolchainFolders(onPath.join(':'))).toEqual(
    [...['data/me/bin', 'jdk', 'me/.docker/bin', 'me/.fly/bin', 'me/.gem/ruby/3.3.0', 'me/.unknown/bin']].map(
      (name) => join(folder, name),
    ),
  );
});
