import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localConfig } from '../../src/command-line/local-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'anode-config-'));
  mkdirSync(path.join(folder, 'anode'));
  writeFileSync(path.join(folder, 'anode/config.json'), '{"model": "own/one", "sandbox": "off"}');
  writeFileSync(path.join(folder, 'named.yml'), 'model: named/two\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a configuration from the command line takes precedence over the user's own", async () => {
  const environment = { XDG_CONFIG_HOME: folder };
  const named = path.join(folder, 'named.yml');
  expect([await localConfig(named, environment), await localConfig(undefined, environment)]).toEqual([
    { model: 'named/two', sandbox: 'off' },
    { model: 'own/one', sandbox: 'off' },
  ]);
});

test('a user may have no configuration, but a named file must exist', async () => {
  const environment = { XDG_CONFIG_HOME: path.join(folder, 'none') };
  const missing = path.join(folder, 'missing.yml');
  expect(await localConfig(undefined, environment)).toEqual({});
  await expect(localConfig(missing, environment)).rejects.toThrow(
    `${missing} cannot be read: there is no such file.`,
  );
});
