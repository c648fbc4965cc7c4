import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { readReviewThreads } from '../../../src/reporting/findings/review-threads.ts';
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

const setTen = (scene: Scene, line: string) =>
  scene.repository.commit('dates', {
    files: { 'src/a.js': text((lines) => lines.with(9, line)) },
    message: 'Change ten',
    author: 'ada',
  });

test('resolves a thread each time that a finding comes and goes', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten]);
  for (const [index, line] of [
    'fixed(1);\n',
    'const ten = 10;\n',
    'fixed(2);\n',
    'const ten = 10;\n',
  ].entries()) {
    await setTen(scene, line);
    await review(scene, `run_${index + 2}`, index % 2 === 0 ? [] : [ten]);
  }
  const before = states(scene).resolved;
  await setTen(scene, 'fixed(3);\n');
  await review(scene, 'run_6', []);
  expect([before, states(scene).resolved]).toEqual([
    [ownLogin, ownLogin, null],
    [ownLogin, ownLogin, ownLogin],
  ]);
});

test('posts a finding once if the model repeats or miscounts it', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten, { ...ten, title: 'Ten is another!', severity: 'critical' }]);
  const first = states(scene).comments;
  const reports = [
    await review(scene, 'run_2', [{ ...ten, line: 11 }]),
    await review(scene, 'run_3', [{ ...ten, start_line: 9, line: 12 }]),
    await review(scene, 'run_4', [ten]),
  ].map(({ report }) => report);
  // Farther away, and in other words beside it, it is another.
  const other = await review(scene, 'run_5', [
    ten,
    { ...ten, line: 30 },
    { ...eleven, category: ten.category },
  ]);
  expect([first, reports, other.report]).toEqual([
    ['10: **critical** · Ten is another!'],
    Array.from({ length: 3 }, () => '**Done.** Summary: 1 carried.'),
    '**Done.** Summary: 2 new, 1 carried.',
  ]);
});

test('withdraws an approval when a finding opens', async () => {
  const scene = await world.scene();
  const config = { review: { approve: true } };
  await review(scene, 'run_1', [], { config });
  await setTen(scene, 'evil();\n');
  const { failures } = await review(scene, 'run_2', [ten], { config });
  const during = states(scene).reviews;
  await setTen(scene, 'fixed();\n');
  await review(scene, 'run_3', [], { config });
  expect([failures, during, states(scene).reviews]).toEqual([
    [],
    ['DISMISSED', 'COMMENTED'],
    ['DISMISSED', 'COMMENTED', 'APPROVED', 'COMMENTED'],
  ]);
});

test('approves nothing that got another base during the run', async () => {
  const scene = await world.scene();
  const config = { review: { approve: true } };
  await scene.repository.commit('next', { files: { 'b.js': 'b\n' }, message: 'Begin the next' });
  const { owner, name: repo } = scene.plan().repository;
  await scene.octokit.rest.pulls.update({ owner, repo, pull_number: 1, base: 'next' });
  await review(scene, 'run_1', [], { config });
  const elsewhere = states(scene).reviews;
  await scene.octokit.rest.pulls.update({ owner, repo, pull_number: 1, base: 'main' });
  await review(scene, 'run_2', [], { config });
  expect([elsewhere, states(scene).reviews]).toEqual([[], ['APPROVED']]);
});

test('does not repost a deleted comment, and counts a reopened thread', async () => {
  const scene = await world.scene();
  await review(scene, 'run_1', [ten, eleven]);
  const [first] = scene.repository.reviewComments(1);
  const ports = await scene.ports();
  ports.octokit.hook.after('request', (response, { url }) => {
    if (/\/pulls\/[^/]*\/comments(?:\?|$)/u.test(url) && Array.isArray(response.data))
      response.data = response.data.filter(({ id }: { id: number }) => id !== first?.id);
  });
  const deleted = await review(scene, 'run_2', [ten, eleven], { ports: { octokit: ports.octokit } });
  const other = await world.scene();
  await review(other, 'run_3', [ten]);
  const token = world.github.createToken({
    actor: 'ada',
    permissions: { pull_requests: 'write', contents: 'write' },
  });
  const ada = createOctokit({ apiUrl: world.github.apiUrl, token, wait: async () => {} });
  const threads = await readReviewThreads(other.plan(), ada);
  const thread = (action: 'resolve' | 'unresolve') =>
    ada.graphql(`mutation ($id: ID!) { ${action}ReviewThread(input: { threadId: $id }) { thread { id } } }`, {
      id: [...(threads ?? [])][0]?.[1].id,
    });
  await thread('resolve');
  const resolved = await review(other, 'run_4', [ten]);
  await thread('unresolve');
  const opened = await review(other, 'run_5', [ten]);
  expect([deleted.report, resolved.report, opened.report]).toEqual([
    '**Done.** Summary: 1 carried.',
    '**Done.** Summary: nothing is open.',
    '**Done.** Summary: 1 carried.',
  ]);
});

test('posts text with invalid Unicode, or with a final fence', async () => {
  const scene = await world.scene();
  const fenced: Finding = {
    ...finding,
    path: 'src/a.js',
    line: 40,
    title: 'Fenced',
    body: 'So:\n\n```\ncode\n```',
  };
  const { failures } = await review(scene, 'run_1', [
    { ...ten, title: 'a\ud800b', category: 'x\udc00', body: 'b\ud83d', suggestion: 'c\ud800' },
    { ...ten, path: 'src/\ud800.js', side: 'LEFT' },
    fenced,
    { ...fenced, line: 35, title: 'Behind it' },
  ]);
  const next = await review(scene, 'run_2', [fenced], { review: { store: null } });
  expect([failures, next.report]).toEqual([[], '**Done.** Summary: 4 carried.']);
});
