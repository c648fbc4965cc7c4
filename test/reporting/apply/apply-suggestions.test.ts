import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import {
  type Applied,
  type ApplyPorts,
  applyingRun,
  applySuggestions,
  renderApplied,
} from '../../../src/reporting/apply/apply-suggestions.ts';
import { readReviewRecord } from '../../../src/reporting/findings/previous-findings.ts';
import type { ReviewPorts } from '../../../src/reporting/posting/ports.ts';
import { publish } from '../../../src/reporting/publish.ts';
import { readSuggestions } from '../../../src/reporting/suggestions/stored-suggestions.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { changesByTexts } from '../../../src/workspace/changes/final-changes.ts';
import { filesAt } from '../../../src/workspace/git/files-at.ts';
import { dieAtEveryWrite } from '../dying.ts';
import { everythingOn } from '../everything-on.ts';
import { finding, sampleOutcome } from '../samples.ts';
import { headFile, ownLogin, type Scene, silentLog, startWorld, text, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const on = (line: number, suggestion: string) => ({ ...finding, path: 'src/a.js', line, suggestion });

const suggested = [on(8, 'const eight = 8;'), on(10, ''), on(12, 'const value12 = 12;\nconst more = 1;')];

/** A pull request with a review that suggests a change of lines 8, 10 and 12, and what applying it needs. */
let runs = 0;
async function reviewed(
  run_id = `run_${++runs}`,
  store = createMemoryStateStore(),
  changes: readonly ReturnType<typeof on>[] = suggested,
) {
  const scene = await world.scene();
  const plan = scene.plan({
    ...{ run_id, verb: 'review', profile: 'review', read_only: true },
    push: { kind: 'none', reason: 'A review only reads.' },
  });
  const findings = changes.map((one, index) => ({ ...one, title: `Number ${index}` }));
  const git = await scene.git();
  const review: ReviewPorts = {
    ...{ store, reviewed: null, renamed: new Map(), asked: null, nothingNew: false },
    readText: async (path, sha) => (await filesAt(git, sha, [path])).get(path)?.toString('utf8') ?? null,
    commitsOf: async () => [],
  };
  const outcome = sampleOutcome({ run_id, profile: 'review', findings });
  await publish(outcome, plan, await scene.ports({ store, review }));
  const ports: ApplyPorts = {
    ...{ octokit: scene.octokit, store, ownLogin, log: silentLog, config: {} },
    filesAt: (sha, paths) => filesAt(git, sha, paths),
    changesBy: (sha, texts) => changesByTexts(git, sha, texts),
  };
  const fix = scene.plan({ run_id: applyingRun(run_id) });
  const apply = (changes: Partial<ApplyPorts> = {}, as: RunPlan = fix) =>
    applySuggestions([run_id], as, { ...ports, ...changes });
  return { scene, run_id, fix, ports, apply };
}

const fileOn = async ({ repository }: Scene) => `${await repository.git('show', 'dates:src/a.js')}\n`;
const applied = text((lines) =>
  lines.with(7, 'const eight = 8;\n').with(9, '').with(11, 'const value12 = 12;\nconst more = 1;\n'),
);

test('commits all suggestions of a run for the requester, and resolves their threads', async () => {
  const { scene, fix, ports, apply } = await reviewed();
  const done = await apply();
  if (done.kind !== 'applied') throw new Error(renderApplied(done, 'ada'));
  const { sha } = done.commit;
  const record = await readReviewRecord(fix, ports.store);
  expect({
    text: await fileOn(scene),
    count: done.count,
    left: done.left,
    message: (await scene.repository.git('log', '-1', '--format=%B', 'dates')).trim(),
    parent: (await scene.repository.git('rev-parse', 'dates^')).trim(),
    known: record?.findings.map(({ state, fixed }) => [state, fixed]),
    resolved: scene.repository.reviewThreads(1).map(({ resolvedBy }) => resolvedBy),
    answers: scene.repository.reviewComments(1).filter(({ body }) => body.includes('Fixed by')).length,
  }).toEqual({
    text: applied,
    count: 3,
    left: [],
    message: `Apply 3 suggested changes\n\nCo-authored-by: ada <42+ada@users.noreply.github.com>\nAnode-Run: ${fix.run_id}`,
    parent: scene.head,
    known: [1, 2, 3].map(() => ['fixed', { sha, run_id: fix.run_id }]),
    resolved: [ownLogin, ownLogin, ownLogin],
    answers: 0,
  });
});

test('commits suggestions of findings that only the summary lists', async () => {
  const folded = { ...on(12, 'const value12 = 12;\nconst more = 1;'), severity: 'low' as const };
  const { scene, fix, ports, apply, run_id } = await reviewed('run_folded', createMemoryStateStore(), [
    on(8, 'const eight = 8;'),
    folded,
  ]);
  const offered = await readSuggestions(ports.store, run_id);
  const done = await apply();
  if (done.kind !== 'applied') throw new Error(renderApplied(done, 'ada'));
  const record = await readReviewRecord(fix, ports.store);
  const [conversation] = scene.repository.reviewComments(1);
  expect({
    offered: offered?.suggestions.map(({ first_line, before }) => [first_line, before]),
    text: await fileOn(scene),
    ...{ count: done.count, threads: done.threads, left: done.left },
    known: record?.findings.map(({ state, folded }) => [state, folded]),
  }).toEqual({
    offered: [
      [8, ['const value8 = 8;']],
      [12, ['const value12 = 12;']],
    ],
    text: text((lines) =>
      lines.with(7, 'const eight = 8;\n').with(11, 'const value12 = 12;\nconst more = 1;\n'),
    ),
    count: 2,
    threads: [
      `[\`src/a.js:8\`](${scene.repository.url}/pull/1#discussion_r${conversation?.id})`,
      '`src/a.js:12`',
    ],
    left: [],
    known: [
      ['fixed', undefined],
      ['fixed', true],
    ],
  });
});

test('commits and resolves once, if killed at any call and started again', async () => {
  const { scene, apply } = await reviewed('run_killed');
  const undisturbed = await reviewed('run_killed');
  const writer = { apiUrl: world.github.apiUrl, token: scene.token };
  const { result, deaths } = await dieAtEveryWrite(
    writer,
    () => ({ octokit: scene.octokit }),
    (dying) => apply(dying),
  );
  const again = await apply();
  const alone = await undisturbed.apply();
  const plain = (one: Applied) => ({ ...one, commit: null, threads: null });
  expect({ deaths, results: [result, again].map(plain), stands: await everythingOn(scene) }).toEqual({
    // One commit, and the end of each of three threads.
    deaths: { before: 4, after: 4 },
    results: [plain(alone), plain(alone)],
    stands: await everythingOn(undisturbed.scene),
  });
});

test('omits dismissed suggestions, ignores edited comments, and follows a moved head', async () => {
  const { scene, apply } = await reviewed();
  const [first, second] = scene.repository.reviewComments(1);
  scene.repository.react({ id: first?.id ?? 0 }, '-1', 'ada');
  await scene.octokit.rest.pulls.updateReviewComment({
    ...{ owner: 'acme', repo: scene.repository.repository.name, comment_id: second?.id ?? 0 },
    body: `${second?.body.split('\n')[0]}\n\`\`\`suggestion\nevil();\n\`\`\``,
  });
  await scene.repository.commit('dates', {
    files: { 'src/a.js': `// new\n${headFile.replace('const value13 = 13;', 'thirteen();')}` },
    message: 'Push',
    author: 'ada',
  });
  const done = await apply();
  expect({
    text: await fileOn(scene),
    told: renderApplied(done, 'ada')
      .replaceAll(/(?<=discussion_r)\d+/g, 'id')
      .replaceAll(/[0-9a-f]{7,40}/g, 'sha')
      .split('\n'),
  }).toEqual({
    text: `// new\n${headFile.replace('const value13 = 13;', 'thirteen();').replace('const ten = 10;\n', '')}`,
    told: [
      `**Applied 1 suggestion** in [\`sha\`](${scene.repository.url}/commit/sha), as ada asked: [\`src/a.js:10\`](${scene.repository.url}/pull/1#discussion_rid).`,
      '',
      'Left out:',
      '',
      '* `src/a.js:12`: the lines changed since',
    ],
  });
});

test('leaves out a suggestion that needs a dismissed one, and takes it where that one is in the file', async () => {
  const renamed = [on(8, 'const price = 8;'), on(10, 'use(price);'), on(12, 'const twelve = 12;')];
  const open = async () => reviewed(undefined, undefined, renamed);
  const [dismissed, committed, whole] = [await open(), await open(), await open()];
  for (const { scene } of [dismissed, committed]) {
    const [first] = scene.repository.reviewComments(1);
    scene.repository.react({ id: first?.id ?? 0 }, '-1', 'ada');
  }
  const files = { 'src/a.js': text((lines) => lines.with(7, 'const price = 8;\n')) };
  await committed.scene.repository.commit('dates', { files, message: 'Apply by hand', author: 'ada' });
  const done = [await dismissed.apply(), await committed.apply(), await whole.apply()];
  expect(done.map((one) => one.kind === 'applied' && [one.count, one.left])).toEqual([
    [1, [{ path: 'src/a.js', line: 10, why: 'it belongs together with the one on `src/a.js:8`' }]],
    [2, []],
    [3, []],
  ]);
});

test('tries again if the head moves during the commit', async () => {
  const { scene, apply, ports } = await reviewed();
  let pushes = 0;
  const changesBy: ApplyPorts['changesBy'] = async (...of) => {
    if (pushes++ === 0)
      await scene.repository.commit('dates', { files: { other: 'x\n' }, message: 'Push', author: 'ada' });
    return ports.changesBy(...of);
  };
  const { kind } = await apply({ changesBy });
  expect([
    kind,
    pushes,
    (await scene.repository.git('log', '--format=%s', 'main..dates')).split('\n'),
  ]).toEqual(['applied', 2, ['Apply 3 suggested changes', 'Push', 'Change ten']]);
});

test('ends with the commit of another job that takes the same box', async () => {
  const { scene, apply, ports } = await reviewed();
  let other: Applied | null = null;
  const changesBy: ApplyPorts['changesBy'] = async (...of) => {
    if (other === null) {
      other = { kind: 'refused', reason: 'It is at work.' };
      other = await apply();
    }
    return ports.changesBy(...of);
  };
  const done = await apply({ changesBy });
  expect([done, (await scene.repository.git('log', '--format=%s', 'main..dates')).split('\n')]).toEqual([
    other,
    ['Apply 3 suggested changes', 'Change ten'],
  ]);
});

test('commits nothing without permission, and gives the reason', async () => {
  const { scene, run_id, ports, apply, fix } = await reviewed();
  const fork = { kind: 'none' as const, reason: 'The pull request comes from a fork.' };
  const elsewhere = scene.plan({ thread: { kind: 'pull_request', number: 2, title: 'Other' } });
  const said: string[] = [];
  const say = async (done: Promise<Applied>) => void said.push(renderApplied(await done, 'ada'));
  await say(apply({}, scene.plan({ push: fork })));
  await say(apply({}, elsewhere));
  await say(applySuggestions(['run_other'], fix, ports));
  await say(apply({ config: { commit: { outlet: 'patch' } } }));
  await say(apply({ filesAt: async () => null }));
  // What is asked of GraphQL before the commit is the list of threads.
  const reads = { method: 'POST', path: /\/graphql$/ };
  const stop = world.github.onRequest(({ path }) => {
    if (path !== '/graphql') return;
    stop();
    world.github.failNext({ ...reads, status: 403, message: 'Changes must be made by a merge queue.' });
  });
  await say(apply());
  const record = await readSuggestions(ports.store, run_id);
  const suggestions = record?.suggestions.map((one) => ({ ...one, path: '.github/workflows/ci.yml' }));
  await ports.store.set(stateKeys.suggestions(run_id), JSON.stringify({ ...record, suggestions }));
  await say(apply());
  const nothing = '**Nothing was applied.**';
  const left = (at: string, why: string) =>
    `${nothing}\n\nLeft out:\n\n${[8, 10, 12].map((line) => `* \`${at}:${line}\`: ${why}`).join('\n')}`;
  expect([said, await scene.repository.head('dates')]).toEqual([
    [
      `${nothing} The pull request comes from a fork.`,
      `${nothing} The suggestions are no longer stored.`,
      `${nothing} The suggestions are no longer stored.`,
      `${nothing} Not committed, as the configuration asks for patch (\`commit.outlet\`).`,
      left('src/a.js', 'the commit they are about cannot be had'),
      `${nothing} GitHub refused the commit: Changes must be made by a merge queue.`,
      left(
        '.github/workflows/ci.yml',
        'the file is protected: workflows run with the secrets of the repository',
      ),
    ],
    scene.head,
  ]);
});

test('stores no suggestions for a fork', async () => {
  const scene = await world.scene({ fork: true });
  const store = createMemoryStateStore();
  const plan = scene.plan({ verb: 'review', profile: 'review' });
  const outcome = sampleOutcome({ profile: 'review', findings: [on(8, 'const eight = 8;')] });
  const { review } = await publish(outcome, plan, await scene.ports({ store }));
  expect([review?.comments, await readSuggestions(store, plan.run_id)]).toEqual([1, null]);
});

const left = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ path: 'a.ts', line: at + 1, why: 'it does not\nfit' }));
const render = (applied: object) => renderApplied(applied as Applied, 'ada');
const commit = { sha: 'abcdef0123', url: 'https://c' };
const item = (line: number) => `* \`a.ts:${line}\`: it does not fit`;

test('renders the commit and the omitted suggestions', () => {
  expect([
    render({ kind: 'applied', commit, count: 1, threads: [], left: [] }),
    render({ kind: 'applied', commit, count: 2, threads: ['[a](b)', '[c](d)'], left: left(1) }),
  ]).toEqual([
    '**Applied 1 suggestion** in [`abcdef0`](https://c), as ada asked.',
    `**Applied 2 suggestions** in [\`abcdef0\`](https://c), as ada asked: [a](b), [c](d).\n\nLeft out:\n\n${item(1)}`,
  ]);
});

test('renders the reason if nothing was applied', () => {
  expect([
    render({ kind: 'refused', reason: 'the branch\nmoved' }),
    render({ kind: 'nothing', left: [] }),
    render({ kind: 'nothing', left: left(2) }),
  ]).toEqual([
    '**Nothing was applied.** the branch moved',
    '**Nothing was applied.** No suggestion is open any more.',
    `**Nothing was applied.**\n\nLeft out:\n\n${item(1)}\n${item(2)}`,
  ]);
});

test('names the first twenty omitted suggestions', () => {
  const lines = (count: number) =>
    render({ kind: 'nothing', left: left(count) })
      .split('\n')
      .slice(4);
  const all = Array.from({ length: 20 }, (_, at) => item(at + 1));
  expect([lines(20), lines(21)]).toEqual([all, [...all, '* … and 1 more']]);
});
