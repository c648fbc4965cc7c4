import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  keyForm,
  processMark,
  readManifest,
  removeAbandoned,
  removeResult,
  removeSetups,
} from '../../../src/workspace/setup/setup-store.ts';
import { put, temporaryFolder } from '../repository.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('entries');
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyOf = (letter: string) => letter.repeat(40);
const names = () => readdirSync(folder).sort();
const whole = { version: 1, builtAt: '/at', places: ['~/x'], bytes: 3, trusted: false, repository: 'o/r' };
const keep = (manifests: Record<string, unknown>) =>
  put(
    folder,
    Object.fromEntries(
      Object.entries(manifests).map(([letter, one]) => [
        `${keyOf(letter)}/manifest.json`,
        typeof one === 'string' ? one : JSON.stringify(one),
      ]),
    ),
  );
/** No process has this number: it is above the largest (proc_sys_kernel(5), pid_max). */
const nobody = 999_999_999;

test('an incomplete manifest counts as no result', async () => {
  const { repository: _, ...older } = whole;
  keep({ a: whole, b: older, c: '{"version":1', d: { ...whole, version: 2 } });
  mkdirSync(join(folder, keyOf('e'), 'manifest.json'), { recursive: true });
  const read = (letter: string) => readManifest(folder, keyOf(letter));
  expect(await Promise.all(['a', 'b', 'c', 'd', 'f'].map(read))).toEqual([
    whole,
    { ...older, repository: '' },
    ...[null, null, null],
  ]);
  await expect(read('e')).rejects.toMatchObject({ code: 'EISDIR' });
});

test('a key has exactly 40 hexadecimal digits', () => {
  const given = [keyOf('0'), keyOf('f'), keyOf('g'), keyOf('A'), `${keyOf('a')}a`, `x${keyOf('a')}`, 'a'];
  expect(given.map((one) => keyForm.test(one))).toEqual([true, true, ...Array(5).fill(false)]);
});

test('removes a result unless it is gone or in use', async () => {
  keep({ a: whole, b: whole });
  put(folder, { [`use-${keyOf('b')}-1.1-x`]: '', [`use-${keyOf('c')}-1.1-x`]: '', file: '' });
  const before = names();
  expect([
    await removeResult(folder, keyOf('a')),
    await removeResult(folder, keyOf('a')),
    await removeResult(folder, keyOf('b')),
    names(),
    await readManifest(folder, keyOf('b')),
  ]).toEqual([true, false, false, before.filter((name) => name !== keyOf('a')), whole]);
  await expect(removeResult(join(folder, 'file'), keyOf('a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('a process is identified by its number and start time, whatever its name', async () => {
  const script = 'printf "a) b) c" > /proc/$$/comm; echo; read -r line';
  const child = spawn('bash', ['--norc', '-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    const { pid = 0 } = child;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const begins = `${pid} (a) b) c) `;
    expect([
      stat.slice(0, begins.length),
      processMark(pid),
      processMark(String(pid)),
      processMark(nobody),
    ]).toEqual([begins, ...Array(2).fill(`${pid}.${stat.slice(begins.length).split(' ')[19]}`), null]);
  } finally {
    child.stdin.end();
    await once(child, 'close');
  }
});

test('removes what ended processes were making or using, and nothing else', async () => {
  const mine = processMark(process.pid);
  const stay = [
    ...[
      `work-${mine}-x`,
      `use-${keyOf('a')}-${mine}-x`,
      keyOf('a'),
      `work-${nobody}.1`,
      `xwork-${nobody}.1-x`,
    ],
    ...[
      `use-${keyOf('g')}-${nobody}.1-x`,
      `use-${keyOf('a')}a-${nobody}.1-x`,
      'work-x-y',
      `work-${nobody}.-x`,
    ],
  ];
  const go = [
    ...[`work-${nobody}.1-x`, `work-${nobody}-x`, `work-${process.pid}.1-x`, `work-${process.pid}-x`],
    ...[`use-${keyOf('a')}-${nobody}.12-x`, `use-${keyOf('0')}-${process.pid}-`],
  ];
  put(folder, Object.fromEntries([...stay, ...go].map((name) => [`${name}/file`, ''])));
  await removeAbandoned(folder);
  expect(names()).toEqual(stay.sort());
});

test('removes results of deleted repositories, except those in use', async () => {
  const [over, other] = [
    { ...whole, repository: 'over' },
    { ...whole, repository: 'other' },
  ];
  keep({ a: over, b: other, c: over, d: over, e: '{' });
  put(folder, {
    [`use-${keyOf('c')}-${processMark(process.pid)}-x`]: '',
    [`use-${keyOf('d')}-${nobody}.1-x`]: '',
    ...{ 'other/manifest.json': JSON.stringify(over), [`work-${nobody}.1-x`]: '' },
  });
  const asked: string[] = [];
  const removed = await removeSetups(folder, async (repository) => {
    asked.push(repository);
    return repository === 'over';
  });
  expect([removed, names(), asked.sort()]).toEqual([
    2,
    [keyOf('b'), keyOf('c'), keyOf('e'), 'other', `use-${keyOf('c')}-${processMark(process.pid)}-x`].sort(),
    ['other', 'over', 'over', 'over'],
  ]);
});

test('a store without a result or folder stays unchanged', async () => {
  put(folder, { [`work-${nobody}.1-x`]: '' });
  const none = join(folder, 'none');
  const never = () => Promise.reject(new Error('Nobody is asked.'));
  expect([await removeSetups(folder, never), await removeSetups(none, never), existsSync(none)]).toEqual([
    ...[0, 0, false],
  ]);
  expect(names()).toEqual([`work-${nobody}.1-x`]);
  keep({ a: whole });
  expect([await removeSetups(folder, async () => true), names()]).toEqual([1, []]);
});
