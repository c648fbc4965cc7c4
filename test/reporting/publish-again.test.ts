import type { Octokit } from '@octokit/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { RunPlan } from '../../src/contract/plan.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { publish } from '../../src/reporting/publish.ts';
import { finding, handoff, sampleOutcome } from './samples.ts';
import { type Scene, startWorld, text, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

/** A run on the pull request that uses every outlet at once. */
const onPullRequest = (scene: Scene): { outcome: Outcome; plan: RunPlan } => ({
  outcome: sampleOutcome({
    changes: scene.changes({ 'src/a.js': text((lines) => lines.with(9, 'const ten = 11;\n')) }),
    findings: [
      { ...finding, line: 10 },
      { ...finding, path: 'README.md' },
    ],
    handoffs: [handoff, handoff],
  }),
  plan: scene.plan(),
});
const afterPullRequest = {
  commits: ['Start', 'Fix the failing test\nChange ten\nStart', null],
  pulls: ['Add dates'],
  issues: ['support week numbers', 'Tokens are migrated.', 'Tokens are migrated.'],
  comments: [['@anode fix the failing test', '<!-- anode:progress v1 run=run_1 -->'], []],
  reviews: ['**2 findings**: 2 high.'],
  lines: [10],
  reactions: 0,
};

/** A run on the issue, which opens a pull request. */
const onIssue = (scene: Scene): { outcome: Outcome; plan: RunPlan } => ({
  outcome: sampleOutcome({ changes: scene.changes({ 'src/week.js': 'week\n' }, 'base') }),
  plan: scene.plan({
    verb: 'implement',
    thread: { kind: 'issue', number: 2, title: 'support week numbers' },
    push: { kind: 'new_branch', branch: 'anode/2', base: 'main', expected_sha: scene.base, closes: 2 },
  }),
});
const afterIssue = {
  commits: ['Start', 'Change ten\nStart', 'Support week numbers\nStart'],
  pulls: ['Add dates', 'Support week numbers'],
  issues: ['support week numbers'],
  comments: [['@anode fix the failing test'], ['<!-- anode:progress v1 run=run_1 -->']],
  reviews: [],
  lines: [],
  reactions: 0,
};

/** All that stands on GitHub, without what differs from one repository to the next. */
async function stateOf({ repository, commentId }: Scene) {
  const branches = ['main', 'dates', 'anode/2'];
  const commits = await Promise.all(
    branches.map(async (branch) =>
      (await repository.head(branch)) === null
        ? null
        : (await repository.git('log', '--format=%s', branch)).trim(),
    ),
  );
  return {
    commits,
    pulls: repository.pulls().map(({ title }) => title),
    issues: repository.issues().map(({ title }) => title),
    comments: [1, 2].map((number) => repository.comments(number).map(({ body }) => body.split('\n')[0])),
    reviews: repository.reviews(1).map(({ body }) => body.split('\n')[1]),
    lines: repository.reviewComments(1).map(({ line }) => line),
    reactions: repository.reactions({ id: commentId }).length,
  };
}

class Killed extends Error {}

/** A client whose process dies right after its first write was answered. */
function dyingOctokit(scene: Scene): Octokit {
  const octokit = createOctokit({ apiUrl: world.github.apiUrl, token: scene.token, wait: async () => {} });
  octokit.hook.after('request', (_, options) => {
    if (options.method !== 'GET') throw new Killed();
  });
  return octokit;
}

test.each([
  ['a pull request', onPullRequest, afterPullRequest, 6],
  ['an issue', onIssue, afterIssue, 5],
])('Killed after every single write and run again, a run on %s makes nothing twice.', async (_, use, after, writes) => {
  const scene = await world.scene();
  const { outcome, plan } = use(scene);
  let deaths = 0;
  for (let alive = false; !alive; ) {
    const ports = await scene.ports({ octokit: dyingOctokit(scene) });
    alive = await publish(outcome, plan, ports).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        deaths += 1;
        return false;
      },
    );
  }
  const published = await publish(outcome, plan, await scene.ports());
  expect([deaths, await stateOf(scene), published.failures]).toEqual([writes, after, []]);
});

test('Answers that got lost are neither errors nor a reason to do it again.', async () => {
  const scene = await world.scene();
  const { outcome, plan } = onPullRequest(scene);
  const paths = [/\/graphql$/u, /\/pulls\/1\/reviews$/u, /\/issues$/u, /\/issues\/1\/comments$/u];
  for (const path of paths) world.github.failNext({ method: 'POST', path, after: true });
  const published = await publish(outcome, plan, await scene.ports());
  expect([published.failures, published.downgrades, await stateOf(scene)]).toEqual([
    [],
    [],
    afterPullRequest,
  ]);
});
