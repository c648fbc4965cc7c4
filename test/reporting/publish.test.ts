import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { publish } from '../../src/reporting/publish.ts';
import { finding, handoff, sampleOutcome } from './samples.ts';
import { ownLogin, startWorld, text, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const fixed = text((lines) => lines.with(9, 'const ten = 11;\n'));
const far = text((lines) => lines.with(9, 'const ten = 11;\n').with(35, 'const far = 1;\n'));

test('commits changes to the branch, and reports it', async () => {
  const scene = await world.scene();
  const plan = scene.plan();
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed, 'src/new.js': 'new\n' }) });
  const published = await publish(outcome, plan, await scene.ports());
  const sha = (await scene.repository.head('dates')) ?? '';
  expect({
    message: await scene.repository.git('log', '-1', '--format=%an%n%P%n%B', 'dates'),
    content: await scene.repository.git('show', `dates:src/a.js`),
    published,
    comments: scene.repository.comments(1).map(({ author, body }) => [author, body.split('\n').slice(0, 2)]),
    reactions: scene.repository.reactions({ id: scene.commentId }),
  }).toEqual({
    message: [
      ownLogin,
      scene.head,
      'Fix the failing test',
      '',
      'The loop now reaches the last day.',
      '',
      'Co-authored-by: ada <42+ada@users.noreply.github.com>',
      'Anode-Run: run_1',
      '',
      '',
    ]
      .join('\n')
      .trimEnd(),
    content: fixed.trimEnd(),
    published: {
      commit: { sha, url: expect.stringContaining(sha), branch: 'dates' },
      comment: { id: expect.any(Number), url: expect.any(String) },
      issues: [],
      downgrades: [],
      failures: [],
      patch: '',
      report: expect.stringContaining('2 files changed'),
    },
    comments: [
      ['ada', ['@anode fix the failing test']],
      [
        ownLogin,
        [
          '<!-- anode:progress v1 run=run_1 -->',
          expect.stringMatching(/^\*\*Done\.\*\* Committed .* to `dates`: 2 files changed\.$/u),
        ],
      ],
    ],
    reactions: [],
  });
});

test('suggests changes on a fork, and reports the rest as a patch', async () => {
  const scene = await world.scene({ fork: true });
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/a.js': far }) });
  const published = await publish(outcome, scene.plan(), await scene.ports());
  expect({
    published,
    head: await scene.repository.git('rev-parse', 'refs/pull/1/head'),
    comments: scene.repository.reviewComments(1).map(({ path, line, startLine, body }) => ({
      path,
      line,
      startLine,
      body: body.split('\n').slice(1),
    })),
  }).toEqual({
    published: {
      review: { id: expect.any(Number), url: expect.any(String), comments: 1 },
      told: [],
      comment: { id: expect.any(Number), url: expect.any(String) },
      issues: [],
      downgrades: ['Not committed: the pull request comes from a fork.'],
      uncommitted: 'Not committed: the pull request comes from a fork.',
      failures: [],
      patch: expect.stringMatching(/^diff --git .*@@ -33,7 \+33,7 @@.*\+const far = 1;\n.*$/su),
      report: expect.stringContaining('+const far = 1;'),
    },
    head: scene.head,
    comments: [
      { path: 'src/a.js', line: 10, startLine: null, body: ['```suggestion', 'const ten = 11;', '```'] },
    ],
  });
});

test('never overwrites a moved head, and suggests the changes', async () => {
  const scene = await world.scene();
  const ports = await scene.ports();
  const moved = await scene.repository.commit('dates', {
    files: { other: 'x\n' },
    message: 'Push',
    author: 'ada',
  });
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed }) });
  const published = await publish(outcome, scene.plan(), ports);
  expect({
    head: await scene.repository.head('dates'),
    downgrades: published.downgrades,
    failures: published.failures,
    patch: published.patch,
    suggested: scene.repository.reviewComments(1).length,
  }).toEqual({
    head: moved,
    downgrades: ['Not committed, as `dates` moved while the run worked.'],
    failures: [],
    patch: '',
    suggested: 1,
  });
});

test('reports all changes if the head was force-pushed away', async () => {
  const scene = await world.scene();
  const ports = await scene.ports();
  const plan = scene.plan();
  await scene.repository.forcePush('dates', await orphan(scene.repository, scene.base), 'ada');
  const changes = scene.changes({ 'src/a.js': fixed });
  const published = await publish(sampleOutcome({ changes, findings: [finding] }), plan, ports);
  expect({
    downgrades: published.downgrades,
    failures: published.failures,
    patch: published.patch,
    reviews: scene.repository.reviews(1),
    summary: scene.repository.comments(1).some(({ body }) => body.includes('Off by one')),
    told: ['Off by one', '+const ten = 11;'].map((part) =>
      scene.repository.comments(1).at(-1)?.body.includes(part),
    ),
  }).toEqual({
    downgrades: ['Not committed, as `dates` moved while the run worked.'],
    failures: ['GitHub took no review of this run. What it would have suggested is here as a patch.'],
    patch: changes.patch,
    reviews: [],
    summary: true,
    told: [false, true],
  });
});

async function orphan(
  repository: { git(...args: string[]): Promise<string> },
  base: string,
): Promise<string> {
  const tree = await repository.git('rev-parse', `${base}^{tree}`);
  const author = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com'];
  return (await repository.git(...author, 'commit-tree', tree.trim(), '-p', base, '-m', 'Again')).trim();
}

test('posts findings in one review, and does not repeat them', async () => {
  const scene = await world.scene();
  const plan = scene.plan({
    verb: 'review',
    profile: 'review',
    push: { kind: 'none', reason: 'it is a review' },
  });
  const findings = [
    { ...finding, line: 10, suggestion: 'const ten = 12;' },
    { ...finding, line: 39, title: 'Far from the change', category: 'style' },
    { ...finding, path: 'README.md', title: 'Not in the diff' },
  ];
  const outcome = sampleOutcome({ findings });
  await publish(outcome, plan, await scene.ports());
  const again = await publish(
    { ...outcome, run_id: 'run_2' },
    { ...plan, run_id: 'run_2' },
    await scene.ports(),
  );
  expect({
    reviews: scene.repository.reviews(1).map(({ state, commitId, body }) => ({
      state,
      commitId,
      body: body.split('\n'),
    })),
    listed: ['Far from the change', 'Not in the diff'].map(
      (title) => scene.repository.comments(1).filter(({ body }) => body.includes(title)).length,
    ),
    lines: scene.repository.reviewComments(1).map((comment) => comment.line),
    again: again.report.split('\n')[0]?.replace(/\[Summary\]\(.*?\)/u, 'Summary'),
  }).toEqual({
    reviews: [
      {
        state: 'COMMENTED',
        commitId: scene.head,
        body: [
          '<!-- anode:review v1 run=run_1 -->',
          '**3 findings**: 3 high. 2 of them are only in the summary.',
        ],
      },
    ],
    listed: [1, 1],
    lines: [10],
    again: '**Done.** Summary: 3 carried.',
  });
});

test('turns an issue into a branch, a commit, a pull request and a comment', async () => {
  const scene = await world.scene();
  const plan = scene.plan({
    verb: 'implement',
    thread: { kind: 'issue', number: 2, title: 'support week numbers' },
    checkout: { ref: 'refs/heads/main', sha: scene.base, base_ref: 'main', base_sha: null, fork: false },
    push: {
      kind: 'new_branch',
      branch: 'anode/issue-2',
      base: 'main',
      expected_sha: scene.base,
      closes: 2,
    },
  });
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/week.js': 'week\n' }, 'base') });
  const published = await publish(outcome, plan, await scene.ports({ pullRequestDiff: null }));
  const number = published.pull_request?.number ?? 0;
  expect({
    published: published.pull_request,
    commits: (await scene.repository.git('log', '--format=%s', 'main..anode/issue-2')).trim(),
    pull: scene.repository
      .pulls()
      .filter((pull) => pull.number === number)
      .map(({ title, head, base, author, draft }) => ({ title, head, base, author, draft })),
    closes: scene.repository.closingIssues(number),
    comment: scene.repository.comments(2).map(({ body }) => body.split('\n')[1]),
  }).toEqual({
    published: { number: 3, url: `${scene.repository.url}/pull/3` },
    commits: 'Support week numbers',
    pull: [
      { title: 'Support week numbers', head: 'anode/issue-2', base: 'main', author: ownLogin, draft: true },
    ],
    closes: [2],
    comment: ['**Done.** Opened #3 with 1 file changed.'],
  });
});

test('fits the longest report, and pushes files that only git can write', async () => {
  const scene = await world.scene();
  const changes = scene.changes({ 'src/a.js': fixed, 'run.sh': '#!/bin/sh\n' });
  const executable = { ...changes, files: changes.files.map((file) => ({ ...file, mode: '100755' })) };
  const outcome = sampleOutcome({ changes: executable, answer: 'long '.repeat(12_000) });
  const asked: unknown[] = [];
  const ports = await scene.ports({
    pushCommit: async (target) => {
      asked.push(target);
      return { sha: scene.base };
    },
  });
  const published = await publish(outcome, scene.plan(), ports);
  expect({ asked, commit: published.commit, failures: published.failures }).toEqual({
    asked: [
      {
        branch: 'dates',
        expectedSha: scene.head,
        message: expect.stringMatching(
          /^Fix the failing test\n\nlong .*\n\nCo-authored-by: .*\nAnode-Run: run_1\n$/su,
        ),
        patch: changes.patch,
      },
    ],
    commit: {
      sha: scene.base,
      url: `${scene.repository.url}/commit/${scene.base}`,
      branch: 'dates',
    },
    failures: [],
  });
});

test('deletes a branch without a commit, and reports the remedy', async () => {
  const scene = await world.scene();
  const plan = scene.plan({
    verb: 'implement',
    thread: { kind: 'issue', number: 2, title: 'support week numbers' },
    push: { kind: 'new_branch', branch: 'anode/x', base: 'main', expected_sha: scene.base, closes: 2 },
  });
  const ports = await scene.ports({
    pullRequestDiff: null,
    pushCommit: async () => {
      throw new Error('remote: permission denied');
    },
  });
  const changes = scene.changes({ 'run.sh': '#!/bin/sh\n' }, 'base');
  const executable = { ...changes, files: changes.files.map((file) => ({ ...file, mode: '100755' })) };
  const published = await publish(sampleOutcome({ changes: executable }), plan, ports);
  expect({
    branch: await scene.repository.head('anode/x'),
    downgrades: published.downgrades,
    patch: published.patch,
  }).toEqual({
    branch: null,
    downgrades: [
      'Not committed, as GitHub refused it: remote: permission denied. `run.sh` needs a git push, whose commit has no signature. Where a rule asks for one, commit the patch yourself.',
    ],
    patch: changes.patch,
  });
});

test('moves refused parts elsewhere, and returns an unposted report', async () => {
  const scene = await world.scene();
  const plan = scene.plan();
  const changes = scene.changes({ 'src/a.js': far });
  const token = world.github.createToken({
    actor: ownLogin,
    permissions: { contents: 'read', issues: 'read', pull_requests: 'read' },
  });
  const octokit = createOctokit({ apiUrl: world.github.apiUrl, token, wait: async () => {} });
  const outcome = sampleOutcome({ changes, handoffs: [handoff] });
  const published = await publish(outcome, plan, await scene.ports({ octokit }));
  expect(published).toEqual({
    told: [],
    issues: [],
    downgrades: [published.uncommitted],
    uncommitted: expect.stringMatching(/^Not committed, as GitHub refused it: /u),
    failures: [
      expect.stringMatching(/^The review could not be posted: /u),
      expect.stringMatching(/^Handoff 1 of 1 \(Tokens are migrated\.\) could not be posted: /u),
      expect.stringMatching(/^The report could not be posted: /u),
      expect.stringMatching(/^The issue with the changes could not be posted: /u),
    ],
    handoffs: [
      '**Tokens are migrated**\n\n<sub>Handed over by an Anode [run](https://ci.test/1) on #1 for ada.</sub>',
    ],
    patch: changes.patch,
    report: expect.stringContaining('+const far = 1;'),
  });
});

test('suggests a patch that waits for approval, or displays it', async () => {
  const scene = await world.scene();
  const approval = (diff: string) => ({
    tool: 'apply_patch',
    what: 'src/a.js',
    reason: 'It needs approval.',
    hash: 'h',
    call_id: 'c',
    diff,
  });
  const fits = scene.changes({ 'src/a.js': fixed }).patch;
  const outcome = sampleOutcome({ approvals: [approval(fits), approval('no patch at all')] });
  const published = await publish(outcome, scene.plan(), await scene.ports());
  expect({
    suggested: scene.repository.reviewComments(1).map(({ line, body }) => [line, body.split('\n').slice(1)]),
    patch: published.patch,
    shown: published.report.includes('no patch at all'),
  }).toEqual({
    suggested: [[10, ['```suggestion', 'const ten = 11;', '```']]],
    patch: 'no patch at all\n',
    shown: true,
  });
});

test('uploads findings only of a successful review with a report', async () => {
  const scene = await world.scene();
  const given = async (changes: Partial<Outcome>) => {
    let uploads = 0;
    const uploadSarif = async () => {
      uploads += 1;
    };
    await publish(sampleOutcome(changes), scene.plan(), await scene.ports({ uploadSarif }));
    return uploads;
  };
  expect([
    await given({}),
    await given({ unreported: 'report_findings' }),
    await given({ conclusion: 'limit' }),
  ]).toEqual([1, 0, 0]);
});
