import { expect, test } from 'vitest';
import type { FileChange } from '../../../src/contract/change.ts';
import {
  type CommitOrder,
  findOrMakeRunCommit,
  findRunCommit,
  makeRunCommit,
} from '../../../src/reporting/changes/commit-changes.ts';
import { trailersOf } from '../../../src/reporting/changes/commit-message.ts';
import { headSha, samplePlan } from '../samples.ts';
import { apiError } from './pull-world.ts';

const plan = samplePlan({ triggered_at: '2026-01-05T00:00:00Z' });
const file = (more: Partial<FileChange>): FileChange => ({
  ...{
    path: 'a',
    kind: 'modify',
    mode: '100644',
    old_mode: '100644',
    content: 'YQ==',
    binary: false,
    diff: '',
  },
  ...more,
});
const order = (more: Partial<CommitOrder> = {}): CommitOrder => ({
  ...{ plan, branch: 'dates', expectedSha: headSha, via: 'api' },
  changes: { base_sha: headSha, patch: 'the patch', files: [file({})] },
  message: async () => ({ headline: 'Fix', body: 'Body' }),
  ...more,
});
const stale = Object.assign(new Error('stale'), {
  name: 'GraphqlResponseError',
  errors: [{ type: 'STALE_DATA', message: 'stale' }],
});

/** A commit of the branch, as GitHub lists it. */
const listed = (sha: string, message: string, parents: readonly object[] = [{ sha: 'parent' }]) => ({
  ...{ sha, html_url: `https://${sha}`, commit: { message }, parents },
});
const own = listed('own', 'Fix\n\nAnode-Run: run_1');
const message = 'Fix\n\nAnode-Run: run_1';
const found = { kind: 'committed', sha: 'own', url: 'https://own', parent: 'parent', message };

interface World {
  /** The pages of commits, for one look after the other; the last one stays. */
  readonly looks?: readonly (readonly (readonly object[])[] | Error)[];
  readonly answer?: object | Error;
  readonly push?: { sha: string } | 'moved' | Error;
}
function world({ looks = [[]], answer, push }: World) {
  const asked: unknown[] = [];
  const left = [...looks];
  const octokit = {
    rest: { repos: { listCommits: 'commits' } },
    paginate: {
      async *iterator(_: unknown, query: object) {
        asked.push(['look', query]);
        const next = left.length > 1 ? left.shift() : left[0];
        if (next instanceof Error) throw next;
        for (const data of next ?? []) yield { data };
      },
    },
    graphql: async (_: string, given: object) => {
      asked.push(['commit', given]);
      if (answer instanceof Error) throw answer;
      return answer ?? { createCommitOnBranch: { commit: { oid: 'new', url: 'https://new' } } };
    },
  };
  const pushCommit =
    push === undefined
      ? {}
      : {
          pushCommit: async (given: object) => {
            asked.push(['push', given]);
            if (push instanceof Error) throw push;
            return push;
          },
        };
  return { asked, ports: { octokit, ...pushCommit } as never };
}
async function commit(given: World, more: Partial<CommitOrder> = {}) {
  const { asked, ports } = world(given);
  const result = await makeRunCommit(order(more), ports);
  return { result, asked, kinds: asked.map((one) => (one as [string])[0]) };
}
const look = [
  'look',
  { owner: 'acme', repo: 'shop', sha: 'dates', since: '2026-01-04T00:00:00.000Z', per_page: 100 },
];

test('sends branch, parent commit and files to the API', async () => {
  const files = [
    file({}),
    file({ path: 'b', kind: 'delete', content: null }),
    file({ path: 'c', kind: 'rename', old_path: 'old' }),
    file({ path: 'd', kind: 'add', old_path: 'x' }),
  ];
  const { result, asked } = await commit({}, { changes: { base_sha: headSha, patch: '', files } });
  expect([result, asked]).toEqual([
    { kind: 'committed', sha: 'new', url: 'https://new' },
    [
      [
        'commit',
        {
          input: {
            branch: { repositoryNameWithOwner: 'acme/shop', branchName: 'dates' },
            expectedHeadOid: headSha,
            message: { headline: 'Fix', body: 'Body' },
            fileChanges: {
              additions: ['a', 'c', 'd'].map((path) => ({ path, contents: 'YQ==' })),
              deletions: [{ path: 'b' }, { path: 'old' }],
            },
          },
          request: { retries: 0 },
        },
      ],
    ],
  ]);
  const lost = { changes: { base_sha: headSha, patch: '', files: [file({ content: null })] } };
  await expect(commit({}, lost)).rejects.toThrow('The change of a has no content.');
});

test('reports a refused, moved or lost commit, unless it exists', async () => {
  const nothing = { kind: 'failed', message: 'GitHub made no commit and gave no reason.', broken: true };
  const results = [];
  for (const given of [
    { answer: apiError(403, 'No') },
    { answer: stale },
    { answer: stale, looks: [[[own]]] },
    { answer: apiError(502, 'Down') },
    { answer: apiError(502, 'Down'), looks: [[[], [own]]] },
    { answer: { createCommitOnBranch: null } },
    { answer: { createCommitOnBranch: { commit: null } } },
  ])
    results.push((await commit(given)).result);
  expect(results).toEqual([
    { kind: 'failed', message: 'No', broken: false },
    { kind: 'moved' },
    found,
    { kind: 'failed', message: 'Down', broken: true },
    found,
    nothing,
    nothing,
  ]);
  await expect(commit({ answer: new Error('ours') })).rejects.toThrow('ours');
});

test('pushes with git only if the API breaks down', async () => {
  const down = { answer: apiError(500, 'Down') };
  const pushed = await commit({ ...down, push: { sha: 'p' } });
  expect([pushed.result, pushed.asked.slice(1)]).toEqual([
    { kind: 'committed', sha: 'p', url: 'https://github.com/acme/shop/commit/p' },
    [look, ['push', { branch: 'dates', expectedSha: headSha, message: 'Fix\n\nBody\n', patch: 'the patch' }]],
  ]);
  const failed = await commit({ ...down, push: new Error('No rights') });
  expect([failed.result, failed.kinds]).toEqual([
    { kind: 'failed', message: 'No rights', broken: false },
    ['commit', 'look', 'push', 'look'],
  ]);
  const late = await commit({ ...down, push: new Error('No rights'), looks: [[], [[own]]] });
  const refused = await commit({ answer: apiError(403, 'No'), push: { sha: 'p' } });
  expect([late.result, refused.kinds]).toEqual([found, ['commit', 'look']]);
});

test('reports the result of a git push', async () => {
  const push = async (given: World['push'], looks: World['looks'] = [[]]) =>
    (await commit({ looks, ...(given === undefined ? {} : { push: given }) }, { via: 'push' })).result;
  expect([
    await push({ sha: 'p' }),
    await push('moved'),
    await push('moved', [[[own]]]),
    await push(new Error('No rights')),
    await push(undefined),
  ]).toEqual([
    { kind: 'committed', sha: 'p', url: 'https://github.com/acme/shop/commit/p' },
    { kind: 'moved' },
    found,
    { kind: 'failed', message: 'No rights', broken: false },
    { kind: 'failed', message: 'No git push is available.', broken: false },
  ]);
});

test('finds the run’s commit by its trailer, on any page', async () => {
  const find = async (...looks: NonNullable<World['looks']>) => {
    const { asked, ports } = world({ looks });
    return [await findRunCommit(plan, 'dates', ports), asked];
  };
  const others = [listed('a', 'Anode-Run: run_12'), listed('b', 'Says Anode-Run: run_1'), listed('c', 'Fix')];
  expect([
    await find([others, [own]]),
    await find([others]),
    await find([[listed('own', 'Anode-Run: run_1', [])]]),
    await find(apiError(404)),
    await find(apiError(422)),
  ]).toEqual([
    [found, [look]],
    [null, [look]],
    [{ ...found, parent: null, message: 'Anode-Run: run_1' }, [look]],
    [null, [look]],
    [null, [look]],
  ]);
  await expect(find(apiError(500))).rejects.toThrow('Refused');
  await expect(find(new Error('ours'))).rejects.toThrow('ours');
  const { asked, ports } = world({ looks: [[[own]]] });
  expect([await findOrMakeRunCommit(order(), ports), asked]).toEqual([found, [look]]);
});

test('names the requester as co-author if configured', () => {
  const of = (type: 'User' | 'Bot', coAuthor: boolean) =>
    trailersOf({ ...plan, requester: { ...plan.requester, type } }, coAuthor);
  const run = 'Anode-Run: run_1';
  expect([of('User', true), of('User', false), of('Bot', true)]).toEqual([
    ['Co-authored-by: ada <42+ada@users.noreply.github.com>', run],
    [run],
    [run],
  ]);
});
