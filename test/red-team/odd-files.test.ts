import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';
import { runScripts } from './support/run-scripts.ts';

/** Each would have git or a search wait, or read without end. */
const odd = `mkfifo .gitattributes; mkdir fifo; mkfifo fifo/.gitignore; ln -s /dev/zero .gitmodules; mkdir wide; truncate -s 4G wide/.gitignore; truncate -s 4G wide/sparse; truncate -s 4G wide/tracked`;

let local: Local;

describe.skipIf(!available)('rule files that are pipes, devices or huge', () => {
  beforeAll(async () => {
    local = await startLocal();
  });
  afterAll(() => local.close());

  test('block neither git nor the run, and are removed', async () => {
    const { code, checkout, paths, diagnostics } = await runScripts(local, 'be odd', { odd }, null);
    const left = ['.gitattributes', 'fifo/.gitignore', '.gitmodules', 'wide/.gitignore'];
    expect({
      code,
      left: left.filter((one) => existsSync(path.join(checkout, one))),
      paths,
      said: diagnostics.filter((one: string) => one.includes('too large')),
    }).toEqual({
      code: 0,
      left: [],
      paths: ['colour.txt'],
      said: [expect.stringMatching(/^2 files too large.*`wide.sparse`, `wide.tracked`/)],
    });
  });
});
