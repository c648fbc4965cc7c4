import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../../../src/workspace/files/write-files.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'anode-writes-'));
  root = path.join(base, 'tree');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const text = (content: string) => Buffer.from(content);

/** Untracked and changed paths as a user's own git would show them. */
function gitStatus(): string {
  return execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: root }).toString();
}

const count = 40;
const names = Array.from({ length: count }, (_, index) => `d${index % 4}/f${index}`);
/** Large enough that a write takes several steps. */
const contentOf = (name: string, round: number) => `${`${name} ${round}\n`.repeat(4000)}end of ${round}\n`;

test('after a kill at any point each file is old or new, and git sees no other file', async () => {
  const module = path.resolve(import.meta.dirname, '../../../src/workspace/files/write-files.ts');
  const program = `
    import { writeFiles } from ${JSON.stringify(module)};
    const names = ${JSON.stringify(names)};
    const contentOf = ${contentOf.toString()};
    process.stdout.write('0\\n');
    for (let round = 1; ; round += 1) {
      await writeFiles(${JSON.stringify(root)}, names.map((path) => ({ path, content: Buffer.from(contentOf(path, round)) })));
      process.stdout.write(round + '\\n');
    }`;
  const halves: string[] = [];
  for (let kill = 0; kill < 12; kill += 1) {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    execFileSync('git', ['init', '-q'], { cwd: root });
    await writeFiles(
      root,
      names.map((name) => ({ path: name, content: text(contentOf(name, 0)) })),
    );
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const rounds = createInterface({ input: child.stdout });
    await once(rounds, 'line');
    // The kill comes at a different moment each time, after `kill * 6` reads of the disk.
    let looks = 0;
    const watched = path.join(root, names[(kill * 7) % count] ?? '');
    const first = statSync(watched).ino;
    while (statSync(watched).ino === first || looks < kill * 6) looks += 1;
    child.kill('SIGKILL');
    await closed;
    const seen = new Set<string>();
    for (const name of names) {
      const content = readFileSync(path.join(root, name), 'utf8');
      const round = /end of (?<round>\d+)\n$/.exec(content)?.groups?.round ?? 'none';
      if (content !== contentOf(name, Number(round))) halves.push(name);
      seen.add(round);
    }
    expect(seen.size).toBeLessThanOrEqual(2);
    expect(
      gitStatus()
        .split('\n')
        .filter((line) => line !== '' && !names.includes(line.slice(3))),
    ).toEqual([]);
  }
  expect(halves).toEqual([]);
});

test('a later write removes what a killed write left only after an hour', async () => {
  const left = path.join(root, '.anode-tmp-0123456789abcdef');
  const young = path.join(root, '.anode-tmp-fedcba9876543210');
  for (const folder of [left, young]) {
    mkdirSync(path.join(folder, '.git'), { recursive: true });
    writeFileSync(path.join(folder, '.git/0'), 'half');
  }
  const twoHoursAgo = Date.now() / 1000 - 2 * 60 * 60;
  utimesSync(left, twoHoursAgo, twoHoursAgo);
  await writeFiles(root, [{ path: 'a', content: text('a') }]);
  expect(readdirSync(root).sort()).toEqual(['.anode-tmp-fedcba9876543210', 'a']);
});

test('a hard link outside has the old content, and the file has its old mode', async () => {
  const outside = path.join(base, 'outside');
  writeFileSync(outside, 'old', { mode: 0o750 });
  linkSync(outside, path.join(root, 'linked'));
  await writeFiles(root, [{ path: 'linked', content: text('new') }]);
  const file = path.join(root, 'linked');
  expect({
    outside: readFileSync(outside, 'utf8'),
    inside: readFileSync(file, 'utf8'),
    mode: statSync(file).mode & 0o777,
    links: statSync(outside).nlink,
  }).toEqual({ outside: 'old', inside: 'new', mode: 0o750, links: 1 });
});

test.runIf(process.getuid?.() === 0)(
  'as root a file keeps its owner, and a new file gets that of its folder',
  async () => {
    mkdirSync(path.join(root, 'theirs'));
    writeFileSync(path.join(root, 'theirs/old'), 'old');
    chownSync(path.join(root, 'theirs'), 1234, 1235);
    chownSync(path.join(root, 'theirs/old'), 2345, 2346);
    await writeFiles(root, [
      { path: 'theirs/old', content: text('new') },
      { path: 'theirs/deep/new', content: text('new') },
    ]);
    const owners = ['theirs/old', 'theirs/deep', 'theirs/deep/new'].map((name) => {
      const { uid, gid } = statSync(path.join(root, name));
      return [name, uid, gid];
    });
    expect(owners).toEqual([
      ['theirs/old', 2345, 2346],
      ['theirs/deep', 1234, 1235],
      ['theirs/deep/new', 1234, 1235],
    ]);
  },
);

test('if the last of several writes fails, the earlier ones are reverted', async () => {
  writeFileSync(path.join(root, 'a'), 'old a');
  writeFileSync(path.join(root, 'gone'), 'kept');
  mkdirSync(path.join(root, 'd'));
  writeFileSync(path.join(root, 'd/b'), 'old b');
  // The writes are asynchronous, so `d/b` becomes a folder after the check and before the renames.
  const writing = writeFiles(root, [
    { path: 'a', content: text('new a') },
    { path: 'new/c', content: text('new c') },
    { path: 'gone', content: null },
    { path: 'd/b', content: null },
  ]);
  rmSync(path.join(root, 'd/b'));
  mkdirSync(path.join(root, 'd/b'));
  await expect(writing).rejects.toThrow();
  expect({
    a: readFileSync(path.join(root, 'a'), 'utf8'),
    gone: readFileSync(path.join(root, 'gone'), 'utf8'),
    all: readdirSync(root).sort(),
  }).toEqual({ a: 'old a', gone: 'kept', all: ['a', 'd', 'gone'] });
});

test.runIf(process.getuid?.() === 0)(
  'a file of another user is also restored if a later write fails',
  async () => {
    for (const name of ['a', 'b']) writeFileSync(path.join(root, name), `old ${name}`);
    for (const folder of [base, root]) chownSync(folder, 1234, 1234);
    try {
      process.seteuid?.(1234);
      const writing = writeFiles(root, [
        { path: 'a', content: text('new a') },
        { path: 'b', content: null },
      ]);
      rmSync(path.join(root, 'b'));
      mkdirSync(path.join(root, 'b'));
      await expect(writing).rejects.toThrow();
    } finally {
      process.seteuid?.(0);
    }
    expect([readFileSync(path.join(root, 'a'), 'utf8'), readdirSync(root).sort()]).toEqual([
      'old a',
      ['a', 'b'],
    ]);
  },
);

test('a file written twice in one change is restored if a later write fails', async () => {
  writeFileSync(path.join(root, 'a'), 'old a');
  writeFileSync(path.join(root, 'b'), 'old b');
  const writing = writeFiles(root, [
    { path: 'a', content: text('one') },
    { path: 'a', content: text('two') },
    { path: 'b', content: null },
  ]);
  rmSync(path.join(root, 'b'));
  mkdirSync(path.join(root, 'b'));
  await expect(writing).rejects.toThrow();
  expect([readFileSync(path.join(root, 'a'), 'utf8'), readdirSync(root).sort()]).toEqual([
    'old a',
    ['a', 'b'],
  ]);
});
