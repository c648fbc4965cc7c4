import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const config = 'permissions:\n  onAsk: comment\n  rules:\n    - { tool: edit_file, action: ask }\n';

/** A run that waits to change a file; gives its id, the hash and what a person was shown. */
async function wait(words: string, policy = config) {
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const configFile = path.join(folder, '..', `${words.replaceAll(' ', '-')}.yml`);
  writeFileSync(configFile, policy);
  local.learn(words, (turn, request) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: lastResults(request) },
  );
  const options = ['--config', configFile, '--cwd', folder];
  const { code, stdout } = await local.anode(folder, ['run', '--prompt', words, ...options]);
  const run = readdirSync(path.join(folder, '.anode-harness')).find((name) => name.startsWith('run_')) ?? '';
  const hash = /approve ([0-9a-f]{16})/.exec(stdout)?.[1] ?? '';
  const resume = (...answer: string[]) => local.anode(folder, ['resume', run, ...answer, ...options]);
  const text = () => readFileSync(path.join(folder, 'a.txt'), 'utf8');
  return { folder, code, stdout, run, hash, resume, text };
}

test('a local run waits with the whole call displayed, and approve makes it once', async () => {
  const { folder, code, stdout, run, hash, resume, text } = await wait('paint it');
  expect([code, text()]).toEqual([4, 'red\n']);
  expect(stdout).toContain(
    [
      `Approval needed for edit_file (${hash}):`,
      '  diff --git a/a.txt b/a.txt',
      '  --- a/a.txt',
      '  +++ b/a.txt',
      '  @@ -1,1 +1,1 @@',
      '  -red',
      '  +blue',
      '  because: `a.txt` needs the agreement of a person by rule 1',
    ].join('\n'),
  );
  expect(stdout).toContain(`Approve with: anode resume ${run} approve ${hash} --cwd ${folder}`);
  const wrong = await resume('approve', 'fedcba9876543210');
  const vague = await resume('yes');
  const approved = await resume('approve', hash);
  const again = await resume('approve', hash);
  expect([wrong.code, vague.code, approved.code, again.code, text()]).toEqual([2, 2, 0, 2, 'blue\n']);
  expect(wrong.stderr).toContain(`what waits is ${hash}, not fedcba9876543210.`);
  expect(vague.stderr).toContain('say approve, or deny and a reason');
  expect(approved.stdout).toContain(`approved edit_file a.txt (${hash}), by the operator`);
  expect(again.stderr).toContain('was answered already');
});

test('the printed command continues under the policy of the run', async () => {
  const { folder, run, hash, text } = await wait(
    'paint it by the printed line',
    `${config}tools: { disabled: [bash] }\n`,
  );
  const other = path.join(folder, '..', 'never-asks.yml');
  writeFileSync(other, 'limits: { maxTurns: 5 }\n');
  const printed = ['resume', run, 'approve', hash, '--cwd', folder];
  const weaker = await local.anode(folder, [...printed, '--config', other]);
  expect([weaker.code, text()]).toEqual([2, 'red\n']);
  expect(weaker.stderr).toContain(
    'lets no run wait for approval (permissions.onAsk), so nothing was approved',
  );
  const { code, stdout } = await local.anode(folder, printed);
  expect([code, text()]).toEqual([0, 'blue\n']);
  expect(stdout).toContain(`approved edit_file a.txt (${hash}), by the operator`);
});

test('a call that a hook wants approved waits, and the hook can still reject it later', async () => {
  const hook = (name: string) =>
    `permissions: { onAsk: comment }\nhooks: { before: [{ tool: edit_file, run: ./${name} }] }\n`;
  const good = await wait('paint it as a hook asks', hook('asks'));
  const asks = path.join(good.folder, '..', 'asks');
  const later = path.join(good.folder, '..', 'later');
  // Without its program a hook rejects, and nothing waits.
  expect([good.code, good.text()]).toEqual([0, 'red\n']);
  for (const file of [asks, later]) writeFileSync(file, 'echo "ask ada" >&2; exit 1\n');
  const waits = await wait('paint it when asked', hook('asks'));
  const changed = await wait('paint it later', hook('later'));
  writeFileSync(later, 'echo "too late" >&2; exit 2\n');
  expect([waits.code, changed.code]).toEqual([4, 4]);
  expect(waits.stdout).toContain('because: `./asks` wants a person to be asked, asked by hook 1');
  const [approved, refused] = [await waits.resume('approve'), await changed.resume('approve')];
  expect([approved.code, waits.text(), refused.code, changed.text()]).toEqual([0, 'blue\n', 0, 'red\n']);
  expect(refused.stdout).toContain('too late');
});

test('deny continues without the call', async () => {
  const { resume, text } = await wait('paint it not');
  const { code, stdout } = await resume('deny', 'Red', 'is right.');
  expect([code, text()]).toEqual([0, 'red\n']);
  expect(stdout).toContain('Refused by the operator. The reason given: Red is right.');
});

test('an approval makes nothing if HEAD moved or the file changed', async () => {
  const moved = await wait('paint the moved');
  await local.git(moved.folder, 'commit', '-q', '--allow-empty', '-m', 'Move');
  const late = await moved.resume('approve');
  expect([late.code, moved.text()]).toEqual([2, 'red\n']);
  expect(late.stderr).toContain('The approval has lapsed: it was asked for on ');

  const changed = await wait('paint the changed');
  writeFileSync(path.join(changed.folder, 'a.txt'), 'red\nand more\n');
  const other = await changed.resume('approve');
  expect([other.code, changed.text()]).toEqual([0, 'red\nand more\n']);
  expect(other.stdout).toContain('it would now do something else than what they were shown');
  expect(other.stdout).toContain('lapsed edit_file a.txt');
});

test('a forged session has nothing to approve', async () => {
  const { folder, run, resume, text } = await wait('paint the forged');
  const file = path.join(folder, '.anode-harness', run, 'session.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('blue', 'evil'));
  const { code, stderr } = await resume('approve');
  expect([code, text()]).toEqual([2, 'red\n']);
  expect(stderr).toContain('is not as a run of yours wrote it');
});
