import { expect, test } from 'vitest';
import type { FileChange } from '../../../src/contract/change.ts';
import type { CommitResult } from '../../../src/reporting/changes/commit-changes.ts';
import {
  type CheckRebased,
  type CommitMaterial,
  commitToHead,
  commitToNewBranch,
} from '../../../src/reporting/changes/commit-to-branch.ts';
import type { PublishPorts, Rebase } from '../../../src/reporting/posting/ports.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { headSha, sampleOutcome, samplePlan } from '../samples.ts';
import { decideOutlet } from './decide-outlet.ts';

const plan = samplePlan();
const changes = { base_sha: headSha, patch: 'the patch', files: [] };
const material: CommitMaterial = {
  ...{ plan, changes, via: 'api' },
  message: async () => ({ headline: 'Fix it', body: 'Anode-Run: run_1' }),
};
const apiError = (status: number, message = 'Refused') => Object.assign(new Error(message), { status });
const stale = Object.assign(new Error('stale'), {
  name: 'GraphqlResponseError',
  errors: [{ type: 'STALE_DATA', message: 'stale' }],
});

interface World {
  /** The commit at the head of each branch, for one look after the other; the last one stays. */
  readonly heads?: Readonly<Record<string, readonly (string | null)[]>>;
  /** The results of one commit after the other by the API. */
  readonly commits?: readonly (string | Error)[];
  /** The parent of a commit of this run that stands on a branch. */
  readonly own?: Readonly<Record<string, string | null>>;
  readonly createRef?: (branch: string) => Error | null;
  readonly deleteRef?: Error | null;
  readonly ports?: Partial<PublishPorts>;
}

/** A GitHub of which only branches and commits are asked; `asked` tells what was written, waited and logged. */
function world({ heads = {}, commits = [], own = {}, createRef, deleteRef = null, ports = {} }: World) {
  const asked: unknown[] = [];
  const left = new Map(Object.entries(heads).map(([branch, all]) => [branch, [...all]]));
  const toCommit = [...commits];
  const getRef = async ({ ref, owner, repo }: Record<string, string>) => {
    expect([owner, repo]).toEqual(['acme', 'shop']);
    const all = left.get((ref ?? '').replace('heads/', '')) ?? [];
    const sha = all.length > 1 ? all.shift() : all[0];
    if (sha == null) throw apiError(404);
    return { data: { object: { sha } } };
  };
  const octokit = {
    rest: {
      git: {
        getRef,
        createRef: async ({ ref, sha }: Record<string, string>) => {
          asked.push(`make ${ref} at ${sha}`);
          const branch = (ref ?? '').replace('refs/heads/', '');
          const error = createRef?.(branch) ?? null;
          if (error !== null) throw error;
          left.set(branch, [sha ?? null]);
        },
        deleteRef: async ({ ref }: Record<string, string>) => {
          asked.push(`delete ${ref}`);
          if (deleteRef !== null) throw deleteRef;
        },
      },
      repos: { listCommits: 'commits' },
    },
    paginate: {
      async *iterator(_: unknown, { sha }: { sha: string }) {
        const parent = own[sha];
        if (parent === undefined) return;
        const parents = parent === null ? [] : [{ sha: parent }];
        yield {
          data: [
            { sha: 'own', html_url: 'https://own', parents, commit: { message: 'Fix\n\nAnode-Run: run_1' } },
          ],
        };
      },
    },
    graphql: async (_: string, { input }: { input: { expectedHeadOid: string; branch: object } }) => {
      asked.push(`commit on ${input.expectedHeadOid}`);
      const next = toCommit.shift() ?? new Error('no commit was expected');
      if (next instanceof Error) throw next;
      return { createCommitOnBranch: { commit: { oid: next, url: `https://${next}` } } };
    },
  };
  const store = createMemoryStateStore();
  const all = {
    ...{ octokit, store, ownLogin: 'anode-ci[bot]', config: {} },
    wait: async (milliseconds: number) => void asked.push(milliseconds),
    log: { info: () => {}, warn: (...line: unknown[]) => void asked.push(line) },
    ...ports,
  } as unknown as PublishPorts;
  return { asked, store, ports: all };
}

const [old, next, third] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
const short = (sha: string) => `\`${sha.slice(0, 7)}\``;
const target = { branch: 'dates', expected_sha: old };
const lets: CheckRebased = () => ({ via: 'api' });
const clean: Rebase = async ({ onto }) => ({ kind: 'clean', changes: { ...changes, patch: `on ${onto}` } });
const failed = (reason: string) => ({ kind: 'failed', reason, message: '' });
const onTop = (sha: string) =>
  `Put on top of ${short(sha)}, which came onto \`dates\` while the run worked: nothing was run on the two together.`;
async function toHead(given: World, judge: CheckRebased = lets) {
  const { asked, ports } = world(given);
  return [await commitToHead(material, target, judge, ports), asked];
}
const committed = (sha: string, note: string | null = null) => ({
  ...{ kind: 'committed', sha, url: `https://${sha}`, note },
});

test('commits to an unmoved branch, and not to a deleted one', async () => {
  expect(await toHead({ heads: { dates: [old] }, commits: ['new'] })).toEqual([
    committed('new'),
    [`commit on ${old}`],
  ]);
  expect(await toHead({})).toEqual([failed('Not committed, as `dates` is gone.'), []]);
});

test('finds this run’s commit, and reports if it was rebased', async () => {
  const own = async (parent: string | null) =>
    (await toHead({ heads: { dates: [next] }, own: { dates: parent } }))[0];
  expect([await own(old), await own(null), await own(third)]).toEqual([
    committed('own'),
    committed('own'),
    committed('own', onTop(third)),
  ]);
});

test('reports GitHub’s reason for a refused commit', async () => {
  const refused = await toHead({ heads: { dates: [old] }, commits: [apiError(403, 'No rights')] });
  expect(refused[0]).toEqual({ kind: 'failed', reason: null, message: 'No rights' });
});

test('rebases the changes on a moved head if permitted', async () => {
  const moved = 'Not committed, as `dates` moved while the run worked';
  const at = (ports: World['ports'] = {}, judge: CheckRebased = lets) =>
    toHead({ heads: { dates: [next] }, commits: ['new'], ports: { rebase: clean, ...ports } }, judge);
  expect(await at()).toEqual([committed('new', onTop(next)), [`commit on ${next}`]]);
  const [without] = await toHead({ heads: { dates: [next] } });
  expect([
    without,
    (await at({ config: { commit: { rebase: false } } }))[0],
    (await at({ config: { commit: { rebase: true } } }))[0],
    (await at({ rebase: async () => ({ kind: 'conflict' }) }))[0],
    (await at({ rebase: async () => ({ kind: 'same' }) }))[0],
    (await at({}, () => 'It is protected.'))[0],
  ]).toEqual([
    failed(`${moved}.`),
    failed(`${moved}.`),
    committed('new', onTop(next)),
    failed(`${moved}, and they do not merge with ${short(next)} by themselves.`),
    { kind: 'same', note: `Not committed, as ${short(next)} on \`dates\` has the same changes.` },
    failed('It is protected.'),
  ]);
});

test('checks and commits the rebased changes', async () => {
  const judged: unknown[] = [];
  const rebased: unknown[] = [];
  const pushed: unknown[] = [];
  await toHead(
    {
      heads: { dates: [next] },
      ports: {
        rebase: async (order) => {
          rebased.push(order);
          return clean(order);
        },
        pushCommit: async (order) => {
          pushed.push(order);
          return { sha: 'new' };
        },
      },
    },
    (one) => {
      judged.push(one.patch);
      return { via: 'push' };
    },
  );
  expect([rebased, judged, pushed]).toEqual([
    [{ branch: 'dates', from: old, patch: 'the patch', onto: next }],
    [`on ${next}`],
    [{ branch: 'dates', expectedSha: next, message: 'Fix it\n\nAnode-Run: run_1\n', patch: `on ${next}` }],
  ]);
});

test('logs and reports a failed rebase, and throws GitHub’s errors', async () => {
  const failing = (error: unknown) =>
    toHead({ heads: { dates: [next] }, ports: { rebase: async () => Promise.reject(error) } });
  expect(await failing(new Error('fetch failed'))).toEqual([
    failed(
      `Not committed, as \`dates\` moved while the run worked, and ${short(next)} could not be fetched.`,
    ),
    [[{ run: 'run_1', message: 'fetch failed' }, 'The changes could not be rebased.']],
  ]);
  await expect(failing(apiError(500))).rejects.toThrow('Refused');
});

test('follows a moving head three times', async () => {
  const [result, asked] = await toHead({
    heads: { dates: [old, next, third, old, next] },
    commits: [stale, stale, stale, stale],
    ports: { rebase: clean },
  });
  expect([result, asked]).toEqual([
    failed('Not committed, as `dates` moved while the run worked, again and again.'),
    [`commit on ${old}`, `commit on ${next}`, `commit on ${third}`, `commit on ${old}`],
  ]);
});

test('retries an outdated answer for some seconds', async () => {
  const [result, asked] = await toHead({
    heads: { dates: [old, old, old, next] },
    commits: [stale, 'new'],
    ports: { rebase: clean },
  });
  expect([result, asked]).toEqual([
    committed('new', onTop(next)),
    [`commit on ${old}`, 500, 1_500, `commit on ${next}`],
  ]);
  const [, stays] = await toHead({
    heads: { dates: [old] },
    commits: [stale, 'new'],
    ports: { rebase: clean },
  });
  expect(stays).toEqual([`commit on ${old}`, 500, 1_500, 4_000, `commit on ${old}`]);
  const [lost] = await toHead({ heads: { dates: [old, null] }, commits: [stale] });
  expect(lost).toEqual(failed('Not committed, as `dates` is gone.'));
});

const branch = { branch: 'bot/a', base: 'main', expected_sha: old };
async function toNew(given: World, kept: string | null = null) {
  const { asked, ports, store } = world(given);
  if (kept !== null) await store.set('making/run_1/branch', kept);
  const done = await commitToNewBranch(material, branch, ports);
  return { done, asked, kept: await store.get('making/run_1/branch') };
}
const made: CommitResult = { kind: 'committed', sha: 'new', url: 'https://new' };

test('creates a branch, records it, and commits to it', async () => {
  expect(await toNew({ commits: ['new'] })).toEqual({
    done: { branch: 'bot/a', result: made },
    asked: [`make refs/heads/bot/a at ${old}`, `commit on ${old}`],
    kept: 'bot/a',
  });
});

test('leaves a branch of that name that belongs to another user', async () => {
  const others = { 'bot/a': [next], 'bot/a-2': [old] };
  expect(await toNew({ heads: others, commits: ['new'] })).toEqual({
    done: { branch: 'bot/a-3', result: made },
    asked: [`make refs/heads/bot/a-3 at ${old}`, `commit on ${old}`],
    kept: 'bot/a-3',
  });
  expect((await toNew({ heads: others, commits: ['new'] }, 'bot/a-2')).done).toEqual({
    ...{ branch: 'bot/a-2', result: made },
  });
  expect((await toNew({ heads: others, own: { 'bot/a': old } })).done).toEqual({
    branch: 'bot/a',
    result: {
      ...{ kind: 'committed', sha: 'own', url: 'https://own', parent: old },
      message: 'Fix\n\nAnode-Run: run_1',
    },
  });
});

test('tries nine names', async () => {
  const names = ['bot/a', ...Array.from({ length: 8 }, (_, index) => `bot/a-${index + 2}`)];
  const taken = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, [next]]));
  expect((await toNew({ heads: taken(8), commits: ['new'] })).done.branch).toBe('bot/a-9');
  expect((await toNew({ heads: taken(9) })).done).toEqual({
    branch: 'bot/a',
    result: { kind: 'failed', message: 'Every name for a branch is taken.', broken: false },
  });
});

test('reports a branch that blocks the name', async () => {
  const blocked = { heads: { bot: [next] }, createRef: () => apiError(422) };
  expect((await toNew(blocked)).done).toEqual({
    branch: 'bot/a',
    result: {
      kind: 'failed',
      message:
        'there can be no branch bot/a beside the branch bot. Rename that one, or set branch.prefix or branch.template.',
      broken: false,
    },
  });
  await expect(toNew({ createRef: () => apiError(422, 'Odd') })).rejects.toThrow('Odd');
  await expect(toNew({ heads: { bot: [next] }, createRef: () => apiError(403, 'No') })).rejects.toThrow('No');
});

test('takes the next name after a moved commit, and deletes the branch after a refusal', async () => {
  const moved = await toNew({ commits: [stale, 'new'] });
  expect([moved.done, moved.kept]).toEqual([{ branch: 'bot/a-2', result: made }, 'bot/a-2']);
  const refused = { kind: 'failed', message: 'No', broken: false };
  const no = [apiError(403, 'No')];
  const gone = await toNew({ commits: no });
  expect([gone.done, gone.asked.at(-1)]).toEqual([
    { branch: 'bot/a', result: refused, remains: false },
    'delete heads/bot/a',
  ]);
  expect((await toNew({ commits: no, deleteRef: apiError(422) })).done.remains).toBe(true);
  await expect(toNew({ commits: no, deleteRef: apiError(502, 'Down') })).rejects.toThrow('Down');
});

const size = (bytes: number) => Buffer.alloc(bytes).toString('base64');
const file: FileChange = {
  ...{
    path: 'a',
    kind: 'modify',
    mode: '100644',
    old_mode: '100644',
    content: size(1),
    binary: false,
    diff: '',
  },
};

test('commits 100 files and 4 MB, and files of up to 2 MB through the API', () => {
  const decide = (...files: Partial<FileChange>[]) => {
    const all = files.map((one, index) => ({ ...file, path: `f${index}`, ...one }));
    const outcome = sampleOutcome({ changes: { base_sha: headSha, patch: 'p', files: all } });
    const { outlet, reason } = decideOutlet(outcome, plan, {
      protectedAllow: [],
      canPush: true,
      hasDiff: true,
    });
    return outlet.kind === 'commit' ? outlet.via : reason;
  };
  const many = Array.from({ length: 100 }, () => ({}));
  const two = { content: size(2_000_000) };
  expect([decide(...many), decide(two, two), decide({ content: size(2_000_001) })]).toEqual([
    'api',
    'api',
    'push',
  ]);
  expect([decide(...many, {}), decide(two, two, {})]).toEqual([
    'Not committed, as the changes are too large (101 files, 0.0 MB; at most 100 files and 4 MB).',
    'Not committed, as the changes are too large (3 files, 4.0 MB; at most 100 files and 4 MB).',
  ]);
  expect([
    decide({ kind: 'add', old_mode: null }),
    decide({ kind: 'delete', old_mode: '100755', mode: null, content: null }),
    decide({ kind: 'rename', old_path: 'x', old_mode: '100755' }),
    decide({ path: 'a/b' }, { path: 'c', kind: 'rename', old_path: 'a' }),
    decide({ path: 'ab' }, { path: 'c', kind: 'rename', old_path: 'a' }),
  ]).toEqual(['api', 'api', 'api', 'push', 'api']);
});
