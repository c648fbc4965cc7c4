import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../../src/sandbox/clean-environment.ts';
import { runSetup, type SetupRequest, type SetupResult } from '../../../src/workspace/setup/run-setup.ts';
import { setupSettings } from '../../../src/workspace/setup/setup-settings.ts';
import { available, sleepers } from '../../sandbox/runner-fixture.ts';
import { type NpmRegistry, startNpmRegistry, writeNpmProject } from '../../support/npm-registry.ts';
import { programsForAnyUser } from '../../support/shared/for-any-user.ts';

let registry: NpmRegistry;
let folder: string;
let root: string;
const results: SetupResult[] = [];

beforeAll(async () => {
  registry = await startNpmRegistry([
    { name: 'greeting', version: '1.0.0', files: { 'index.js': "module.exports = 'hello';" } },
    {
      name: 'scripted',
      version: '1.0.0',
      manifest: { scripts: { install: 'echo ran > ran.txt' } },
      files: { 'index.js': '' },
    },
  ]);
});
afterAll(() => registry.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anode-setup-test-'));
  root = join(folder, 'checkout');
  mkdirSync(root);
  registry.requests.length = 0;
});
afterEach(async () => {
  for (const result of results.splice(0)) await result.release();
  rmSync(folder, { recursive: true, force: true });
});

async function setUp(change: Partial<SetupRequest> & { given?: Record<string, unknown> } = {}) {
  const { given, ...rest } = change;
  const result = await runSetup({
    settings: setupSettings({ commands: ['npm ci'], registries: [registry.host], ...given }),
    root,
    storeFolder: join(folder, 'store'),
    repository: 'owner/shop',
    untrusted: null,
    privateRegistries: [registry.host],
    environment: cleanEnvironment(process.env),
    hidden: [],
    identity: {},
    signal: new AbortController().signal,
    ...rest,
  });
  results.push(result);
  return result;
}

const madeBy = ({ output }: SetupResult, path: string) => {
  const made = output?.folders.find(({ mountPath }) => mountPath === 'node_modules');
  return join(made?.folder ?? '/nowhere', path);
};

describe.skipIf(!available)('a set-up with npm', () => {
  it('installs from the registry into our own folder, runs no install script, and leaves the checkout unchanged', async () => {
    writeNpmProject(root, registry, ['greeting', 'scripted']);
    const before = readdirSync(root);
    const result = await setUp();
    expect({ ...result, output: result.output?.folders.map(({ mountPath }) => mountPath) }).toEqual({
      state: 'ready',
      output: ['node_modules'],
      problem: null,
      notes: [],
      release: expect.any(Function),
    });
    expect(readFileSync(madeBy(result, 'greeting/index.js'), 'utf8')).toContain('hello');
    expect(existsSync(madeBy(result, 'scripted/ran.txt'))).toBe(false);
    expect(readdirSync(root)).toEqual(before);
  });

  it('runs install scripts if requested', async () => {
    writeNpmProject(root, registry, ['scripted']);
    const result = await setUp({ given: { scripts: true } });
    expect(readFileSync(madeBy(result, 'scripted/ran.txt'), 'utf8')).toBe('ran\n');
  });

  it('stores no program that would run as its owner or group', async () => {
    writeNpmProject(root, registry, ['greeting']);
    const commands = [
      'npm ci',
      'cd node_modules && mkdir -m 2755 group && cp /bin/true suid && chmod 6755 suid',
    ];
    const result = await setUp({ given: { commands } });
    const modes = ['suid', 'group'].map((name) => statSync(madeBy(result, name)).mode & 0o7777);
    expect(modes).toEqual([0o755, 0o755]);
  });

  it('contacts no registry while the lock file is unchanged, and does after a change', async () => {
    writeNpmProject(root, registry, ['greeting']);
    await setUp();
    registry.requests.length = 0;
    writeFileSync(join(root, 'index.js'), 'changed');
    const again = await setUp();
    expect({ state: again.state, requests: registry.requests }).toEqual({ state: 'cached', requests: [] });
    expect(existsSync(madeBy(again, 'greeting/index.js'))).toBe(true);
    writeNpmProject(root, registry, ['greeting', 'scripted']);
    expect((await setUp()).state).toBe('ready');
  });

  it('never uses the result of an untrusted tree for a trusted one or for another untrusted one', async () => {
    writeNpmProject(root, registry, ['greeting']);
    const states = async (untrusted: string | null) => (await setUp({ untrusted })).state;
    expect([await states('pull request 7'), await states('pull request 7')]).toEqual(['ready', 'cached']);
    expect([await states('pull request 8'), await states(null)]).toEqual(['ready', 'ready']);
    // The result of a trusted tree can be used for untrusted ones.
    expect(await states('pull request 9')).toBe('cached');
  });

  it('reaches no host except the registries, and reports the refused ones', async () => {
    writeNpmProject(root, registry, ['greeting'], { greeting: 'http://evil.example/greeting.tgz' });
    const result = await setUp();
    expect({ ...result, problem: result.problem?.slice(0, 22) }).toEqual({
      state: 'failed',
      output: null,
      problem: '`npm ci` ended with 1:',
      notes: ['The set-up wanted evil.example: refused, it is not among the registries.'],
      release: expect.any(Function),
    });
  });

  it('ends every process it started at the time limit', async () => {
    const time = `${300 + Math.floor(Math.random() * 1e6) / 1e4}${process.pid}`;
    const result = await setUp({
      given: { commands: [`(setsid sleep ${time} &) ; echo waiting; sleep ${time}`], timeoutSeconds: 2 },
    });
    expect(result.problem).toBe(
      `\`(setsid sleep ${time} &) ; echo waiting; sleep ${time}\` was ended after the 2 seconds allowed: waiting`,
    );
    expect(sleepers(time)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'runs as the owner of the checkout, and stores the result',
    async () => {
      writeNpmProject(root, registry, ['greeting']);
      const identity = { uid: 1234, gid: 1234 };
      for (const path of [root, ...readdirSync(root).map((name) => join(root, name))])
        chownSync(path, 1234, 1234);
      const result = await setUp({
        identity,
        environment: cleanEnvironment({
          ...process.env,
          PATH: [await programsForAnyUser(), process.env.PATH].join(':'),
        }),
        given: { commands: ['id -u', 'npm ci', 'id -u > node_modules/who'] },
      });
      expect(result.problem).toBeNull();
      expect(readFileSync(madeBy(result, 'who'), 'utf8')).toBe('1234\n');
      expect(statSync(madeBy(result, 'greeting')).uid).toBe(1234);
    },
  );

  it('is ended if it fills the disk', async () => {
    const result = await setUp({
      given: { commands: ['head -c 300M /dev/zero > big; echo written; sleep 300'] },
      disk: { bytes: 100 * 2 ** 20, files: 1_000_000, free: 0 },
    });
    expect({ state: result.state, problem: result.problem }).toEqual({
      state: 'failed',
      problem: 'it took more of the disk than it may, and was ended',
    });
    // Nothing remains in the store.
    expect(readdirSync(join(folder, 'store'))).toEqual([]);
  });

  it('mounts at most 60 folders, without links, and stores nothing without a lock file', async () => {
    mkdirSync(join(root, 'd1/node_modules'), { recursive: true });
    const commands = [
      'mkdir -p d{1..58}/node_modules/.cache ~/kept ~/other deep/node_modules/node_modules && ln -s kept ~/link',
    ];
    const given = {
      commands,
      cache: ['**/node_modules', '~/kept', '~/link', '~/none', '~/other'],
      lockfiles: [],
    };
    const result = await setUp({ given });
    const places = result.output?.folders.map(({ mountPath }) => mountPath).sort();
    expect({ ...result, output: { ...result.output, folders: places } }).toEqual({
      state: 'ready',
      problem: null,
      notes: ['The set-up made more folders than can be mounted: 1 are left out.'],
      output: {
        builtAt: root,
        folders: [
          ...Array.from({ length: 58 }, (_, index) => `d${index + 1}/node_modules`),
          'deep/node_modules',
          '~/kept',
        ].sort(),
      },
      release: expect.any(Function),
    });
    const made =
      result.output?.folders.find(({ mountPath }) => mountPath === 'd2/node_modules')?.folder ?? '';
    expect(readdirSync(made).sort()).toEqual(['.cache', '.vite', '.vite-temp']);
    expect((await setUp({ given })).state).toBe('ready');
    for (const one of results.splice(0)) await one.release();
    expect(readdirSync(join(folder, 'store'))).toEqual([]);
  });

  it('reports the folder of the checkout that prevents a mount', async () => {
    writeNpmProject(root, registry, ['greeting']);
    mkdirSync(join(root, 'node_modules/own'), { recursive: true });
    const result = await setUp();
    expect({ folders: result.output?.folders, notes: result.notes }).toEqual({
      folders: [],
      notes: ['node_modules stands in the checkout itself, so that of the set-up is not mounted.'],
    });
  });
});
