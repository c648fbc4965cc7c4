import { execFileSync } from 'node:child_process';
import type * as FileSystem from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ToolError } from '../../src/contract/errors.ts';
import type { ConfinedFiles } from '../../src/workspace/files/confined-files.ts';
import { createConfinedFiles } from '../../src/workspace/files/create-confined-files.ts';

/** The attacker's code, called with a running number before each call of the file system. */
const turns = vi.hoisted(() => ({ calls: 0, take: (_call: number): void => {} }));

// The file system is real. Only the changes between two of its calls are planned here.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  const wrapped = Object.entries(real).map(([name, value]): [string, unknown] => {
    // Another test covers crashes. A real fsync would only take time here.
    if (name === 'fsync') return [name, (_: number, done: (error: null) => void) => done(null)];
    if (typeof value !== 'function' || !name.endsWith('Sync') || name === 'closeSync') return [name, value];
    const call = (...args: unknown[]): unknown => {
      turns.calls += 1;
      turns.take(turns.calls);
      return Reflect.apply(value, real, args);
    };
    return [name, call];
  });
  const all = Object.fromEntries(wrapped);
  return { ...all, default: all };
});
const fs = await vi.importActual<typeof FileSystem>('node:fs');

let base: string;
let root: string;
let files: ConfinedFiles;

beforeAll(() => {
  // In memory if possible: thousands of renames take long on a disk.
  const folder = fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  base = fs.realpathSync(fs.mkdtempSync(path.join(folder, 'anode-swap-')));
  execFileSync('mkfifo', [path.join(base, 'pipe')]);
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));
beforeEach(() => {
  turns.take = () => {};
});

const secret = 'a secret that lies outside';

/** The replacements of what is at `at`. Each attempt makes both again. */
const shapes = {
  'a link to a folder outside': { at: 'dir', lay: (to: string) => fs.symlinkSync('../outside', to) },
  'a link to the folder of git': { at: 'dir', lay: (to: string) => fs.symlinkSync('.git', to) },
  'a link to a file outside': {
    at: 'dir/file.txt',
    lay: (to: string) => fs.symlinkSync('../../outside/file.txt', to),
  },
  'a pipe that nobody writes to': {
    at: 'dir/file.txt',
    lay: (to: string) => fs.linkSync(path.join(base, 'pipe'), to),
  },
  'a folder': { at: 'dir/file.txt', lay: (to: string) => fs.mkdirSync(to) },
  'a file': { at: 'dir', lay: (to: string) => fs.writeFileSync(to, 'a file') },
  'nothing, in place of a folder': { at: 'dir', lay: () => {} },
  'nothing, in place of a file': { at: 'dir/file.txt', lay: () => {} },
  'a file, in place of a link': { at: 'dir/link', lay: (to: string) => fs.writeFileSync(to, 'a file') },
} as const;

/** Makes the checkout and its surroundings. Returns the swap; a second call swaps back. */
function lay({ at, lay: layOther }: (typeof shapes)[keyof typeof shapes]): () => void {
  for (const name of ['tree', 'outside']) fs.rmSync(path.join(base, name), { recursive: true, force: true });
  root = path.join(base, 'tree');
  for (const folder of ['tree/dir', 'tree/.git', 'outside'])
    fs.mkdirSync(path.join(base, folder), { recursive: true });
  fs.writeFileSync(path.join(root, 'dir/file.txt'), 'inside');
  fs.symlinkSync('file.txt', path.join(root, 'dir/link'));
  for (const folder of ['tree/.git', 'outside']) {
    fs.writeFileSync(path.join(base, folder, 'file.txt'), secret);
    fs.writeFileSync(path.join(base, folder, 'only-outside'), secret);
  }
  const [place, other, aside] = [path.join(root, at), path.join(root, 'other'), path.join(root, 'aside')];
  layOther(other);
  return () => {
    // The operation may have removed the source before the swap.
    for (const [from, to] of [
      [place, aside],
      [other, place],
      [aside, other],
    ] as const)
      if (fs.lstatSync(from, { throwIfNoEntry: false }) !== undefined) fs.renameSync(from, to);
  };
}

/** Names and contents of all files outside. */
const outside = () =>
  ['outside', 'tree/.git'].flatMap((folder) =>
    fs
      .readdirSync(path.join(base, folder))
      .sort()
      .map((name) => `${name}: ${fs.readFileSync(path.join(base, folder, name), 'utf8')}`),
  );
const untouched = Array(2)
  .fill([`file.txt: ${secret}`, `only-outside: ${secret}`])
  .flat();

function whatIsHeld({ kind, fd }: ReturnType<ConfinedFiles['hold']>): string | string[] {
  const held = kind === 'file' ? fs.readFileSync(fd, 'utf8') : fs.readdirSync(`/proc/self/fd/${fd}`);
  fs.closeSync(fd);
  return held;
}

const content = Buffer.from('ours');
type Operation = (files: ConfinedFiles) => unknown;
const operations: Readonly<Record<string, Operation>> = {
  'a read': async (on) => (await on.read('dir/file.txt')).bytes.toString(),
  'a read through a link': async (on) => (await on.read('dir/link')).bytes.toString(),
  'a look at where a link points': (on) => on.readLink('dir/link'),
  'a look at a file': (on) => on.stat('dir/file.txt'),
  'a list': (on) => on.list('dir'),
  'a file held for a program': (on) => whatIsHeld(on.hold('dir/file.txt')),
  'a folder held for a program': (on) => whatIsHeld(on.hold('dir')),
  'a write over a file': (on) => on.write([{ path: 'dir/file.txt', content }]),
  'a write of a file in a new folder': (on) => on.write([{ path: 'dir/new/file.txt', content }]),
  'a deletion': (on) => on.write([{ path: 'dir/file.txt', content: null }]),
  'a change of several files': (on) =>
    on.write([
      { path: 'dir/file.txt', content },
      { path: 'dir/new.txt', content },
      { path: 'first.txt', content },
    ]),
};

/**
 * Runs the operation once for each moment between two calls of the file system. The swap happens at
 * that moment, and is undone some calls later or never. Returns the numbers of attempts and refusals,
 * and the escapes.
 */
async function attack(shape: (typeof shapes)[keyof typeof shapes], operate: Operation) {
  let [attempts, refused] = [0, 0];
  const escapes: string[] = [];
  for (const lasts of [1, 3, Number.POSITIVE_INFINITY]) {
    for (let moment = 1; ; moment += 1) {
      const swap = lay(shape);
      let met = false;
      files = createConfinedFiles({ root, readOnlyRoots: [] });
      turns.calls = 0;
      turns.take = (call) => {
        if (call !== moment && call !== moment + lasts) return;
        met = true;
        swap();
      };
      let result: unknown;
      try {
        result = await operate(files);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        refused += 1;
        result = error.message;
      }
      turns.take = () => {};
      if (!met) break;
      attempts += 1;
      const told = JSON.stringify(result) ?? '';
      const leaks = [secret, 'only-outside', `"size":${secret.length}`].some((sign) => told.includes(sign));
      if (leaks || outside().join('\n') !== untouched.join('\n')) escapes.push(`${moment}+${lasts}: ${told}`);
    }
  }
  return { attempts, refused, escapes };
}

const cases = Object.keys(operations).flatMap((operation) =>
  Object.keys(shapes).map((shape) => [operation, shape] as [string, keyof typeof shapes]),
);

test.each(cases)('%s is safe from a swap with %s at any moment', async (name, shape) => {
  const operate = operations[name];
  if (operate === undefined) throw new Error(name);
  const { attempts, refused, escapes } = await attack(shapes[shape], operate);
  expect(escapes).toEqual([]);
  // The swap happened at many moments of the operation. A link to a folder was refused.
  expect(attempts).toBeGreaterThanOrEqual(6);
  if (/^a link to .*folder/.test(shape)) expect(refused).toBeGreaterThan(0);
});

// The same swaps defeat code that checks a path before it opens it, so the test above can fail.
test.each<[string, string, Operation]>([
  [
    'a read',
    'a link to a folder outside',
    async () => {
      const { realpathSync, readFileSync } = await import('node:fs');
      const file = path.join(root, 'dir/file.txt');
      if (!realpathSync(file).startsWith(`${root}/dir`))
        throw new ToolError('outside_workspace', 'It leads outside.');
      return readFileSync(file, 'utf8');
    },
  ],
  [
    'a write over a file',
    'a link to a file outside',
    async () => {
      const { realpathSync, writeFileSync } = await import('node:fs');
      const file = path.join(root, 'dir/file.txt');
      if (!realpathSync(file).startsWith(`${root}/dir`))
        throw new ToolError('outside_workspace', 'It leads outside.');
      writeFileSync(file, content);
    },
  ],
])('%s that checks the path first is led outside by %s', async (_, shape, naive) => {
  const found = Object.entries(shapes).find(([name]) => name === shape)?.[1];
  if (found === undefined) throw new Error(shape);
  expect((await attack(found, naive)).escapes).not.toEqual([]);
});
