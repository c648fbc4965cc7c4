import { expect, test } from 'vitest';
import { createOctokit } from '../src/github/create-octokit.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import type { RepositoryHandle } from './support/github/repository-handle.ts';
import { latestEvent } from './support/latest-event.ts';
import type { Script } from './support/model/script.ts';
import {
  attempt,
  entryContext,
  github,
  login,
  model,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';

/** What the reviewer finds; each step sets its own. */
let found: readonly Record<string, string | number>[] = [];
/** What happens while it looks, once. */
let meanwhile = async (): Promise<void> => undefined;
const review: Script = async ({ messages }) => {
  if (messages.length > 1) return { text: 'See the lines.' };
  const happens = meanwhile;
  meanwhile = async () => undefined;
  await happens();
  return { calls: [{ name: 'report_findings', input: { findings: found.map((one) => ({ ...one })) } }] };
};
startWorkerEdges((request) => review(request));

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 60 }, (_, index) => changed[index + 1] ?? `const value${index + 1} = ${index + 1};`).join('\n')}\n`;

const on = (line: number, title: string, fields: Record<string, string> = {}) => ({
  ...{ path: 'a.js', line, severity: 'high', category: 'correctness', title, body: `${title}.` },
  ...fields,
});

const shown = (body: string) => body.replaceAll(/^<!--.*?-->\n|<!--.*?-->/gm, '');

/** A repository with a pull request of `ada`, and ways to have it reviewed. */
async function scene(name: string, files: Record<string, string> = {}) {
  const repository = await github.createRepository(name, { files: { 'a.js': lines(), ...files } });
  repository.setPermission('ada', 'write');
  await repository.commit('work', {
    files: { 'a.js': lines({ 5: 'five()' }) },
    message: 'Five',
    author: 'ada',
  });
  await repository.openPullRequest({ title: 'Five', head: 'work', author: 'ada' });
  const run = async (event: Parameters<typeof handleEvent>[0]) => {
    const before = model.requests.length;
    const { kind } = await handleEvent(event, attempt(1), entryContext({ canAsk: true }));
    const [request] = model.requests.slice(before);
    return { kind, asked: JSON.stringify(request?.messages ?? '') };
  };
  return {
    repository,
    opened: () => run(latestEvent(github, 'pull_request', 'opened', null)),
    retargeted: () => run(latestEvent(github, 'pull_request', 'edited', null)),
    pushed: () => run(latestEvent(github, 'pull_request', 'synchronize', null)),
    asked: (body: string) => {
      repository.comment(1, { author: 'ada', body });
      return run(newestComment(null));
    },
  };
}

const titles = (repository: RepositoryHandle) =>
  repository.reviewComments(1).map(({ line, body }) => `${line}: ${/· (.*)/.exec(body)?.[1] ?? shown(body)}`);
const linkless = (text: string | undefined) => text?.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1');
/** The lines of our newest comment, without the addresses of links. */
const report = (repository: RepositoryHandle) =>
  shown(repository.comments(1).findLast(({ author }) => author === login)?.body ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('<sub>'))
    .map(linkless);
const short = async (repository: RepositoryHandle) => `\`${(await repository.head('work'))?.slice(0, 7)}\``;

test('a pull request is reviewed push by push, and each finding is reported once and resolved when fixed', async () => {
  const { repository, opened, pushed } = await scene('acme/life');
  found = [on(5, 'Five is called')];
  await opened();
  expect(titles(repository)).toEqual(['5: Five is called']);
  const opening = await short(repository);

  found = [on(40, 'Forty is called'), on(5, 'The call of five, in other words')];
  await repository.commit('work', {
    files: { 'a.js': lines({ 5: 'five()', 40: 'forty()' }) },
    message: 'Forty',
    author: 'ada',
  });
  const second = await pushed();
  expect({
    titles: titles(repository),
    report: report(repository),
    review: shown(repository.reviews(1).at(-1)?.body ?? ''),
    shown: ['forty()', 'five()', 'Do not report these again', 'Five is called'].map((text) =>
      second.asked.includes(text),
    ),
  }).toEqual({
    titles: ['5: Five is called', '40: Forty is called'],
    report: [
      `**2 open findings**: 2 high. Reviewed up to ${await short(repository)}.`,
      `Since ${opening}: 1 new, 1 carried.`,
      'See the lines.',
      '- **high** · `a.js:5` Five is called',
      '- **high** _new_ · `a.js:40` Forty is called',
    ],
    review: '**1 new, 1 carried.** New: 1 high. Open from before: 1 high.',
    shown: [true, false, true, true],
  });

  // The base moves on and the branch is rebased: all lines are elsewhere, and nothing is new.
  const moved = (changed: Readonly<Record<number, string>>) => `// one\n// two\n${lines(changed)}`;
  const base = await repository.commit('main', {
    files: { 'a.js': moved({}), 'other.js': 'other();\n' },
    message: 'Base',
    author: 'ada',
  });
  const rebased = async (name: string, changed: Readonly<Record<number, string>>) => {
    await repository.git('update-ref', `refs/heads/${name}`, base);
    const sha = await repository.commit(name, {
      files: { 'a.js': moved(changed) },
      message: 'Five and forty',
      author: 'ada',
    });
    await repository.forcePush('work', sha, 'ada');
    return sha;
  };
  const comments = repository.comments(1).length;
  await rebased('again', { 5: 'five()', 40: 'forty()' });
  const third = await pushed();
  expect([third, repository.comments(1).length, repository.reviews(1).length]).toEqual([
    { kind: 'skipped', asked: '""' },
    comments,
    2,
  ]);

  // Who asks for it sees that it was heard.
  const asking = repository.comment(1, { author: 'ada', body: '/anode review -i' });
  const heard = await handleEvent(newestComment(null), attempt(1), entryContext({ canAsk: true }));
  expect([heard.kind, repository.reactions(asking).map(({ content }) => content)]).toEqual([
    'skipped',
    ['+1'],
  ]);

  // One is fixed, the other let go and then touched.
  const rebasedHead = await short(repository);
  const [, forty] = repository.reviewComments(1);
  repository.react({ id: forty?.id ?? 0 }, '-1', 'ada');
  const sha = await repository.commit('work', {
    files: { 'a.js': moved({ 5: 'const five = 5;', 40: 'forty()', 41: 'const more = 1;' }) },
    message: 'Fix',
    author: 'ada',
  });
  found = [on(42, 'Forty is called')];
  const fourth = await pushed();
  const [thread, other] = repository.reviewThreads(1);
  expect({
    report: report(repository),
    titles: titles(repository),
    resolved: [thread?.resolvedBy, other?.resolvedBy],
    asked: fourth.asked.includes('report it again with the category and title given here'),
  }).toEqual({
    report: [
      `**Nothing is open.** Reviewed up to \`${sha.slice(0, 7)}\`.`,
      `Since ${rebasedHead}: 1 fixed.`,
      'See the lines.',
      '<details><summary>Settled: 1 fixed, 1 dismissed</summary>',
      '- dismissed by ada: `a.js:42` Forty is called',
      `- fixed by \`${sha.slice(0, 7)}\`: \`a.js:7\` Five is called`,
      '</details>',
    ],
    titles: [
      'null: Five is called',
      '42: Forty is called',
      `null: Fixed by [\`${sha.slice(0, 7)}\`](${repository.url}/commit/${sha}).`,
    ],
    resolved: [login, login],
    asked: true,
  });

  // Let go is let go, also in a review of everything after another rebase.
  await rebased('third', { 5: 'const five = 5;', 40: 'forty()', 41: 'const more = 1;' });
  const quiet = await pushed();
  const found1 = await (async () => {
    repository.comment(1, { author: 'ada', body: '/anode review' });
    return handleEvent(newestComment(null), attempt(1), entryContext({ canAsk: true }));
  })();
  expect([quiet.kind, found1.kind, titles(repository).length, report(repository)]).toEqual([
    'skipped',
    'run',
    3,
    ['**Done.** Summary: nothing is open.', 'See the lines.'],
  ]);
  // One summary, and an answer to each request.
  expect(repository.comments(1).filter(({ author }) => author === login).length).toBe(2);
});

test('a finding whose code a rewritten branch never had is resolved as no longer present', async () => {
  const { repository, opened, pushed } = await scene('acme/rewritten');
  found = [on(5, 'Five is called')];
  await opened();
  const before = await short(repository);
  const files = { 'a.js': lines({ 50: 'const fifty = 50;' }) };
  const sha = await repository.commit('rewritten', { files, message: 'Fifty', author: 'ada' });
  await repository.forcePush('work', sha, 'ada');
  found = [];
  await pushed();
  expect({
    titles: titles(repository),
    resolved: repository.reviewThreads(1).map(({ resolvedBy }) => resolvedBy),
    report: report(repository),
  }).toEqual({
    titles: [
      'null: Five is called',
      `null: No longer present at [\`${sha.slice(0, 7)}\`](${repository.url}/commit/${sha}).`,
    ],
    resolved: [login],
    report: [
      `**Nothing is open.** Reviewed up to \`${sha.slice(0, 7)}\`.`,
      `Since ${before}: 1 fixed.`,
      '<details><summary>Settled: 1 fixed</summary>',
      '- no longer present: `a.js:5` Five is called',
      '</details>',
    ],
  });
});

test('a pull request with a new base is not approved for the old base, and new commits are reviewed', async () => {
  const { repository, pushed, retargeted } = await scene('acme/base', {
    '.github/anode.yml': 'review:\n  approve: true\n',
  });
  await repository.git('branch', 'feature', 'work');
  await repository.commit('work', {
    files: { 'a.js': lines({ 5: 'five()', 40: 'forty()' }) },
    message: 'Forty',
    author: 'ada',
  });
  const retarget = (base: string) =>
    createOctokit({
      apiUrl: github.apiUrl,
      token: github.createToken({ actor: 'ada', permissions: { pull_requests: 'write' } }),
    }).rest.pulls.update({ owner: 'acme', repo: 'base', pull_number: 1, base });
  await retarget('feature');
  const states = () => repository.reviews(1).map(({ state }) => state);
  await repository.edit(1, { title: 'Forty' }, { actor: 'ada' });
  const edited = await retargeted();
  found = [];
  meanwhile = async () => void (await retarget('main'));
  await pushed();
  const first = states();
  found = [on(5, 'Five is called')];
  const second = await retargeted();
  expect([edited.kind, first, second.asked.includes('five()'), states(), titles(repository)]).toEqual([
    'none',
    [],
    true,
    ['COMMENTED'],
    ['5: Five is called'],
  ]);
});

test('a finding of a file that a new base takes out is neither open nor fixed, and is open again on the way back', async () => {
  const { repository, pushed, retargeted } = await scene('acme/back', { 'b.js': lines() });
  const change = (files: Record<string, string>) => ({ files, message: 'Call', author: 'ada' });
  const next = await repository.commit('next', change({ 'b.js': lines({ 9: 'nine()' }) }));
  await repository.git('update-ref', 'refs/heads/both', next);
  const both = await repository.commit('both', change({ 'a.js': lines({ 5: 'five()' }) }));
  await repository.forcePush('work', both, 'ada');
  found = [on(5, 'Five is called'), on(9, 'Nine is called', { path: 'b.js' })];
  await pushed();
  const seen = [report(repository)];
  found = [];
  for (const base of ['next', 'main']) {
    await repository.retarget(1, base, { actor: 'ada' });
    await retargeted();
    seen.push(report(repository));
  }
  const [heading = '', five, nine] = [
    `Reviewed up to \`${both.slice(0, 7)}\`.`,
    '- **high** · `a.js:5` Five is called',
    '- **high** · `b.js:9` Nine is called',
  ];
  expect(seen).toEqual([
    [`**2 open findings**: 2 high. ${heading}`, 'See the lines.', five, nine],
    [
      `**1 open finding**: 1 high. ${heading}`,
      'Now against `next`; it was against `main`.',
      five,
      '<details><summary>Settled: 1 outside the changes</summary>',
      '- not among the changed files now: `b.js:9` Nine is called',
      '</details>',
    ],
    [`**2 open findings**: 2 high. ${heading}`, five, nine],
  ]);
});

test('without anything to review no model is called, nothing is approved, and a requester gets a reply', async () => {
  const config = 'review:\n  approve: true\n  ignore: ["a.js"]\n';
  const { repository, opened, asked } = await scene('acme/nothing', { '.github/anode.yml': config });
  const handled = [await opened(), await asked('/anode review'), await asked('/anode review again')];
  expect({
    handled,
    reviews: repository.reviews(1),
    told: report(repository),
    comments: repository.comments(1).filter(({ author }) => author === login).length,
  }).toEqual({
    handled: ['skipped', 'run', 'run'].map((kind) => ({ kind, asked: '""' })),
    reviews: [],
    told: [
      '**Done.** Summary: no findings.',
      '- There is nothing to review here: no file is changed, or only such as `review.paths` and `review.ignore` leave out.',
    ],
    comments: 2,
  });
});

test('files that do not fit count neither as fixed nor as reviewed, and are reported', async () => {
  const wide = (mark: string) => `// ${mark}: ${'x'.repeat(200)}\n`.repeat(400);
  const huge = (mark: string) => `first();\nsecond(${mark});\n${wide('huge').repeat(2)}`;
  const { repository, pushed } = await scene('acme/wide');
  const push = (files: Record<string, string>) =>
    repository.commit('work', { files, message: 'More', author: 'ada' });
  await push({ 'huge.js': huge('1'), 'wide1.js': wide('one'), 'wide2.js': wide('two') });
  found = [on(2, 'The second is called', { path: 'huge.js' })];
  const seen: unknown[] = [];
  const told = () => {
    const [summary, ...others] = repository.comments(1);
    const text = shown(summary?.body ?? '');
    seen.push([/^.*?: 1 high\./.exec(text)?.[0], /^- (The change is .*)$/m.exec(text)?.[1], others.length]);
  };
  const first = await pushed();
  told();
  found = [];
  await push({ 'huge.js': huge('2') });
  const second = await pushed();
  told();
  await push({ 'b.js': 'b();\n' });
  const third = await pushed();
  told();
  const left = ({ asked }: { asked: string }) => /more changed files; read them: ([^\\]*)/.exec(asked)?.[1];
  expect({
    left: [first, second, third].map(left),
    shown: [first, second, third].map(({ asked }) => /## (\w+)\.js/g.exec(asked)?.[1]),
    titles: titles(repository),
    seen,
  }).toEqual({
    left: ['huge.js, wide2.js', 'huge.js', undefined],
    shown: ['a', 'wide2', 'b'],
    titles: ['null: The second is called'],
    seen: [
      [
        '**1 open finding**: 1 high.',
        'The change is too large to be shown to the reviewer whole, who could only read on in 2 files: `huge.js`, `wide2.js`. The next review begins with those that fit.',
        0,
      ],
      [
        '**1 open finding**: 1 high.',
        'The change is too large to be shown to the reviewer whole, who could only read on in 1 file: `huge.js`.',
        0,
      ],
      ['**1 open finding**: 1 high.', undefined, 0],
    ],
  });
});
