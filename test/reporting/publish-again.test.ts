import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { RunPlan } from '../../src/contract/plan.ts';
import type { PublishPorts } from '../../src/reporting/posting/ports.ts';
import { publish } from '../../src/reporting/publish.ts';
import { rebaseChanges } from '../../src/workspace/changes/rebase-changes.ts';
import { pushCommit } from '../../src/workspace/git/push-commit.ts';
import { dieAtEveryWrite } from './dying.ts';
import { everythingOn } from './everything-on.ts';
import { finding, handoff, sampleOutcome, waitingSession } from './samples.ts';
import { type Scene, startWorld, text, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

interface Use {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly ports?: Partial<PublishPorts>;
}

const fixed = text((lines) => lines.with(9, 'const ten = 11;\n'));
const question = {
  question: 'Which calendar?',
  options: [{ id: 'iso', label: 'ISO' }],
  allow_freeform: false,
  required: true,
  questions: [],
};
const approval = {
  tool: 'bash',
  what: 'npm publish',
  reason: 'It needs approval.',
  hash: '0123456789abcdef',
  call_id: 'c',
};
/** What a run can end in, each using as many outlets as it may. */
const uses: Readonly<Record<string, (scene: Scene) => Promise<Use>>> = {
  'a commit, a review, handoffs and a report': async (scene) => ({
    outcome: sampleOutcome({
      changes: scene.changes({ 'src/a.js': fixed }),
      findings: [
        { ...finding, line: 10 },
        { ...finding, path: 'README.md' },
      ],
      handoffs: [handoff, { ...handoff, target: 'next_thread' }],
    }),
    plan: scene.plan(),
    ports: { config: { handoff: { autorun: true, assignees: ['ada'] } } },
  }),
  'a new branch and a dressed pull request': async (scene) => {
    await scene.label('bot');
    return {
      outcome: sampleOutcome({ changes: scene.changes({ 'src/week.js': 'week\n' }, 'base') }),
      plan: scene.plan({
        verb: 'implement',
        thread: { kind: 'issue', number: 2, title: 'support week numbers' },
        push: { kind: 'new_branch', branch: 'anode/2', base: 'main', expected_sha: scene.base, closes: 2 },
      }),
      ports: {
        config: { pullRequest: { labels: ['bot', 'none'], assignRequester: true, reviewers: ['ada'] } },
      },
    };
  },
  'a question': async (scene) => {
    const plan = scene.plan();
    const session = waitingSession(plan, question);
    return { outcome: sampleOutcome({ conclusion: 'waiting', question }), plan, ports: { session } };
  },
  'a request for approval': async (scene) => {
    const plan = scene.plan();
    const session = { ...waitingSession(plan, question), question: null, approval };
    return {
      outcome: sampleOutcome({ conclusion: 'waiting', pending_approval: approval }),
      plan,
      ports: { session },
    };
  },
  'suggestions, and a patch too long for a report': async (scene) => ({
    outcome: sampleOutcome({
      changes: scene.changes({
        'src/a.js': fixed,
        'src/long.js': 'long line\n'.repeat(4_500),
        'src/more.js': 'more lines\n'.repeat(4_500),
      }),
    }),
    plan: scene.plan({ push: { kind: 'none', reason: 'it comes from a fork' } }),
  }),
  'labels, and duplicates in a report': async (scene) => {
    for (const label of ['bug', 'docs']) await scene.label(label);
    return {
      outcome: sampleOutcome({ triage: { labels: ['bug', 'docs'], duplicates: [2] } }),
      plan: scene.plan({ verb: 'triage', triage: { labels: ['bug', 'docs'], candidates: [2] } }),
    };
  },
  'a description and a title': async (scene) => ({
    outcome: sampleOutcome({ description: { title: 'Dates, at last', body: 'Adds dates.' } }),
    plan: scene.plan({ verb: 'describe' }),
    ports: { config: { describe: { title: true } } },
  }),
  'a commit on a head that moved': async (scene) => {
    const plan = scene.plan();
    const git = await scene.git();
    await scene.repository.commit('dates', { files: { other: 'x\n' }, message: 'Push', author: 'ada' });
    return {
      outcome: sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed }) }),
      plan,
      ports: {
        rebase: ({ from, patch, onto }) => rebaseChanges({ git, from, patch, onto }),
      },
    };
  },
  'a commit by git push': async (scene) => {
    const person = { name: 'anode-ci[bot]', email: 'bot@example.com' };
    const remote = { url: scene.repository.cloneUrl, token: scene.token };
    const git = await scene.git();
    return {
      outcome: sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed }) }),
      plan: scene.plan(),
      ports: {
        config: { commit: { via: 'push' } },
        pushCommit: (target) => pushCommit({ git, remote, ...target, author: person, committer: person }),
      },
    };
  },
};

const writes: Readonly<Record<string, number>> = {
  'a commit, a review, handoffs and a report': 8,
  'a new branch and a dressed pull request': 8,
  'a question': 3,
  'a request for approval': 3,
  'suggestions, and a patch too long for a report': 5,
  'labels, and duplicates in a report': 3,
  'a description and a title': 3,
  'a commit on a head that moved': 3,
  'a commit by git push': 3,
};

/** Resolves when the stand-in has answered the next request that is no look. */
function nextWrite(): Promise<void> {
  return new Promise((resolve) => {
    const stop = world.github.onRequest(({ method }) => {
      if (method === 'GET') return;
      stop();
      resolve();
    });
  });
}

const left = new Map<string, unknown>();

/** What stands when nobody is killed; found out once. */
async function undisturbed(name: string): Promise<unknown> {
  if (!left.has(name)) {
    const scene = await world.scene();
    const { outcome, plan, ports } = await useOf(name, scene);
    await publish(outcome, plan, await scene.ports(ports));
    left.set(name, await everythingOn(scene));
  }
  return left.get(name);
}

const useOf = (name: string, scene: Scene): Promise<Use> => uses[name]?.(scene) ?? expect.unreachable();
const everything = 'a commit, a review, handoffs and a report';

test.each(
  Object.keys(uses),
)('publishes %s once, also if it is killed at any call and run again', async (name) => {
  const scene = await world.scene();
  const { outcome, plan, ports } = await useOf(name, scene);
  const writer = { apiUrl: world.github.apiUrl, token: scene.token };
  const { deaths } = await dieAtEveryWrite(
    writer,
    () => scene.ports(ports),
    (dying) => publish(outcome, plan, dying),
  );
  const published = await publish(outcome, plan, await scene.ports(ports));
  expect({ deaths, failures: published.failures, stands: await everythingOn(scene) }).toEqual({
    deaths: { before: writes[name], after: writes[name] },
    failures: [],
    stands: await undisturbed(name),
  });
});

test('creates everything once with two publishers of one run', async () => {
  const scene = await world.scene();
  const { outcome, plan, ports } = await useOf(everything, scene);
  const own = await scene.ports(ports);
  const oneIsDone = Promise.withResolvers<unknown>();
  // While one waits, only the other writes, if it is not done.
  const wait = () => Promise.race([nextWrite(), oneIsDone.promise]);
  const both = [0, 1].map(() => publish(outcome, plan, { ...own, wait }));
  for (const one of both) one.then(oneIsDone.resolve, oneIsDone.reject);
  const published = await Promise.all(both);
  expect([published.map(({ failures }) => failures), await everythingOn(scene)]).toEqual([
    [[], []],
    await undisturbed(everything),
  ]);
});

test('publishes two runs on one thread once each', async () => {
  const scene = await world.scene();
  const git = await scene.git();
  const ports = await scene.ports({
    rebase: ({ from, patch, onto }) => rebaseChanges({ git, from, patch, onto }),
  });
  const runs = [9, 30].map((line, index) => ({
    plan: scene.plan({ run_id: `run_${index}` }),
    outcome: sampleOutcome({
      run_id: `run_${index}`,
      changes: scene.changes({ 'src/a.js': text((lines) => lines.with(line, 'const changed = 1;\n')) }),
      handoffs: [{ ...handoff, summary: `Left by ${index}` }],
    }),
  }));
  const published = await Promise.all(runs.map(({ plan, outcome }) => publish(outcome, plan, ports)));
  expect({
    failures: published.flatMap(({ failures }) => failures),
    subjects: (await scene.repository.git('log', '--format=%s', 'main..dates')).trim().split('\n'),
    changed: (await scene.repository.git('show', 'dates:src/a.js')).match(/changed/gu)?.length,
    reports: scene.repository
      .comments(1)
      .map(({ body }) => /run=(run_\d)/u.exec(body)?.[1])
      .toSorted(),
    issues: scene.repository
      .issues()
      .map(({ title }) => title)
      .toSorted(),
  }).toEqual({
    failures: [],
    subjects: ['Fix the failing test', 'Fix the failing test', 'Change ten'],
    changed: 2,
    reports: ['run_0', 'run_1', undefined],
    issues: ['Left by 0', 'Left by 1', 'support week numbers'],
  });
});

test('recovers from lost answers without errors or repetition', async () => {
  const scene = await world.scene();
  const { outcome, plan, ports } = await useOf(everything, scene);
  const paths = [/\/graphql$/u, /\/pulls\/1\/reviews$/u, /\/issues$/u, /\/issues\/1\/comments$/u];
  for (const path of paths) world.github.failNext({ method: 'POST', path, after: true });
  const published = await publish(outcome, plan, await scene.ports(ports));
  expect([published.failures, published.downgrades, await everythingOn(scene)]).toEqual([
    [],
    [],
    await undisturbed(everything),
  ]);
});
