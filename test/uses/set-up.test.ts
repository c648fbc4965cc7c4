import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { type NpmRegistry, startNpmRegistry, writeNpmProject } from '../support/npm-registry.ts';
import { allTextOf, call, lastResults } from './support/conversation.ts';
import { type Local, startLocal } from './support/start-local.ts';

let registry: NpmRegistry;
let local: Local;

beforeAll(async () => {
  registry = await startNpmRegistry([
    { name: 'greeting', version: '1.0.0', files: { 'index.js': "module.exports = 'hello';\n" } },
  ]);
  local = await startLocal();
  await mkdir(join(local.home, '.config/anode'), { recursive: true });
  const config = {
    sandbox: 'required',
    setup: { commands: ['npm ci'], registries: [registry.host] },
    network: { privateRegistries: [registry.host] },
  };
  await writeFile(join(local.home, '.config/anode/config.json'), JSON.stringify(config));
});
afterAll(async () => {
  await local.close();
  await registry.close();
});

/** A checkout that does not even ignore what is installed. */
async function project(): Promise<string> {
  const folder = await local.checkout({ 'main.js': "console.log(require('greeting'));\n" });
  writeNpmProject(folder, registry, ['greeting']);
  await local.git(folder, 'add', '.');
  await local.git(folder, 'commit', '-q', '-m', 'Depend on a package');
  return folder;
}

/** A run, as reported by `--output json`; `options` are more words of the command. */
async function runIn(folder: string, prompt: string, ...options: string[]) {
  const run = await local.anode(folder, ['run', '--prompt', prompt, '--output', 'json', ...options], {
    environment: { XDG_CACHE_HOME: join(local.home, 'caches') },
  });
  if (run.stdout === '') throw new Error(run.stderr);
  const { conclusion, changes } = JSON.parse(run.stdout) as {
    conclusion: string;
    changes: { path: string }[];
  };
  return { conclusion, changes: changes.map(({ path }) => path), said: run.stderr };
}

describe.skipIf(!available)('a run with a set-up', () => {
  test('finds its dependencies, can read but not change them, and none of them is among its changes', async () => {
    const results: string[] = [];
    local.learn('use what is installed', (turn, request) => {
      if (turn > 1) results.push(lastResults(request));
      switch (turn) {
        case 1:
          return { calls: [call('read', { path: 'node_modules/greeting/index.js' })] };
        case 2:
          return {
            calls: [
              call('bash', {
                command:
                  'node main.js; echo a > node_modules/.vite-temp/b && cat node_modules/.vite-temp/b; echo x > node_modules/greeting/index.js; mv node_modules moved; git status --short; git add -A; echo "y" > added.txt',
              }),
            ],
          };
        case 3:
          return { calls: [call('create_file', { path: 'node_modules/mine.js', content: 'x' })] };
        default:
          return { text: 'Done.' };
      }
    });
    const folder = await project();
    const { conclusion, changes } = await runIn(folder, 'use what is installed');
    expect({ conclusion, changes }).toEqual({ conclusion: 'success', changes: ['added.txt'] });
    // Nothing is left of the mount point or anything else.
    expect(await local.git(folder, 'status', '--short', '--ignored')).toBe(
      '?? added.txt\n!! .anode-harness/\n',
    );
    expect(await readdir(folder)).not.toContain('node_modules');
    expect(results[0]).toContain("module.exports = 'hello';");
    expect(results[1]).toMatch(/^hello$/m);
    // Bundlers write there, and find it empty again.
    expect(results[1]).toMatch(/^a$/m);
    expect(results[1]).toContain('Read-only file system');
    expect(results[1]).toMatch(/cannot move 'node_modules'/);
    expect(results[2]).toContain('was made by the set-up of this run and can only be read');
    const [first] = local.requestsFor('use what is installed');
    expect(first === undefined ? '' : allTextOf(first)).toContain(
      'Before this run, the set-up ran `npm ci`. Its results are read-only: node_modules.',
    );
  });

  test('continues if the set-up fails, and the model gets the reason', async () => {
    local.learn('do without', () => ({ text: 'Done.' }));
    const folder = await project();
    const file = join(local.home, 'broken.yml');
    await writeFile(file, 'setup: "echo all is lost; exit 3"\nnetwork: { privateRegistries: [] }\n');
    const { conclusion, said } = await runIn(folder, 'do without', '--config', file);
    const words =
      'The set-up failed, and the run continued without it: `echo all is lost; exit 3` ended with 3: all is lost';
    const [first] = local.requestsFor('do without');
    expect({
      conclusion,
      told: first === undefined ? '' : allTextOf(first).includes(words),
      shown: said.includes(words),
    }).toEqual({ conclusion: 'success', told: true, shown: true });
  });

  test('installs into the checkout itself if a person switches the sandbox off, and that changes no files', async () => {
    const results: string[] = [];
    local.learn('run it plainly', (turn, request) => {
      if (turn > 1) results.push(lastResults(request));
      return turn === 1
        ? { calls: [call('bash', { command: 'node main.js > said.txt; cat said.txt' })] }
        : { text: 'Done.' };
    });
    const folder = await project();
    const options = ['--sandbox', 'off', '--preset', 'unrestricted'];
    const { conclusion, changes } = await runIn(folder, 'run it plainly', ...options);
    expect({ conclusion, changes }).toEqual({ conclusion: 'success', changes: ['said.txt'] });
    expect(results[0]).toContain('hello');
    expect(await readdir(join(folder, 'node_modules'))).toContain('greeting');
    // An installed package is not asked for again.
    registry.requests.length = 0;
    await runIn(folder, 'run it plainly');
    expect(registry.requests).toEqual([]);
  });
});
