import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from '../uses/support/commit-of.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { runnerCheckout } from '../uses/support/runner-checkout.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const asRoot = process.getuid?.() === 0;
const run = promisify(execFile);

/** A pointer as Git LFS stores it (git-lfs, "docs/spec.md"). */
const pointer =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'colour.txt': 'red\n',
      'dos.txt': 'one\r\nred\r\nthree\r\n',
      'a folder/a file.txt': 'red\n',
      '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n',
      'art.psd': pointer,
      '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = https://git.example/lib.git\n',
    },
  });
  shop.setPermission('ada', 'write');
});
afterAll(() => job.close());

const edit = (file: string) => call('edit_file', { path: file, old_str: 'red', new_str: 'blue' });

/** Opens a pull request that changes nothing else, and asks for something on it. */
async function asked(words: string): Promise<number> {
  const branch = words.replaceAll(' ', '-');
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'x\n' }, message: words, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: words, head: branch, author: 'ada' });
  shop.comment(number, { author: 'ada', body: `@anode ${words}` });
  return number;
}

/** The files of a checkout that differ from its index. */
async function changedIn(folder: string): Promise<string[]> {
  const { stdout } = await run('git', ['-C', folder, 'diff', '--name-only', '-z']);
  return stdout.split('\0').filter((name) => name !== '');
}

test('the token in .git/config is out of reach of commands, and all kinds of files are committed', async () => {
  const token = 'ghs_aTokenThatTheCheckoutLeft00000000000';
  const answers: string[] = [];
  const steps = [
    edit('colour.txt'),
    edit('dos.txt'),
    edit('a folder/a file.txt'),
    call('read', { path: '.git/config' }),
    call('grep', { pattern: 'extraheader', path: '.git' }),
    ...(available
      ? [call('bash', { command: 'f=config; cat .g*t/"$f"; git config --list; env; git status --short' })]
      : []),
  ];
  job.learn('paint what the checkout has', (turn, request) => {
    if (turn > 1) answers.push(lastResults(request));
    const next = steps[turn - 1];
    return next === undefined ? { text: 'All is blue.' } : { calls: [next] };
  });
  const number = await asked('open a merge');
  let at = '';
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', inputs: { prompt: 'paint what the checkout has' } },
    async checkout(folder) {
      at = folder;
      await runnerCheckout(shop, folder, { pull: number, token });
      const link = ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`];
      await run('git', ['-C', folder, ...link]);
      await mkdir(path.join(folder, 'lib'));
    },
  });
  const dos = await readFile(path.join(at, 'dos.txt'), 'utf8');
  const art = await readFile(path.join(at, 'art.psd'), 'utf8');
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const everything = JSON.stringify([answers, step.outputs, step.summary, step.stdout]);
  expect({
    ...{ code: step.code, conclusion: step.outputs.conclusion, dos, art: art === pointer },
    answered: answers.length,
    ran: answers.at(-1)?.includes('core.bare=false') && answers.at(-1)?.includes('M colour.txt'),
    leaked: [token, basic].filter((secret) => everything.includes(secret)),
    changed: await changedIn(at),
  }).toEqual({
    ...{ code: 0, conclusion: 'success', dos: 'one\r\nblue\r\nthree\r\n', art: true },
    answered: steps.length,
    ran: available,
    leaked: [],
    changed: ['a folder/a file.txt', 'colour.txt', 'dos.txt'],
  });
});

test('a shallow checkout without the base commit still gets its commit onto the branch', async () => {
  job.learn('paint it from a shallow checkout', (turn) =>
    turn === 1 ? { calls: [edit('colour.txt'), edit('dos.txt')] } : { text: 'It is blue.' },
  );
  const number = await asked('paint it from a shallow checkout');
  const { code, outputs } = await job.run(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {} },
    checkout: (folder) => runnerCheckout(shop, folder, { pull: number, token: 'ghs_left' }),
  });
  expect([code, outputs.conclusion]).toEqual([0, 'success']);
  expect((await commitOf(shop, 'paint-it-from-a-shallow-checkout')).files).toEqual([
    'M colour.txt',
    'M dos.txt',
  ]);
});

test('one change among 20,000 files is committed in time', async () => {
  job.learn('paint one of many', (turn) =>
    turn === 1 ? { calls: [edit('colour.txt')] } : { text: 'It is blue.' },
  );
  let at = '';
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', inputs: { prompt: 'paint one of many' } },
    async checkout(folder) {
      at = folder;
      await runnerCheckout(shop, folder, {});
      for (let at = 0; at < 200; at += 1) {
        const inner = path.join(folder, 'many', String(at));
        await mkdir(inner, { recursive: true });
        for (let one = 0; one < 100; one += 1) await writeFile(path.join(inner, `${one}.txt`), `${one}\n`);
      }
      await run('git', ['-C', folder, 'add', '.']);
    },
  });
  expect([step.code, await changedIn(at)]).toEqual([0, ['colour.txt']]);
});

test.runIf(asRoot)('a job in a container works as root on a checkout of the runner’s user', async () => {
  job.learn('paint it in a container', (turn) =>
    turn === 1 ? { calls: [edit('colour.txt')] } : { text: 'It is blue.' },
  );
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', inputs: { prompt: 'paint it in a container' } },
    async checkout(folder) {
      await runnerCheckout(shop, folder, {});
      await run('chown', ['-R', '1001:1001', folder]);
    },
  });
  expect([step.code, step.outputs.conclusion, step.status]).toEqual([0, 'success', ' M colour.txt\n']);
});

test.runIf(asRoot)('a checkout that the step’s user may not write is named, with the remedy', async () => {
  job.learn('paint what is not mine', (turn) =>
    turn === 1 ? { calls: [edit('colour.txt')] } : { text: 'I could not.' },
  );
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', inputs: { prompt: 'paint what is not mine' }, user: 65_534 },
    owner: 0,
    checkout: (folder) => runnerCheckout(shop, folder, {}),
  });
  expect([step.code, step.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^::warning::.*a checkout belongs to user 0, and user 65534, who runs this step, may not write it\. .*chown/m,
    ),
  ]);
});

// Skipped without root, who alone can make a small disk.
test.runIf(asRoot)('a full disk ends the run with an error that names the disk', async () => {
  const full = await mkdtemp(path.join(os.tmpdir(), 'anode-full-'));
  await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', full]);
  try {
    await chmod(full, 0o777);
    job.learn('fill the disk', (turn) =>
      turn === 1 ? { calls: [edit('colour.txt')] } : { text: 'It is blue.' },
    );
    const number = await asked('fill the disk');
    await writeFile(path.join(full, 'ballast'), Buffer.alloc(250_000));
    const step = await job.run(shop, {
      ...{ event: 'issue_comment', actor: 'ada', inputs: {} },
      environment: { RUNNER_TEMP: full },
      checkout: (folder) => runnerCheckout(shop, folder, { pull: number }),
    });
    const told = shop.comments(number).map(({ body }) => visible(body).split('\n')[0]);
    const words = 'The disk of the machine that runs this is full. Free space on it';
    expect([step.code, step.stderr, told.slice(1)]).toEqual([1, '', [expect.stringContaining(words)]]);
    expect(step.stdout).toMatch(new RegExp(`^::error::${words}.*the disk of ${full}`, 'm'));
    expect(step.summary).toContain(words);
  } finally {
    await run('umount', [full]);
    await rm(full, { recursive: true });
  }
});

test('a cancelled job ends by itself, with its comment in a final state', async () => {
  const reached = Promise.withResolvers<void>();
  job.learn('work until the runner stops it', () => {
    reached.resolve();
    return { fault: 'stall' };
  });
  const number = await asked('work until the runner stops it');
  const { child, ended } = await job.start(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {} },
    checkout: (folder) => runnerCheckout(shop, folder, { pull: number }),
  });
  await reached.promise;
  child.kill('SIGINT');
  const { code, outputs } = await ended;
  const told = shop.comments(number).map(({ body }) => visible(body).split('\n')[0]);
  expect({ code, conclusion: outputs.conclusion, told: told.slice(1) }).toEqual({
    ...{ code: 0, conclusion: 'cancelled' },
    told: ['**Cancelled.** The workflow’s run was cancelled.'],
  });
});
