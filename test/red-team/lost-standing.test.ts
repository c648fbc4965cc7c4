import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Range, startRange } from './support/range.ts';

let range: Range;

/** A run on a branch of its own that changes a file, while something happens; how its branch and its report are then. */
async function changed(branch: string, asker: string, meanwhile: (number: number) => unknown) {
  const { stage, shop } = range;
  shop.setPermission(asker, 'write');
  const number = await range.openPull({ branch });
  const head = await shop.head(branch);
  stage.learn(`change ${branch}`, async (turn) => {
    if (turn === 1) return { calls: [call('create_file', { path: 'late.txt', content: 'too late\n' })] };
    await meanwhile(number);
    return { text: 'Changed.' };
  });
  const { id } = shop.comment(number, { author: asker, body: `@anode change ${branch}` });
  const report = await stage.report(shop, number, id);
  const moved = (await shop.head(branch)) !== head;
  return { moved, note: /Not committed: [^*]*/.exec(report)?.[0], patch: report.includes('+too late') };
}

describe.skipIf(!available)('a run publishes no commit', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  test('after the requester lost write permission', async () => {
    const lose = () => range.shop.setPermission('kim', 'read');
    expect(await changed('demoted', 'kim', lose)).toEqual({
      ...{ moved: false, note: 'Not committed: kim has no write permission any more.', patch: true },
    });
  });

  test('after the pull request was closed', async () => {
    const close = (number: number) => range.shop.close(number, { actor: 'ada' });
    expect(await changed('closed', 'ada', close)).toEqual({
      ...{ moved: false, note: 'Not committed: the pull request is closed.', patch: true },
    });
  });

  test('after the base of the pull request changed', async () => {
    const { stage, shop } = range;
    await shop.commit('release', { files: { 'r.txt': 'r\n' }, message: 'Release', author: 'ada' });
    const octokit = createOctokit({
      ...{ apiUrl: stage.github.apiUrl, token: stage.github.createToken({ actor: 'ada' }) },
    });
    const point = (pull_number: number) =>
      octokit.rest.pulls.update({ owner: 'acme', repo: 'shop', pull_number, base: 'release' });
    expect(await changed('based', 'ada', point)).toEqual({
      moved: false,
      note: 'Not committed: the pull request points at `release` now, and the run was about `main`.',
      patch: true,
    });
  });

  test('after the installation was suspended, which the log reports', async () => {
    const { stage, shop } = range;
    const number = await range.openPull({ branch: 'suspended' });
    stage.learn('change it', (turn) => {
      if (turn === 1) return { calls: [call('create_file', { path: 'late.txt', content: 'late\n' })] };
      stage.github.suspend('anode-ci');
      return { text: 'Changed.' };
    });
    shop.comment(number, { author: 'ada', body: '@anode change it' });
    const said = () => stage.server().lines.some((line) => line.includes('The installation is suspended'));
    await stage.server().untilLogged(said);
    expect((await shop.git('log', '--format=%s', 'main..suspended')).trim()).toBe('Change');
  });
});
