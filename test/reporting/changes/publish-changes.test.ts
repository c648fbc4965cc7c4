import { expect, test } from 'vitest';
import type { FileChange } from '../../../src/contract/change.ts';
import type { PushTarget } from '../../../src/contract/plan.ts';
import { publishChanges } from '../../../src/reporting/changes/outlets.ts';
import { headSha, sampleOutcome, samplePlan } from '../samples.ts';
import { apiError, place, type World, world } from './pull-world.ts';

const file: FileChange = {
  ...{
    path: 'a',
    kind: 'modify',
    mode: '100644',
    old_mode: '100644',
    content: 'YQ==',
    binary: false,
    diff: '',
  },
};
const changes = { base_sha: headSha, patch: 'the patch', files: [file] };
const onNew: PushTarget = {
  kind: 'new_branch',
  branch: 'bot/a',
  base: 'next',
  expected_sha: headSha,
  closes: 3,
};

async function publish(
  given: World & { readonly push?: PushTarget; readonly ports?: object; readonly files?: FileChange[] },
) {
  const { asked, ports } = world(given);
  const plan = samplePlan(given.push === undefined ? {} : { push: given.push });
  const outcome = sampleOutcome({ changes: { ...changes, files: given.files ?? [file] } });
  const done = await publishChanges(outcome, plan, { ...ports, ...given.ports } as never);
  return { done, asked, kinds: asked.map(([kind]) => kind) };
}
const weaker = (downgrades: readonly string[], outlet = 'suggestions') => ({
  ...{ outlet, downgrades, uncommitted: downgrades[0] },
  failures: [],
});

test('commits to the plan’s branch, in a style that is learned once', async () => {
  const { done, asked } = await publish({});
  expect(done).toEqual({
    outlet: 'commit',
    commit: { sha: 'new', url: 'https://new', branch: 'dates' },
    ...{ downgrades: [], failures: [] },
  });
  expect(asked).toEqual([
    ['log', { ...place, sha: 'main', per_page: 100 }],
    [
      'commit',
      {
        headline: 'Fix the failing test',
        body: 'The loop now reaches the last day.\n\nCo-authored-by: ada <42+ada@users.noreply.github.com>\nAnode-Run: run_1',
      },
    ],
  ]);
  const alone = await publish({ ports: { config: { commit: { coAuthor: false, style: 'plain' } } } });
  expect(alone.asked).toEqual([
    [
      'commit',
      { headline: 'Fix the failing test', body: 'The loop now reaches the last day.\n\nAnode-Run: run_1' },
    ],
  ]);
});

test('names the outlet and its reason if nothing is committed', async () => {
  const none: PushTarget = { kind: 'none', reason: 'it is a fork' };
  expect([
    (await publish({ push: none })).done,
    (await publish({ files: [] })).done,
    (await publish({ push: none, ports: { pullRequestDiff: null } })).done,
    (await publish({ files: [{ ...file, mode: '100755' }] })).done,
    (await publish({ files: [{ ...file, path: '.github/workflows/a.yml' }] })).done.downgrades.length,
    (
      await publish({
        files: [{ ...file, path: '.github/workflows/a.yml' }],
        ports: { config: { protected: { allow: ['.github/**'] } } },
      })
    ).done.outlet,
  ]).toEqual([
    weaker(['Not committed: it is a fork.']),
    weaker([], 'none'),
    weaker(['Not committed: it is a fork.'], 'patch'),
    weaker(['Not committed, as the mode, size or place of `a` needs a git push, which is not available.']),
    1,
    'suggestions',
  ]);
});

test('reports GitHub’s refusal, with the remedy for a refused push', async () => {
  const refused = (words: string) => `Not committed, as GitHub refused it: ${words}`;
  const long = 'x'.repeat(500);
  const failing = { pushCommit: async () => Promise.reject(new Error('Not signed')) };
  expect([
    (await publish({ commit: apiError(403, 'No\n@ada may') })).done,
    (await publish({ commit: apiError(403, long) })).done.downgrades,
    (await publish({ ports: { ...failing, config: { commit: { via: 'push' } } } })).done.downgrades,
    (await publish({ ports: failing, files: [{ ...file, mode: '100755' }] })).done.downgrades,
  ]).toEqual([
    weaker([refused('No @\u200bada may')]),
    [refused(`${'x'.repeat(399)}…`)],
    [
      `${refused('Not signed.')} A pushed commit has no signature. Where a rule asks for one, set \`commit.via\` to \`api\`.`,
    ],
    [
      `${refused('Not signed.')} \`a\` needs a git push, whose commit has no signature. Where a rule asks for one, commit the patch yourself.`,
    ],
  ]);
});

test('throws an outage if the caller retries, and reports it otherwise', async () => {
  const down = { log: apiError(503, 'Down'), head: 'f'.repeat(40) };
  const broken = { push: { kind: 'branch', branch: 'broken', expected_sha: headSha } } as const;
  expect((await publish({ ...broken })).done).toEqual(
    weaker(['Not committed, as GitHub refused it: Refused']),
  );
  await expect(publish({ ...broken, ports: { triedAgain: true } })).rejects.toThrow('Refused');
  expect((await publish(down)).done).toEqual(
    weaker(['Not committed, as `dates` moved while the run worked.']),
  );
  const defect = { pushCommit: async () => Promise.reject('ours') };
  await expect(publish({ ports: { ...defect, config: { commit: { via: 'push' } } } })).rejects.toBe('ours');
});

test('opens a pull request for a new branch, with the configured metadata', async () => {
  const { done, asked, kinds } = await publish({ push: onNew, ...{ head: null, labels: ['bot'] } });
  expect(done).toEqual({
    outlet: 'commit',
    commit: { sha: 'new', url: 'https://new', branch: 'bot/a' },
    pull_request: { number: 9, url: 'https://p/9' },
    ...{ downgrades: [], failures: [] },
  });
  expect(kinds).toEqual(['branch', 'log', 'commit', 'look', 'open']);
  expect(asked[0]?.[1]).toEqual({ ...place, ref: 'refs/heads/bot/a', sha: headSha, request: { retries: 0 } });
  expect(asked[1]?.[1]).toEqual({ ...place, sha: 'next', per_page: 100 });
  expect(asked[3]?.[1]).toEqual({ ...place, state: 'all', head: 'acme:bot/a', per_page: 100 });
  expect(asked[4]?.[1]).toEqual({
    ...{ ...place, title: 'Fix the failing test', head: 'bot/a', base: 'next', draft: true },
    body: [
      '<!-- anode:pull-request v1 run=run_1 -->\nThe loop now reaches the last day.',
      'Closes #3',
      '<sub>Made by an Anode run for ada, with anthropic/claude.</sub>',
    ].join('\n\n'),
    request: { retries: 0 },
  });
  const ready = { config: { pullRequest: { draft: false, template: 'gone.md', reviewers: ['bob'] } } };
  const dressed = await publish({
    ...{ push: onNew, head: null, fails: { reviewers: apiError(422, 'Not\nallowed') } },
    ports: { ...ready, readBaseFile: async () => null },
  });
  expect([dressed.asked.find(([kind]) => kind === 'open')?.[1], dressed.done.failures]).toMatchObject([
    { draft: false },
    ['The template gone.md is no file of the base branch.', '#9 got no reviewers: Not allowed'],
  ]);
});

test('leaves the branch if the pull request cannot be opened, and reports it', async () => {
  const failing = { push: onNew, head: null, open: [apiError(403, 'No rights.')] };
  expect((await publish(failing)).done).toEqual({
    outlet: 'commit',
    commit: { sha: 'new', url: 'https://new', branch: 'bot/a' },
    downgrades: [],
    failures: ['The pull request could not be opened: No rights. The changes are on `bot/a`.'],
  });
  const down = { ...failing, open: [apiError(503, 'Down'), apiError(503, 'Down')] };
  await expect(publish({ ...down, ports: { triedAgain: true } })).rejects.toThrow('Down');
  expect((await publish(down)).done.failures).toEqual([
    'The pull request could not be opened: Down. The changes are on `bot/a`.',
  ]);
});

test('reports an empty branch that cannot be deleted', async () => {
  const refused = 'Not committed, as GitHub refused it: No';
  const failing = { push: onNew, head: null, commit: apiError(403, 'No') };
  expect([
    (await publish(failing)).done,
    (await publish({ ...failing, remove: apiError(403) })).done,
  ]).toEqual([
    weaker([refused]),
    weaker([refused, 'The branch `bot/a` has no commit and stays: GitHub refused to delete it.']),
  ]);
});
