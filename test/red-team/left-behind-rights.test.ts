import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';
import { runScripts } from './support/run-scripts.ts';

/** Each is a way to a program that runs as its owner. */
const rights = [
  "mkdir out; echo '*' >out/.gitignore; umask 0; cp /bin/true out/a; chmod 4755 out/a; chmod u+s,g+s out/a",
  'install -m 6755 /bin/true out/b; cp -p out/a out/c; chmod 2755 out/c',
  `perl -e 'sysopen(F, "out/d", 0101, 04755); chmod(04755, "out/d"); syscall(${process.arch === 'arm64' ? 53 : 268}, -100, "out/d", 04755, 0); syscall(452, -100, "out/d", 04755, 0)'`,
  `perl -e 'syscall(${process.arch === 'arm64' ? 33 : 259}, -100, "out/e", 0106755, 0)'; mkdir -m 2777 out/f; ls out`,
].join('; ');

let local: Local;

describe.skipIf(!available)('programs with set-user-id or set-group-id bits', () => {
  beforeAll(async () => {
    local = await startLocal();
  });
  afterAll(() => local.close());

  const left = async (owner: number | null) => {
    const { code, checkout } = await runScripts(local, `rise ${owner}`, { rights }, owner);
    const out = path.join(checkout, 'out');
    const files = readdirSync(out).filter((name) => name !== '.gitignore');
    return {
      code,
      files: files.length > 2,
      risen: files.filter((name) => (statSync(path.join(out, name)).mode & 0o6000) !== 0),
    };
  };

  test('do not remain in our own tree', async () => {
    expect(await left(null)).toEqual({ code: 0, files: true, risen: [] });
  });

  test.skipIf(process.getuid?.() !== 0)('do not remain in another user’s tree', async () => {
    expect(await left(1000)).toEqual({ code: 0, files: true, risen: [] });
  });
});
