import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { safeLines } from '../../action/step-log.ts';
import { available } from '../sandbox/runner-fixture.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

test.each([
  ['plain', 'plain'],
  ['one\ntwo\n', 'one\ntwo'],
  ['', ''],
  ['\n\n', '\n'],
  ['::add-mask::x', ': :add-mask::x'],
  ['one\n  ::add-mask::x', 'one\n  : :add-mask::x'],
  ['one\r::stop-commands::x', 'one\n: :stop-commands::x'],
  ['one\u2028::stop-commands::x', 'one\n: :stop-commands::x'],
  ['\u200b:\u200b:add-mask::x', ': :add-mask::x'],
  ['\u00ad::add-mask::x', ': :add-mask::x'],
  ['\u0085::add-mask::x', ': :add-mask::x'],
  ['{"msg":"##[set-output name=a;]b"}\n', '{"msg":"# #[set-output name=a;]b"}'],
  ['x #\u200b#[add-mask]y', 'x # #[add-mask]y'],
  ['a \u001b[31mred\u001b[0m \u202egpj.exe', 'a red gpj.exe'],
])('%j is printed as %j', (text, printed) => {
  expect(safeLines(text)).toBe(printed);
});

test('only the entry files of the Action and their writer print', () => {
  const printing =
    /process\.std(out|err)\.write|console\.|\bcore\.(info|notice|warning|error|debug|setFailed)\b/;
  const files = readdirSync('action').filter((file) => file.endsWith('.ts'));
  expect(files.filter((file) => printing.test(readFileSync(`action/${file}`, 'utf8')))).toEqual([
    'main.ts',
    'post.ts',
    'step-log.ts',
  ]);
  // The roots give the writer its streams, and write to neither themselves.
  for (const root of ['main.ts', 'post.ts'])
    expect(readFileSync(`action/${root}`, 'utf8').match(/process\.std\w+/g)).toEqual([
      'process.stdout',
      'process.stderr',
    ]);
});

describe.skipIf(!available)('a pull request whose files are printed by a command of the set-up', () => {
  let job: Job;
  let shop: RepositoryHandle;
  beforeAll(async () => {
    job = await startJob();
    shop = await job.github.createRepository('acme/shop', {
      files: { 'words.txt': 'fine\n', '.github/anode.yml': "setup: 'cat words.txt >&2; exit 1'\n" },
    });
    shop.setPermission('ada', 'write');
    job.learn('say hello', () => ({ text: 'Hello.' }));
  });
  afterAll(() => job.close());

  test('no printed text becomes a workflow command', async () => {
    const words =
      'x ##[set-output name=conclusion;]forged\n::stop-commands::never\n\u202e##\u200b[add-mask]a\n';
    await shop.commit('topic', { files: { 'words.txt': words }, message: 'Topic', author: 'ada' });
    const { number } = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
    shop.comment(number, { author: 'ada', body: '@anode say hello' });
    const { stdout, stderr, outputs } = await job.run(shop, {
      event: 'issue_comment',
      actor: 'ada',
      inputs: {},
    });
    expect(outputs.conclusion).toBe('success');
    expect(stdout).toContain('The set-up failed, and the run continued without it: ');
    const orders = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => /##\p{Default_Ignorable_Code_Point}*\[|^\s*::/u.test(line));
    // Masks and the groups of turns are our own.
    const own = /^::(?:add-mask::.*|group::Turn \d+|endgroup::)$/u;
    expect(orders.filter((line) => !own.test(line))).toEqual([]);
    expect(stdout).not.toContain('\u202e');
  });
});
