import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublishPorts, Rebase } from '../../src/reporting/posting/ports.ts';
import { publish } from '../../src/reporting/publish.ts';
import { rebaseChanges } from '../../src/workspace/changes/rebase-changes.ts';
import { handoff, sampleOutcome } from './samples.ts';
import { type Scene, startWorld, text, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const fixed = text((lines) => lines.with(9, 'const ten = 11;\n'));
async function rebaseIn(scene: Scene): Promise<Rebase> {
  const git = await scene.git();
  return ({ from, patch, onto }) => rebaseChanges({ git, from, patch, onto });
}
/** Somebody pushes while the run works. */
const push = (scene: Scene, files: Record<string, string>) =>
  scene.repository.commit('dates', { files, message: 'Push', author: 'ada' });
const onIssue = (scene: Scene) =>
  scene.plan({
    verb: 'implement',
    thread: { kind: 'issue', number: 2, title: 'support week numbers' },
    push: { kind: 'new_branch', branch: 'anode/2', base: 'main', expected_sha: scene.base, closes: 2 },
  });

test('commits on top of a moved head, and reports it', async () => {
  const scene = await world.scene();
  const ports = await scene.ports({ rebase: await rebaseIn(scene) });
  const plan = scene.plan();
  const moved = await push(scene, { 'src/a.js': text((lines) => lines.with(39, 'const last = 0;\n')) });
  const published = await publish(
    sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed }) }),
    plan,
    ports,
  );
  const told = `Put on top of \`${moved.slice(0, 7)}\`, which came onto \`dates\` while the run worked: nothing was run on the two together.`;
  expect({
    log: (await scene.repository.git('log', '-2', '--format=%s', 'dates')).trim().split('\n'),
    parent: (await scene.repository.git('rev-parse', 'dates^')).trim(),
    content: `${await scene.repository.git('show', 'dates:src/a.js')}\n`.replace(/\n+$/u, '\n'),
    downgrades: published.downgrades,
    patch: published.patch,
    told: published.report.includes(told),
  }).toEqual({
    log: ['Fix the failing test', 'Push'],
    parent: moved,
    content: text((lines) => lines.with(9, 'const ten = 11;\n').with(39, 'const last = 0;\n')),
    downgrades: [told],
    patch: '',
    told: true,
  });
});

test('retries while GitHub returns an outdated head', async () => {
  const scene = await world.scene();
  const waits: number[] = [];
  const ports = await scene.ports({
    rebase: await rebaseIn(scene),
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  const plan = scene.plan();
  world.github.lag(6);
  await ports.octokit.rest.reactions.createForIssue({
    ...{ owner: 'acme', repo: plan.repository.name, issue_number: 1, content: 'eyes' },
  });
  const moved = await push(scene, { 'src/a.js': text((lines) => lines.with(39, 'const last = 0;\n')) });
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed }) });
  const published = await publish(outcome, plan, ports);
  world.github.lag(0);
  expect({
    parent: (await scene.repository.git('rev-parse', 'dates^')).trim(),
    told: published.downgrades.map((one) => one.slice(0, 20)),
    waited: waits.length > 0,
  }).toEqual({ parent: moved, told: [`Put on top of \`${moved.slice(0, 5)}`], waited: true });
});

test('reports users who were not assigned, since GitHub does not', async () => {
  const scene = await world.scene();
  const people = Array.from({ length: 11 }, (_, index) => `person-${index}`);
  for (const login of people) scene.repository.setPermission(login, 'read');
  const config = { pullRequest: { assignees: ['stranger', ...people] } };
  const changes = scene.changes({ 'src/week.js': 'week\n' }, 'base');
  const ports = await scene.ports({ pullRequestDiff: null, config });
  const { failures } = await publish(sampleOutcome({ changes }), onIssue(scene), ports);
  expect([failures, scene.repository.pulls().at(-1)?.assignees.length]).toEqual([
    [
      '#3 is not assigned to `stranger`, `person-10`: GitHub accepts at most ten assignees, and only users with access.',
    ],
    10,
  ]);
});

test('commits nothing on a conflict, a repeated change, a protected path or a forbidden push', async () => {
  const scene = await world.scene();
  const plan = scene.plan();
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/a.js': fixed }) });
  const rebase = await rebaseIn(scene);
  const reasons: string[] = [];
  const attempt = async (moved: string, more: Partial<PublishPorts> = {}) => {
    const ports = await scene.ports({ rebase, ...more });
    const published = await publish(outcome, plan, ports);
    const unchanged = (await scene.repository.head('dates')) === moved;
    reasons.push(`${unchanged}: ${published.downgrades.join(' ').replaceAll(moved.slice(0, 7), 'sha')}`);
  };
  await attempt(await push(scene, { 'src/a.js': text((lines) => lines.with(9, 'const ten = 12;\n')) }));
  const same = await push(scene, { 'src/a.js': fixed });
  await attempt(same);
  await attempt(same, { config: { commit: { rebase: false } } });
  await attempt(same, { rebase: async () => Promise.reject(new Error('git fetch failed')) });
  const workflow: Rebase = async () => {
    const changes = scene.changes({ '.github/workflows/a.yml': 'on: push\n' });
    return { kind: 'clean', changes };
  };
  await attempt(same, { rebase: workflow });
  expect(reasons).toEqual([
    'true: Not committed, as `dates` moved while the run worked, and they do not merge with `sha` by themselves.',
    'true: Not committed, as `sha` on `dates` has the same changes.',
    'true: Not committed, as `dates` moved while the run worked.',
    'true: Not committed, as `dates` moved while the run worked, and `sha` could not be fetched.',
    'true: Not committed, as `.github/workflows/a.yml` is protected: workflows run with the secrets of the repository.',
  ]);
});

test('fills the template of a pull request, finds a free name, follows the style, and opens no refused draft', async () => {
  const scene = await world.scene();
  const { repository } = scene;
  for (const subject of ['add days', 'add months', 'round hours', 'keep zones', 'sort dates'])
    await repository.commit('main', { files: { log: subject }, message: `fix(src): ${subject}` });
  const base = (await repository.head('main')) ?? '';
  await repository.commit('anode/2', { files: { x: 'x' }, message: 'Somebody else', author: 'ada' });
  const other = await repository.head('anode/2');
  world.github.failNext({ method: 'POST', path: /\/pulls$/u, status: 422 });
  const plan = onIssue({ ...scene, base });
  const outcome = sampleOutcome({ changes: scene.changes({ 'src/week.js': 'week\n' }, 'base') });
  const template = '## Summary\n<!-- say what -->\n\n## Checklist\n- [ ] Tests\n';
  const published = await publish(outcome, plan, {
    ...(await scene.ports({ pullRequestDiff: null, config: { pullRequest: { reviewers: ['nobody'] } } })),
    readBaseFile: async (path) => (path === '.github/PULL_REQUEST_TEMPLATE.md' ? template : null),
  });
  const pull = repository.pulls().at(-1);
  expect({
    commit: published.commit?.branch,
    failures: published.failures,
    pull: [pull?.title, pull?.head, pull?.draft, pull?.reviewers, pull?.body?.split('\n\n')],
    kept: (await repository.head('anode/2')) === other,
  }).toEqual({
    commit: 'anode/2-2',
    failures: [expect.stringMatching(/^#\d+ got no reviewers: Reviews may only be requested/u)],
    pull: [
      'feat(src): support week numbers',
      'anode/2-2',
      false,
      [],
      [
        '<!-- anode:pull-request v1 run=run_1 -->\n## Summary',
        'The loop now reaches the last day.',
        '## Checklist',
        '- [ ] Tests',
        'Closes #2',
        expect.stringMatching(/^<sub>Made by an Anode/u),
      ],
    ],
    kept: true,
  });
});

test('puts patches that are too long for a report into an issue, in linked parts', async () => {
  const scene = await world.scene();
  const changes = scene.changes({
    'src/a.js': fixed,
    'src/long.js': 'long line\n'.repeat(4_800),
    'src/huge.js': 'huge line\n'.repeat(6_000),
    'src/more.js': 'more line\n'.repeat(4_900),
  });
  const plan = scene.plan({ push: { kind: 'none', reason: 'it comes from a fork' } });
  const published = await publish(sampleOutcome({ changes }), plan, await scene.ports());
  const issue = scene.repository.issues().at(-1);
  const number = issue?.number ?? 0;
  expect({
    link: published.changes_issue?.number === number && published.report.includes(`are in #${number}.`),
    named: ['on #1', '`src/huge.js`', 'the patch is too long'].map((part) => issue?.body?.includes(part)),
    parts: [issue?.body, ...scene.repository.comments(number).map(({ body }) => body)].map((body) =>
      [...(body ?? '').matchAll(/^diff --git a\/(\S+)/gmu)].map((found) => found[1]),
    ),
    left:
      published.patch.startsWith('diff --git a/src/huge.js') && published.patch.split('diff --git').length,
  }).toEqual({
    link: true,
    named: [true, true, true],
    parts: [['src/long.js'], ['src/more.js']],
    left: 2,
  });
});

test('puts the changes into an issue if the thread accepts no comment', async () => {
  const scene = await world.scene();
  world.github.failNext({ method: 'POST', path: /\/issues\/1\/comments$/u, status: 403 });
  const plan = scene.plan({ push: { kind: 'none', reason: 'it comes from a fork' } });
  const changes = scene.changes({ 'src/new.js': 'new\n' });
  const published = await publish(sampleOutcome({ changes }), plan, await scene.ports());
  expect([
    published.changes_issue?.number,
    scene.repository.issues().at(-1)?.body?.includes('+new'),
    published.failures,
  ]).toEqual([
    scene.repository.issues().at(-1)?.number,
    true,
    [expect.stringMatching(/^The report could not/u)],
  ]);
});

test('pushes with git if GitHub’s API fails at a commit', async () => {
  const scene = await world.scene();
  world.github.failNext({ method: 'POST', path: /\/graphql$/u, status: 502 });
  const asked: string[] = [];
  const ports = await scene.ports({
    pushCommit: async ({ patch }) => {
      asked.push(patch);
      return { sha: scene.base };
    },
  });
  const changes = scene.changes({ 'src/a.js': fixed });
  const published = await publish(sampleOutcome({ changes }), scene.plan(), ports);
  expect([published.commit?.sha, published.downgrades, asked]).toEqual([scene.base, [], [changes.patch]]);
});

test('names the setting that requested a refused push', async () => {
  const scene = await world.scene();
  const ports = await scene.ports({
    config: { commit: { via: 'push' } },
    pushCommit: async () => {
      throw new Error('Commits must have verified signatures.');
    },
  });
  const changes = scene.changes({ 'src/a.js': fixed });
  const published = await publish(sampleOutcome({ changes }), scene.plan(), ports);
  expect([published.commit, published.downgrades]).toEqual([
    undefined,
    [
      'Not committed, as GitHub refused it: Commits must have verified signatures. A pushed commit has no signature. Where a rule asks for one, set `commit.via` to `api`.',
    ],
  ]);
});

test('starts a run on a handoff if configured, at most three levels deep', async () => {
  const scene = await world.scene();
  const outcome = sampleOutcome({ handoffs: [{ ...handoff, target: 'next_thread', follow: true }] });
  const config = { handoff: { autorun: true, template: 'handoff.md' } };
  const template = '---\ntitle: "Next:"\nlabels: bot\n---\n## What is done\n\n## Steps\n';
  await scene.label('bot');
  const ports = { ...(await scene.ports({ config })), readBaseFile: async () => template };
  const first = await publish(outcome, scene.plan(), ports);
  const issue = scene.repository.issues().at(-1);
  const deep = scene.plan({ run_id: 'run_2', autorun_depth: 3 });
  const last = await publish({ ...outcome, run_id: 'run_2' }, deep, ports);
  expect({
    issue: [issue?.title, issue?.labels, issue?.body?.split('\n\n')],
    kept: JSON.parse((await scene.store.get(`autorun/${issue?.number}`)) ?? 'null'),
    told: first.report.split('\n')[0],
    last: [last.issues[0]?.started, scene.repository.issues().at(-1)?.labels],
  }).toEqual({
    issue: [
      'Next: Tokens are migrated',
      ['bot', 'anode:implement'],
      [
        '<!-- anode:handoff v1 run=run_1 n=0 -->\n## What is done',
        'Tokens are migrated.',
        '## Steps',
        'Nothing to add.',
        'From #1',
        '<sub>Handed over by an Anode [run](https://ci.test/1) on #1 for ada.</sub>',
      ],
    ],
    kept: { run_id: 'run_1', requester: { login: 'ada', id: 42, type: 'User' }, depth: 1 },
    told: `**Done.** Handed over in #${issue?.number}, where a run is started.`,
    last: [undefined, ['bot']],
  });
});
