import { expect, test } from 'vitest';
import { readBaseFiles } from '../../../src/webhooks/authorize/read-base-files.ts';
import { readRequester } from '../../../src/webhooks/authorize/read-requester.ts';
import { readThreadFacts } from '../../../src/webhooks/authorize/read-thread-facts.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { findOpenImplementation } from '../../../src/webhooks/plan/find-open-implementation.ts';
import { onceEach } from '../../../src/webhooks/plan/once-each.ts';
import { readMaterial } from '../../../src/webhooks/plan/read-material.ts';
import { apiError, askedFor, eventRequest, headSha } from '../event-request.ts';

const { pull } = eventRequest(askedFor()).facts;
const location = { path: 'a', line: 1, side: 'RIGHT', diff_hunk: '@', root_id: 3 } as const;
const nothing = { root: null, context: '', triage: null };

interface World {
  /** The failed checks, or what asking for them throws. */
  readonly checks?: readonly object[] | Error;
  readonly comment?: object | number;
  readonly onPull?: boolean;
}

async function material(change: Partial<Trigger>, { checks = [], comment = {}, onPull = true }: World = {}) {
  const asked: unknown[] = [];
  const getReviewComment = async (query: object) => {
    asked.push(query);
    if (typeof comment === 'number') throw apiError(comment);
    const user = { login: 'BADbot', type: 'Bot' };
    return { data: { body: 'BAD words', user, updated_at: '2026-01-02T03:04:04Z', ...comment } };
  };
  const octokit = {
    rest: {
      pulls: { getReviewComment },
      issues: { listForRepo: async () => ({ data: [] }) },
      search: { issuesAndPullRequests: async () => ({ data: { items: [] } }) },
    },
    paginate: async () => [{ name: 'BADbug', description: null }],
  };
  const checksOctokit = {
    rest: {
      checks: {
        listForRef: async (query: object) => {
          asked.push(query);
          if (checks instanceof Error) throw checks;
          return { data: { check_runs: checks } };
        },
      },
    },
  };
  const found = await readMaterial(
    askedFor(change),
    { pull: onPull ? pull : null, title: 'T', body: 'B', config: {} },
    {
      octokit: octokit as never,
      checks: async () => checksOctokit as never,
      sanitise: (text, origin) =>
        text.replaceAll('BAD', origin === undefined ? '' : `${JSON.stringify(origin)} `),
    },
  );
  return { found, asked };
}

test('a task needs only its thread', async () => {
  expect(await material({})).toEqual({ found: nothing, asked: [] });
  expect((await material({ kind: 'fix' }, { onPull: false })).found).toEqual(nothing);
  expect((await material({ kind: 'fix', location: { ...location, root_id: null } })).found).toEqual(nothing);
});

test('a request in a conversation gets the root comment if it is unchanged since', async () => {
  const rooted = (world: World) => material({ location }, world);
  const query = { owner: 'acme', repo: 'shop', comment_id: 3 };
  const origin = (more: object) => `${JSON.stringify({ where: 'a comment', ...more })}  words`;
  expect(await rooted({})).toEqual({
    found: { ...nothing, root: { author: 'bot', text: origin({ author: 'BADbot', bot: true }) } },
    asked: [query],
  });
  expect((await rooted({ comment: { user: { login: 'ada', type: 'User' } } })).found.root).toEqual({
    author: 'ada',
    text: origin({ author: 'ada' }),
  });
  expect((await rooted({ comment: { user: null } })).found.root).toEqual({
    author: 'ghost',
    text: origin({ author: 'ghost' }),
  });
  for (const updated_at of ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z'])
    expect((await rooted({ comment: { updated_at } })).found.root).toBeNull();
  expect((await rooted({ comment: 404 })).found.root).toBeNull();
  await expect(rooted({ comment: 500 })).rejects.toThrow('HTTP 500');
  expect(await material({ location: { ...location, root_id: null } })).toEqual({ found: nothing, asked: [] });
});

test('a fix gets the failed checks, or the reason for having none', async () => {
  const failed = (name: string) => ({
    ...{ id: 1, name, conclusion: 'failure', app: null },
    output: { title: null, summary: `${name} broke`, annotations_count: 0 },
  });
  const { found, asked } = await material({ kind: 'fix' }, { checks: [failed('BADunit'), failed('lint')] });
  expect(found).toEqual({
    ...nothing,
    context:
      '<untrusted kind="failing-check" name="unit" conclusion="failure">\nunit broke\n</untrusted>\n<untrusted kind="failing-check" name="lint" conclusion="failure">\nlint broke\n</untrusted>',
  });
  expect(asked).toEqual([
    {
      ...{ owner: 'acme', repo: 'shop', ref: headSha },
      ...{ filter: 'latest', status: 'completed', per_page: 100 },
    },
  ]);
  const fix = async (checks: World['checks'] = []) => (await material({ kind: 'fix' }, { checks })).found;
  expect(await fix()).toEqual({ ...nothing, context: 'No check of this commit has failed.' });
  const unread = {
    ...nothing,
    context:
      'Which checks fail could not be read here. It takes the permissions `checks: read` and `actions: read`.',
  };
  expect([await fix(apiError(403)), await fix(apiError(500))]).toEqual([unread, unread]);
  await expect(fix(new Error('no token'))).rejects.toThrow('no token');
});

test('a triage gets its permitted choices', async () => {
  const { found } = await material(
    { kind: 'triage', thread: { kind: 'issue', number: 5 } },
    { onPull: false },
  );
  expect(found).toEqual({
    root: null,
    context:
      '<untrusted kind="labels-and-threads">\nLabels of this repository:\n- bug\n\nNo other thread looks alike.\n</untrusted>',
    triage: { labels: ['BADbug'], candidates: [] },
  });
});

/** A pull request as GitHub lists it. */
const listed = (number: number, change: object = {}) => ({
  ...{ number, body: null, user: { login: 'anode-ci[bot]' } },
  head: { ref: 'anode/issue-7-x', repo: { full_name: 'acme/shop' } },
  ...change,
});

test('an implementation is open if a pull request of ours has its branch or closes its issue', async () => {
  const find = async (...pulls: readonly object[]) => {
    const asked: unknown[] = [];
    const list = async (query: object) => {
      asked.push(query);
      return { data: pulls };
    };
    const octokit = { rest: { pulls: { list } } } as never;
    const own = { logins: ['other[bot]', 'anode-ci[bot]'], branchPrefix: 'anode/' };
    const found = await findOpenImplementation(octokit, { owner: 'acme', repo: 'shop', number: 7 }, own);
    expect(asked).toEqual([{ owner: 'acme', repo: 'shop', state: 'open', per_page: 100 }]);
    return found;
  };
  const head = (ref: string, full_name: string | null = 'acme/shop') => ({
    head: { ref, repo: full_name === null ? null : { full_name } },
  });
  const closing = (body: string) => listed(3, { ...head('own'), body });
  expect([
    await find(listed(2)),
    await find(listed(1, head('topic')), listed(2)),
    await find(closing('Does it.\n\nCloses #7\n')),
    await find(closing('Closes #7')),
  ]).toEqual([2, 2, 3, 3]);
  expect([
    await find(),
    await find(listed(2, head('anode/issue-70-x'))),
    await find(listed(2, head('x/anode/issue-7-x'))),
    await find(listed(2, head('anode/issue-7'))),
    await find(listed(2, head('anode/issue-7-x', 'rex/shop'))),
    await find(listed(2, head('anode/issue-7-x', null))),
    await find(listed(2, { user: { login: 'rex' } })),
    await find(listed(2, { user: null })),
    await find(closing('It Closes #7')),
    await find(closing('Closes #70')),
    await find(closing('closes #7')),
  ]).toEqual(Array.from({ length: 11 }, () => null));
});

test('a text is processed once for each place', () => {
  const done: unknown[] = [];
  const work = onceEach({
    sanitise: (text, origin) => {
      done.push(['clean', text, origin]);
      return `${text}!`;
    },
    markImages: (text, place) => {
      done.push(['mark', text, place]);
      return `${text}?`;
    },
  });
  const origin = { where: 'a comment', author: 'ada' } as never;
  const place = { kind: 'comment', id: 1 } as never;
  const clean = () => [work.sanitise('a'), work.sanitise('a', origin), work.sanitise('b')];
  const mark = () => [
    work.markImages?.('a', place),
    work.markImages?.('a', { kind: 'comment', id: 2 } as never),
  ];
  expect([clean(), clean(), mark(), mark()]).toEqual([
    ['a!', 'a!', 'b!'],
    ['a!', 'a!', 'b!'],
    ['a?', 'a?'],
    ['a?', 'a?'],
  ]);
  expect(done).toEqual([
    ['clean', 'a', undefined],
    ['clean', 'a', origin],
    ['clean', 'b', undefined],
    ['mark', 'a', place],
    ['mark', 'a', { kind: 'comment', id: 2 }],
  ]);
  // The same text, cleaned and marked, are two works.
  expect([work.markImages?.('a', origin), work.markImages?.('b', origin)]).toEqual(['a?', 'b?']);
});

test('reads files of the base branch if they are regular files', async () => {
  const asked: unknown[] = [];
  const answers: Record<string, unknown> = {
    a: { type: 'file', encoding: 'base64', content: Buffer.from('text').toString('base64') },
    folder: [],
    link: { type: 'symlink', encoding: 'base64', content: '' },
    large: { type: 'file', encoding: 'none', content: '' },
  };
  const getContent = async (query: { path: string }) => {
    asked.push(query);
    if (query.path === 'broken') throw apiError(500);
    if (answers[query.path] === undefined) throw apiError(404);
    return { data: answers[query.path] };
  };
  const octokit = { rest: { repos: { getContent } } } as never;
  const at = { owner: 'acme', name: 'shop', branch: 'main' };
  const found = await readBaseFiles(octokit, at, ['none', 'folder', 'link', 'large', 'a']);
  expect([...found]).toEqual([['a', Buffer.from('text')]]);
  expect(asked.at(-1)).toEqual({ owner: 'acme', repo: 'shop', path: 'a', ref: 'main' });
  await expect(readBaseFiles(octokit, at, ['broken'])).rejects.toThrow('HTTP 500');
});

test('facts of a thread have the repository and title as in the API now', async () => {
  const read = (kind: 'issue' | 'pull_request', change: object = {}) => {
    const rest = {
      repos: {
        get: async () => ({
          data: { owner: { login: 'Acme' }, name: 'shop+', default_branch: 'trunk', private: false },
        }),
        getBranch: async ({ owner, repo, branch }: Record<string, string>) => ({
          data: { commit: { sha: `${owner} ${repo} ${branch}` } },
        }),
      },
      issues: {
        get: async ({ owner, repo, issue_number }: Record<string, unknown>) => ({
          data: { title: `${owner} ${repo} ${issue_number}` },
        }),
      },
      pulls: {
        get: async ({ owner, repo, pull_number }: Record<string, unknown>) => ({
          data: {
            ...{ number: 6, title: `${owner} ${repo} ${pull_number}`, state: 'closed' },
            head: { ref: 'topic', sha: 'h', repo: { full_name: 'rex/shop' } },
            base: { ref: 'main', sha: 'b' },
            ...change,
          },
        }),
      },
    };
    const candidate = { repository: { owner: 'acme', name: 'shop' }, thread: { kind, number: 5 } };
    return readThreadFacts({ rest } as never, candidate as never, {
      serverUrl: 'https://github.test',
      reported: null,
    });
  };
  const repository = {
    ...{ owner: 'Acme', name: 'shop+', default_branch: 'trunk', private: false },
    clone_url: 'https://github.test/Acme/shop%2B.git',
  };
  const title = 'acme shop 5';
  const head = { ref: 'topic', sha: 'h', repository: 'rex/shop' };
  const pullPlace = {
    ...{ repository, baseBranch: 'main', baseHead: 'b', title },
    pull: { number: 6, title, state: 'closed', head, base: { ref: 'main', sha: 'b' } },
  };
  expect([
    await read('issue'),
    await read('pull_request'),
    await read('pull_request', { state: 'open', head: { ref: 'topic', sha: 'h', repo: null } }),
  ]).toEqual([
    { repository, baseBranch: 'trunk', baseHead: 'acme shop trunk', title, pull: null },
    pullPlace,
    { ...pullPlace, pull: { ...pullPlace.pull, state: 'open', head: { ...head, repository: null } } },
  ]);
});

test("a requester has the permission of the role, or of a custom role's base", async () => {
  const read = (permission: string | number, role_name = '') => {
    const getCollaboratorPermissionLevel = async (query: object) => {
      expect(query).toEqual({ owner: 'acme', repo: 'shop', username: 'ADA' });
      if (typeof permission === 'number') throw apiError(permission);
      return { data: { permission, role_name } };
    };
    const getByUsername = async ({ username }: { username: string }) => ({
      data: { login: username.toLowerCase(), id: 7, type: 'User', name: 'Ada' },
    });
    const rest = { users: { getByUsername }, repos: { getCollaboratorPermissionLevel } };
    return readRequester({ rest } as never, { owner: 'acme', name: 'shop' }, 'ADA');
  };
  expect(await read('write', 'maintain')).toEqual({
    login: 'ada',
    id: 7,
    type: 'User',
    permission: 'maintain',
  });
  const permissions = [
    await read('read', 'triage'),
    await read('write', 'write'),
    await read('read', 'admin'),
    await read('admin', 'owner'),
    await read('odd', 'odder'),
    await read(404),
  ].map(({ permission }) => permission);
  expect(permissions).toEqual(['triage', 'write', 'read', 'admin', 'none', 'none']);
  await expect(read(403)).rejects.toThrow('HTTP 403');
});
