import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cliProgram } from '../support/program-files.ts';
import { call } from '../uses/support/conversation.ts';
import { type ProgramResult, projectRoot } from '../uses/support/run-program.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

vi.setConfig({ testTimeout: 120_000 });

const isRoot = process.getuid?.() === 0;
/** True where this machine allows private mounts. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

let local: Local;
beforeAll(async () => {
  local = await startLocal();
  local.learn('paint it and fill the disk', (turn) => {
    if (turn === 1) return { text: 'Painting.', calls: [paint] };
    return turn === 2 ? { text: 'Filling.', calls: [fill] } : { text: 'It is full.' };
  });
  local.learn('paint it', (turn) =>
    turn === 1 ? { text: 'Painting.', calls: [paint] } : { text: 'It is blue.' },
  );
  local.learn('Review this change', (turn) =>
    turn === 1
      ? { calls: [call('report_findings', { findings: [finding] })] }
      : { text: 'One word is wrong.' },
  );
});
afterAll(() => local.close());

const paint = call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' });
const fill = call('bash', { command: 'cat /dev/zero > fill; echo filled' });
const finding = {
  ...{ path: 'a.txt', line: 1, severity: 'high', category: 'bug', confidence: 0.9 },
  ...{ title: 'A colour', body: 'It is no colour.' },
};
const run = ['run', '--model', 'anthropic/x', '--sandbox', 'off'];
const review = ['review', '--base', 'HEAD', '--model', 'anthropic/x', '--sandbox', 'off'];

interface Prepared {
  /** Shell that runs first, with the folder as `$1`; the program starts where it ends. */
  readonly before?: string;
  /** The program that starts the shell: with mounts of its own, or without the rights of root. */
  readonly by: readonly string[];
}
const inMounts: Prepared['by'] = ['unshare', '-rm'];
/** As an ordinary user, whom the modes of files bind. */
const asUser: Prepared['by'] = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** `anode` in a checkout that was prepared by a shell, with a temporary folder of its own. */
async function anode(
  folder: string,
  { by, before = ':' }: Prepared,
  words: readonly string[],
): Promise<ProgramResult> {
  const script = `set -e; cd "$1"; ${before}; shift; exec "$@"`;
  const [program = '', ...args] = [
    ...[...by, 'sh', '-c', script, 'sh', folder],
    ...[process.execPath, path.join(projectRoot, cliProgram), ...words],
  ];
  const temporary = path.join(local.home, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const env = {
    ...{ PATH: process.env.PATH, HOME: local.home, TMPDIR: temporary },
    ...{ ANTHROPIC_BASE_URL: local.model.url, ANTHROPIC_API_KEY: localKey },
  };
  const running = promisify(execFile)(program, args, { cwd: folder, env });
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: ProgramResult) => ({ code, stdout, stderr }),
  );
}

/** The notes on standard error that tell of the record, without the places of this run. */
const failures = ({ stderr }: ProgramResult, folder: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('! The record'))
    .map((line) => line.replaceAll(folder, '').replaceAll(/\S*\/anode-runs-\d+\/run_\w+/g, 'RUN'));

const readOnly = 'mount --bind . .; cd "$PWD"; mount -o remount,ro,bind .; cd "$PWD"';
const unputReadOnly =
  '! The record of the run could not be put into the checkout: the file system is read-only (/.anode-harness). Let this user write  to have it there; it is in RUN.';
const unputDenied = unputReadOnly.replace('the file system is read-only', 'the permission is missing');

describe.skipIf(!canMount)('on a full disk', () => {
  /** The checkout and the record of the run on one small disk. */
  const small =
    'mkdir small; mount -t tmpfs -o size=2m none small; cp -a .git a.txt small; cd small; mkdir -m 700 tmp; export TMPDIR="$PWD/tmp"';
  const full = { by: inMounts, before: `${small}; echo tmp > .git/info/exclude` };
  const stop = {
    kind: 'internal_error',
    message: expect.stringMatching(
      /^The system failed the run: the disk of \S+ is full: .* Free space on that disk\. What the run did before is kept\.$/s,
    ),
  };

  test('a run prints its answer, its changes and the reason for an incomplete record', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const ended = await anode(folder, full, [...run, '--prompt', 'paint it and fill the disk']);
    const { code, stdout } = ended;
    expect({
      ...{ code, answer: stdout.includes('\nFilling.\n'), named: stdout.includes('\nmodify a.txt\n') },
      ...{ patch: stdout.includes('-red\n+blue\n'), failures: failures(ended, `${folder}/small`) },
    }).toEqual({
      ...{ code: 1, answer: true, named: true, patch: true },
      failures: [
        '! The record of the run is not complete: the disk is full. Free space on the disk of RUN, or set TMPDIR to a folder on another one.',
        '! The record of the run could not be put into the checkout: the disk is full. Free space on that disk to have it there; it is in RUN.',
      ],
    });
  });

  test('the object of --output json has answer and changes', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const words = [...run, '--output', 'json', '--prompt', 'paint it and fill the disk'];
    const { code, stdout } = await anode(folder, full, words);
    const { conclusion, answer, changes, ...report } = JSON.parse(stdout);
    expect({ code, conclusion, answer, changes, stop: report.stop }).toEqual({
      ...{ code: 1, conclusion: 'failure', answer: 'Filling.', stop },
      changes: [{ path: 'a.txt', kind: 'modify', diff: expect.stringContaining('-red\n+blue\n') }],
    });
  });

  test('the events of --output stream-json have answer and changes', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const words = [...run, '--output', 'stream-json', '--prompt', 'paint it and fill the disk'];
    const { code, stdout } = await anode(folder, full, words);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { answer, ...last } = events.at(-1);
    const changes = events.flatMap(({ type, change }) => (type === 'change' ? [change.diff] : []));
    expect({ code, type: last.type, answer, stop: last.stop, changes }).toEqual({
      ...{ code: 1, type: 'run.finished', answer: 'Filling.', stop },
      changes: [expect.stringContaining('-red\n+blue\n')],
    });
  });

  test('a run does not start without space for its record', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const before = `${small}; cat /dev/zero > tmp/fill 2>/dev/null || :`;
    const { code, stdout, stderr } = await anode(folder, { by: inMounts, before }, [
      ...[...run, '--prompt', 'paint it'],
    ]);
    expect({ code, stdout, last: stderr.trim().split('\n').at(-1) }).toEqual({
      ...{ code: 2, stdout: '' },
      last: expect.stringMatching(
        /^The disk of \S+, where the run keeps its record, is full\. Free space there, or set TMPDIR to a folder on another disk\.$/,
      ),
    });
  });
});

describe.skipIf(!canMount)('in a checkout that is mounted read-only', () => {
  const mounted = { by: inMounts, before: readOnly };

  test('a record that cannot be written loses neither the answer nor the changes', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    await mkdir(path.join(folder, '.anode-harness'));
    const before = 'mount --bind .anode-harness .anode-harness; mount -o remount,ro,bind .anode-harness';
    const ended = await anode(folder, { by: inMounts, before }, [...run, '--prompt', 'paint it']);
    const { code, stdout } = ended;
    expect({ code, answer: stdout.includes('It is blue.'), patch: stdout.includes('-red\n+blue\n') }).toEqual(
      {
        ...{ code: 1, answer: true, patch: true },
      },
    );
    expect(failures(ended, folder)).toEqual([expect.stringContaining('the file system is read-only')]);
    expect(await readdir(path.join(folder, '.anode-harness'))).toEqual([]);
  });

  test('a run and a review print their answers, and a review by checks its findings', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    await local.git(folder, 'commit', '-q', '--allow-empty', '-m', 'Next');
    const conflict = '<<<<<<< ours\nred\n=======\nblue\n>>>>>>> theirs\n';
    const write = `printf '%s' '${conflict}' > a.txt; ${readOnly}`;
    const each = [
      await anode(folder, mounted, [...run, '--prompt', 'paint it']),
      await anode(folder, { by: inMounts, before: write }, review),
      await anode(folder, { by: inMounts, before: write }, ['review', '--base', 'HEAD', '--checks-only']),
    ];
    const seen = each.map((ended) => ({
      ...{ code: ended.code, failures: failures(ended, folder) },
      said: ['It is blue.', 'One word is wrong.', 'A colour', 'conflict'].filter((words) =>
        ended.stdout.includes(words),
      ),
    }));
    expect(seen).toEqual([
      { code: 1, failures: [unputReadOnly], said: ['It is blue.'] },
      { code: 1, failures: [unputReadOnly], said: ['One word is wrong.', 'A colour', 'conflict'] },
      { code: 1, failures: [unputReadOnly], said: ['conflict'] },
    ]);
  });

  test('no run starts if the temporary folder cannot be written, and the message names the setting', async () => {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const before = `mkdir -p tmp; export TMPDIR="$PWD/tmp"; ${readOnly}`;
    const { code, stderr } = await anode(folder, { by: inMounts, before }, [...run, '--prompt', 'paint it']);
    expect({ code, stderr: stderr.replace(/^\S+anode-runs-\d+/, 'RUNS') }).toEqual({
      code: 2,
      stderr:
        'RUNS, where runs keep their records, cannot be made: the file system is read-only. Set TMPDIR to a folder that this user can write.\n',
    });
  });
});

test('a checkout without write permission does not lose the answer', async () => {
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const before = 'chmod -R a-w .';
  const ended = await anode(folder, { by: asUser, before }, [...run, '--prompt', 'paint it']);
  await promisify(execFile)('chmod', ['-R', 'u+w', folder]);
  const { code, stdout } = ended;
  expect({ code, answer: stdout.includes('It is blue.'), failures: failures(ended, folder) }).toEqual({
    ...{ code: 1, answer: true, failures: [unputDenied] },
  });
});

describe.skipIf(!isRoot)('in a checkout of another user', () => {
  const other = 65_534;

  async function checkoutOfOther(mode: string): Promise<string> {
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    await chmod(folder, 0o755);
    await promisify(execFile)('chmod', ['-R', mode, folder]);
    await promisify(execFile)('chown', ['-R', `${other}:${other}`, folder]);
    return folder;
  }

  test('without write permission, the answer is printed', async () => {
    const folder = await checkoutOfOther('go-w');
    const ended = await anode(folder, { by: asUser }, [...run, '--prompt', 'paint it']);
    const { code, stdout } = ended;
    expect({ code, answer: stdout.includes('It is blue.'), failures: failures(ended, folder) }).toEqual({
      ...{ code: 1, answer: true, failures: [unputDenied] },
    });
  });

  test('with write permission, the changes are found and the record is written', async () => {
    const folder = await checkoutOfOther('a+rwX');
    const words = [...run, '--output', 'json', '--prompt', 'paint it'];
    const { code, stdout } = await anode(folder, { by: asUser }, words);
    const { answer, changes, run_id: id } = JSON.parse(stdout);
    expect({ code, answer, changes }).toEqual({
      ...{ code: 0, answer: 'It is blue.' },
      changes: [{ path: 'a.txt', kind: 'modify', diff: expect.stringContaining('-red\n+blue\n') }],
    });
    const patch = await readFile(path.join(folder, '.anode-harness', id, 'changes.patch'), 'utf8');
    expect(patch).toContain('-red\n+blue\n');
  });
});
