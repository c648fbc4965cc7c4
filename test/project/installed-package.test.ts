import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { appPermissions, startAppProcess } from '../support/app-process.ts';
import { startGitHub } from '../support/github/start-github.ts';
import { copyDatabase } from '../support/shared/copy-database.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';
import { root } from './source-tree.ts';

const run = promisify(execFile);

let local: Local;
let folder: string;
/**
 * The installed package: the files of `npm pack`, and beside it the packages of an installation.
 */
let installed: string;
let checkout: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-installed-'));
  installed = path.join(folder, 'node_modules', 'anode-ci');
  await mkdir(installed, { recursive: true });
  const { stdout } = await run(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
    {
      cwd: root,
      env: { ...process.env, npm_config_cache: path.join(folder, 'cache') },
    },
  );
  await run('tar', ['-xzf', path.join(folder, stdout.trim()), '-C', installed, '--strip-components=1']);
  const Packages = z.record(z.string(), z.string());
  const { dependencies, optionalDependencies } = z
    .object({ dependencies: Packages, optionalDependencies: Packages })
    .parse(JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = path.join(installed, 'node_modules', name);
    await mkdir(path.dirname(place), { recursive: true });
    // The Node of another architecture is not there, as in an installation.
    await symlink(path.join(root, 'node_modules', name), place);
  }
  local = await startLocal();
  checkout = await local.checkout({
    'src/cart.ts': 'export function total(prices: number[]) {\n  return prices.length;\n}\n',
    'config/app.yaml': 'port: 8080\n',
  });
});
afterAll(async () => {
  await local.close();
  await rm(folder, { recursive: true, force: true });
});

/** `anode …` of the installed package, in the checkout. */
const anode = (...args: readonly string[]) =>
  local.anode(checkout, args, { program: path.join(installed, 'bin', 'anode.mjs') });

const use = async (name: string, ...args: readonly string[]) =>
  (await anode('tools', 'use', name, ...args)).stdout;

test('an installed package reads code by its syntax, searches it, and edits', async () => {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  expect({
    version: (await anode('--version')).stdout,
    symbols: await use('code_search', '--arg', 'query=total'),
    found: await use('grep', '--arg', 'pattern=total'),
    edited: await use(
      'edit_file',
      ...['--allow-non-read', '--arg', 'path=config/app.yaml'],
      ...['--arg', 'old_string=8080', '--arg', 'new_string=9090'],
    ),
  }).toEqual({
    version: `${version}\n`,
    symbols: expect.stringContaining('src/cart.ts:1:17 function total'),
    found: expect.stringContaining('src/cart.ts:1:'),
    edited: 'Edited config/app.yaml, line 1:\n1\tport: 9090\n',
  });
});

test('an installed package runs a task', async () => {
  local.learn('what is total', (turn, request) =>
    turn === 1
      ? { calls: [call('read', { path: 'src/cart.ts' })] }
      : { text: `It counts: ${lastResults(request).includes('prices.length')}.` },
  );
  const { code, stdout } = await anode('run', '--prompt', 'what is total');
  expect({ code, answer: stdout.trimStart().split('\n')[0] }).toEqual({
    code: 0,
    answer: 'It counts: true.',
  });
});

test('an installed package serves the App on its embedded database', async () => {
  const github = await startGitHub();
  await copyDatabase(path.join(folder, 'data'));
  const server = await startAppProcess({
    github,
    app: github.addApp({ slug: 'anode-ci', permissions: appPermissions }),
    folder,
    program: ['--liftoff-only', path.join(installed, 'dist', 'cli.js')],
    environment: { ANTHROPIC_BASE_URL: local.model.url, ANTHROPIC_API_KEY: 'none' },
  });
  const health = await fetch(`${server.url}/healthz`);
  await server.stop();
  await github.close();
  expect({ status: health.status, complaints: server.complaints }).toEqual({ status: 200, complaints: [] });
});
