import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import type { Finding } from '../../../src/contract/findings.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { finding } from '../samples.ts';
import { ownLogin, type Scene, startWorld, text, type World } from '../scene.ts';
import { reviewHead, states } from './review-head.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const ten: Finding = { ...finding, line: 10, title: 'Ten is another' };
const eleven: Finding = { ...finding, line: 11, title: 'Eleven, too', severity: 'medium' };

type More = Parameters<typeof reviewHead>[4];
const review = (scene: Scene, run: string, findings: readonly Finding[], more: More = {}) =>
  reviewHead(scene.store, scene, run, findings, more);

const fix = (scene: Scene) =>
  scene.repository.commit('dates', {
    files: { 'src/a.js': text((lines) => lines.with(9, 'const value10 = 10;\n')) },
    message: 'Fix',
    author: 'ada',
  });

test('requests changes while a blocker is open, and withdraws the request afterwards', async () => {
  const scene = await world.scene();
  const config: Config = { review: { requestChanges: true, approve: true } };
  await review(scene, 'run_1', [ten, eleven], { config });
  const first = states(scene).reviews;
  await review(scene, 'run_2', [ten], { config });
  const second = states(scene).reviews;
  await fix(scene);
  // The other one stands, so that nothing is approved yet.
  const { report, failures } = await review(scene, 'run_3', [eleven], { config });
  expect([first, second, states(scene), report, failures]).toEqual([
    ['CHANGES_REQUESTED'],
    ['CHANGES_REQUESTED'],
    {
      reviews: ['DISMISSED', 'COMMENTED'],
      comments: [
        'null: **high** · Ten is another',
        '11: **medium** · Eleven, too',
        expect.stringMatching(/^null: Fixed by /),
      ],
      resolved: [ownLogin, null],
    },
    '**Done.** Summary: 1 carried, 1 fixed.',
    [],
  ]);
});

test('approves once if nothing is open and it is configured, but no fork', async () => {
  const config: Config = { review: { approve: true } };
  const scene = await world.scene();
  await review(scene, 'run_1', [], { config });
  await review(scene, 'run_2', [], { config });
  const forked = await world.scene({ fork: true });
  await review(forked, 'run_3', [], { config, fork: true });
  expect([
    scene.repository.reviews(1).map(({ state, body }) => [state, body.split('\n')[1]]),
    forked.repository.reviews(1),
  ]).toEqual([[['APPROVED', '**Nothing is open.**']], []]);
});

test('leaves findings open that an incomplete review did not reach', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten]);
  await fix(scene);
  const { report } = await review(scene, 'run_2', [], { conclusion: 'limit' });
  const record = JSON.parse((await scene.store.get('review/1')) ?? '');
  expect([states(scene).resolved, report, record.reviewed.head === scene.head]).toEqual([
    [null],
    '**Stopped at a limit.** Summary: 1 carried.',
    true,
  ]);
});

test('closes an open finding by its id after a later change, but no dismissed one', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten, eleven]);
  const known = async () => JSON.parse((await scene.store.get('review/1')) ?? '').findings;
  const closed = (await known()).map(({ id }: { id: string }) => ({
    ...{ id: id.slice(0, 7), reason: 'Its only caller\nis gone. @team' },
  }));
  const [, second] = scene.repository.reviewComments(1);
  scene.repository.replyToReviewComment(second?.id ?? 0, { author: 'ada', body: "won't fix" });
  const same = await review(scene, 'run_2', [], { closed });
  const sha = await scene.repository.commit('dates', {
    files: { 'src/b.js': 'call();\n' },
    message: 'Call',
    author: 'ada',
  });
  const partial = await review(scene, 'run_3', [], { closed, conclusion: 'limit' });
  const later = await review(scene, 'run_4', [], { closed });
  const summary = scene.repository.comments(1).find(({ body }) => body.includes('anode:summary'))?.body ?? '';
  expect({
    reports: [same.report, partial.report, later.report],
    known: (await known()).map(({ title, state, fixed }: Record<string, unknown>) => [title, state, fixed]),
    reply: states(scene)
      .comments.at(-1)
      ?.replace(/\(\S+\)/u, '(LINK)'),
    resolved: states(scene).resolved,
    settled: summary.split('\n').filter((line) => line.startsWith('- closed')).length,
  }).toEqual({
    reports: [
      '**Done.** Summary: 1 carried.',
      '**Stopped at a limit.** Summary: 1 carried.',
      '**Done.** Summary: 1 fixed.',
    ],
    known: [
      [eleven.title, 'dismissed', null],
      [...[ten.title, 'fixed'], { sha: null, run_id: 'run_4', reason: 'Its only caller\nis gone. @team' }],
    ],
    reply: `10: Closed by the review of [\`${sha.slice(0, 7)}\`](LINK): Its only caller is gone. @\u200bteam`,
    resolved: [ownLogin, ownLogin],
    settled: 1,
  });
});

test('moves a finding to the new name of its file', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten]);
  await scene.repository.commit('dates', {
    files: { 'src/a.js': null, 'src/b.js': text((lines) => ['// b\n', ...lines]) },
    message: 'Rename',
    author: 'ada',
  });
  const renamed = { review: { renamed: new Map([['src/a.js', 'src/b.js']]) } };
  const { report } = await review(scene, 'run_2', [{ ...ten, path: 'src/b.js', line: 11 }], renamed);
  const silent = await review(scene, 'run_3', []);
  expect([report, silent.report]).toEqual(['**Done.** Summary: 1 carried.', '**Done.** Summary: 1 carried.']);
});

test('replies with the fix if threads cannot be resolved', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten]);
  await fix(scene);
  const { octokit } = await scene.ports();
  const refusing = Object.assign(Object.create(octokit), {
    graphql: async (query: string, variables: Record<string, unknown>) => {
      if (!query.startsWith('mutation')) return octokit.graphql(query, variables);
      throw Object.assign(new Error('Resource not accessible'), {
        name: 'GraphqlResponseError',
        errors: [{ type: 'FORBIDDEN' }],
      });
    },
  });
  const { failures } = await review(scene, 'run_2', [], { ports: { octokit: refusing } });
  expect([states(scene).resolved, scene.repository.reviewComments(1).length, failures]).toEqual([
    [null],
    2,
    [],
  ]);
});

test('ignores a thread resolved by a reader, but not by a maintainer', async () => {
  const scene = await world.scene({ fork: true });
  scene.repository.setPermission('eve', 'read');
  await review(scene, 'run_1', [ten, eleven]);
  const [first, second] = scene.repository.reviewComments(1);
  scene.repository.replyToReviewComment(first?.id ?? 0, { author: 'eve', body: "won't fix" });
  scene.repository.replyToReviewComment(second?.id ?? 0, { author: 'ada', body: "won't fix" });
  const { report } = await review(scene, 'run_2', [ten, eleven]);
  expect([report, scene.repository.reviews(1).filter(({ author }) => author === ownLogin).length]).toEqual([
    '**Done.** Summary: 1 carried.',
    1,
  ]);
});

test('reads previous findings from our own comments without a store', async () => {
  const scene = await world.scene();
  const forgetful = { review: { store: null } };
  await review(scene, 'run_1', [ten], forgetful);
  const [told] = scene.repository.reviewComments(1);
  const forged = (told?.body ?? '').replace(/fp=\w+/, 'fp=0');
  // Under a name that workflows share, a comment counts in reviews of ours alone.
  for (const author of ['eve', ownLogin])
    await scene.repository.review(1, {
      author,
      body: 'x',
      comments: [{ path: 'src/a.js', line: 11, body: forged }],
    });
  const { report } = await review(scene, 'run_2', [ten, eleven], forgetful);
  await fix(scene);
  const fixed = await review(scene, 'run_3', [], forgetful);
  const after = await review(scene, 'run_4', [], forgetful);
  expect([report, fixed.report, after.report]).toEqual([
    '**Done.** Summary: 1 new, 1 carried.',
    '**Done.** Summary: 1 carried, 1 fixed.',
    '**Done.** Summary: 1 carried.',
  ]);
});

test('posts a refused review by GitHub’s lines, or leaves all to the summary', async () => {
  const scene = await world.scene();
  const lying = (await scene.ports()).pullRequestDiff?.replace('@@ -7,7 +7,7 @@', '@@ -27,7 +27,7 @@') ?? '';
  const { failures } = await review(scene, 'run_1', [{ ...ten, line: 30 }, ten], {
    ports: { pullRequestDiff: lying },
  });
  const first = states(scene);
  const other = await world.scene();
  for (let times = 0; times < 3; times++)
    world.github.failNext({ method: 'POST', path: /\/pulls\/1\/reviews$/u, status: 422 });
  const second = await review(other, 'run_2', [ten]);
  expect([
    failures,
    first.comments,
    second.failures,
    other.repository.reviews(1),
    other.repository.comments(1).map(({ body }) => body.includes('Ten is another')),
  ]).toEqual([
    [],
    ['10: **high** · Ten is another'],
    ['GitHub took no review of this run.'],
    [],
    [false, true],
  ]);
});

test('neither loses nor repeats a finding if a run dies while posting', async () => {
  const scene = await world.scene();
  class Killed extends Error {}
  const dying = (when: 'before' | 'after') => {
    const octokit = createOctokit({ apiUrl: world.github.apiUrl, token: scene.token, wait: async () => {} });
    const kill = ({ method, url }: { method?: string; url: string }) => {
      if (method === 'POST' && url.endsWith('/reviews')) throw new Killed();
    };
    if (when === 'before') octokit.hook.before('request', kill);
    else octokit.hook.after('request', (_, options) => kill(options));
    return octokit;
  };
  await expect(review(scene, 'run_1', [ten], { ports: { octokit: dying('before') } })).rejects.toThrow(
    Killed,
  );
  await expect(review(scene, 'run_1', [ten], { ports: { octokit: dying('after') } })).rejects.toThrow(Killed);
  const again = await review(scene, 'run_1', [ten]);
  const next = await review(scene, 'run_2', [ten]);
  expect([states(scene).comments, again.report, next.report]).toEqual([
    ['10: **high** · Ten is another'],
    '**Done.** Summary: 1 open finding.',
    '**Done.** Summary: 1 carried.',
  ]);
});
