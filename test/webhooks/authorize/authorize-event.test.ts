import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { type AuthorizeContext, authorizeEvent } from '../../../src/webhooks/authorize/authorize-event.ts';
import { savedSession } from '../decide-fixture.ts';
import { apiError, askedFor, baseSha, headSha } from '../event-request.ts';
import { memoryStore } from '../memory-store.ts';

const time = '2026-01-02T03:04:05Z';
const own = 'anode-ci[bot]';
const ada = { login: 'ada', id: 7, type: 'User' };
const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
const asks = savedSession({ run_id: 'run_1', question: { call_id: 'c', question } });
const boxes = { version: 1, comment_id: 77, url: 'u', text: 't', boxes: [] };

interface World {
  /** The file of the base branch. */
  readonly config?: string | number;
  readonly kept?: Readonly<Record<string, unknown>>;
  readonly clicked?: AuthorizeContext['clicked'];
  readonly overrides?: AuthorizeContext['settings']['overrides'];
  readonly operatorConfig?: AuthorizeContext['settings']['operatorConfig'];
  readonly log?: AuthorizeContext['log'];
  /** The id of the repository whose event it is; the name leads to 8. */
  readonly repositoryId?: number;
}

/** Judges an event on acme/shop, where ada may write, and tells what GitHub was asked. */
async function judge(
  name: string,
  payload: JsonObject,
  {
    config,
    kept = {},
    clicked,
    overrides = {},
    operatorConfig = {},
    log = () => {},
    repositoryId,
  }: World = {},
) {
  const store = { ...memoryStore(), ...(repositoryId === undefined ? {} : { repository: repositoryId }) };
  for (const [key, value] of Object.entries(kept)) store.values.set(key, JSON.stringify(value));
  const asked: string[] = [];
  const answer = (what: string, data: unknown) => async (query: object) => {
    asked.push(`${what} ${Object.values(query).join(' ')}`);
    return { data };
  };
  const file = '.github/anode.yml';
  const getContent = async ({ repo, path, ref }: Record<string, string>) => {
    if (typeof config === 'number') throw apiError(config);
    if (config === undefined || repo !== 'shop') throw apiError(404);
    asked.push(`content ${path} ${ref}`);
    const content = Buffer.from(config).toString('base64');
    return { data: path === file ? { type: 'file', encoding: 'base64', content } : [{ path: file }] };
  };
  const account = async ({ username }: { username: string }) => ({
    data: username === 'eve' ? { login: 'eve', id: 8, type: 'User' } : ada,
  });
  const rest = {
    repos: {
      get: answer('repository', {
        ...{ id: 8, owner: { login: 'Acme' }, name: 'Shop', default_branch: 'trunk', private: true },
      }),
      getBranch: answer('branch', { commit: { sha: baseSha } }),
      getContent,
      getCollaboratorPermissionLevel: answer('permission', { permission: 'write', role_name: 'write' }),
    },
    issues: { get: answer('issue', { title: 'An issue' }) },
    pulls: {
      get: answer('pull', {
        ...{ number: 5, title: 'A pull', state: 'open' },
        head: { ref: 'topic', sha: headSha, repo: { full_name: 'acme/shop' } },
        base: { ref: 'release', sha: baseSha },
      }),
    },
    users: { getByUsername: account },
  };
  const event = {
    ...{ name, delivery_id: null },
    payload: { repository: { name: 'shop', owner: { login: 'acme' } }, sender: ada, ...payload },
  };
  const ports = {
    ...{ octokit: { rest }, store, log },
    settings: {
      ...{ host: 'app', ownLogins: [own], serverUrl: 'https://github.test' },
      ...{ overrides, operatorConfig },
    },
    ...(clicked === undefined ? {} : { clicked }),
  };
  const judged = await authorizeEvent(event, ports as never);
  return { judged, asked };
}
const said = (body: string, issue: JsonObject = { number: 5 }): JsonObject => ({
  action: 'created',
  issue,
  comment: { id: 9, body, user: ada, created_at: time },
});
const trigger = askedFor({ thread: { kind: 'issue', number: 5 }, installation_id: null });
const place = {
  repositoryId: 8,
  repository: {
    ...{ owner: 'Acme', name: 'Shop', default_branch: 'trunk', private: true },
    clone_url: 'https://github.test/Acme/Shop.git',
  },
  ...{ baseBranch: 'trunk', baseHead: baseSha, title: 'An issue', pull: null },
};
const allowed = { kind: 'allowed', requester: { ...ada, permission: 'write' } };
const defaults = {
  ...{ mention: 'anode', label: 'anode:implement', labels: { 'anode:implement': 'implement' } },
  ...{ accounts: [], allowBots: [] },
};

test('a request has its requester, its thread and its configuration', async () => {
  expect(await judge('issue_comment', said('@anode fix it'))).toEqual({
    judged: {
      ...{ kind: 'request', trigger, authorization: allowed, facts: place, config: {}, triggers: defaults },
      ...{ configSource: null, configLayers: [], trustedBranch: null, configError: null },
      ...{ waiting: null, sessions: [], autorun: null },
    },
    asked: [
      'repository acme shop',
      'issue acme shop 5',
      'branch acme shop trunk',
      'permission acme shop ada',
    ],
  });
});

test('the operator’s configuration is below the repository’s, and applies alone if that is invalid', async () => {
  const operatorConfig = {
    permissions: { preset: 'strict' },
    limits: { maxTurns: 9, timeoutMinutes: 4 },
    triggers: { mention: 'helper' },
  } as const;
  const under = async (config: string) => {
    const { judged } = await judge('issue_comment', said('@helper fix it'), { config, operatorConfig });
    if (judged.kind !== 'request') return judged;
    const { permissions, limits } = judged.config;
    return { permissions, limits, mention: judged.triggers.mention, broken: judged.configError !== null };
  };
  expect([await under('limits: { maxTurns: 3 }\n'), await under('limits: none\n')]).toEqual([
    {
      permissions: expect.objectContaining({ preset: 'strict' }),
      ...{ limits: { maxTurns: 3, timeoutMinutes: 4 }, mention: 'helper', broken: false },
    },
    {
      permissions: expect.objectContaining({ preset: 'strict' }),
      ...{ limits: { maxTurns: 9, timeoutMinutes: 4 }, mention: 'helper', broken: true },
    },
  ]);
});

test('a trusted base branch gives the configuration, and overrides of the run take precedence', async () => {
  const config = 'profile: quick\nlimits: { maxTurns: 3 }\ntrustedBranches: [release]\n';
  const pull = { number: 5, pull_request: { url: 'u' } };
  const { judged, asked } = await judge('issue_comment', said('@anode fix it', pull), {
    config,
    overrides: { profile: 'study' },
  });
  const { profile, limits } = judged.kind === 'request' ? judged.config : {};
  expect([profile, limits, judged.kind === 'request' && judged.facts]).toEqual([
    'study',
    { maxTurns: 3 },
    {
      ...place,
      baseBranch: 'release',
      title: 'A pull',
      pull: {
        ...{ number: 5, title: 'A pull', state: 'open' },
        head: { ref: 'topic', sha: headSha, repository: 'acme/shop' },
        base: { ref: 'release', sha: baseSha },
      },
    },
  ]);
  expect(
    judged.kind === 'request' && [judged.configSource, judged.configLayers.map(({ name }) => name)],
  ).toEqual([{ file: '.github/anode.yml', text: config }, ['.github/anode.yml']]);
  expect(asked.toSorted()).toEqual([
    'content .github release',
    'content .github trunk',
    'content .github/anode.yml release',
    'content .github/anode.yml trunk',
    'permission acme shop ada',
    'pull acme shop 5',
    'repository acme shop',
  ]);
});

test('an untrusted base branch is ignored, and the trusted branch is named', async () => {
  const pull = { number: 5, pull_request: { url: 'u' } };
  const { judged, asked } = await judge('issue_comment', said('@anode fix it', pull), {
    config: 'profile: quick\n',
  });
  expect(judged.kind === 'request' && [judged.trustedBranch, judged.config]).toEqual([
    'trunk',
    { profile: 'quick' },
  ]);
  expect(asked.filter((request) => request.includes('release'))).toEqual([]);
});

test('a stricter preset of the files applies over the workflow’s, and the log says so', async () => {
  const logged: string[] = [];
  const world = {
    config: 'permissions: { preset: strict }\n',
    log: (message: string) => void logged.push(message),
  };
  const overrides = { permissions: { preset: 'careful' } };
  const { judged } = await judge('issue_comment', said('@anode fix it'), { ...world, overrides });
  expect([judged.kind === 'request' && judged.config, logged]).toEqual([
    { permissions: { preset: 'strict' } },
    [expect.stringMatching(/^permissions\.preset: strict applies/)],
  ]);
  await judge('issue_comment', said('hello @ada'), { ...world, overrides });
  expect(logged).toHaveLength(1);
});

test('an invalid configuration is reported, and the overrides of the run apply', async () => {
  const overrides = { triggers: { mention: 'robot' } };
  const { judged } = await judge('issue_comment', said('@robot fix it'), { config: 'modle: x\n', overrides });
  expect(judged).toMatchObject({ kind: 'request', trigger: { text: 'fix it' }, config: overrides });
  expect(judged.kind === 'request' && [judged.configError, judged.configSource, judged.configLayers]).toEqual(
    [expect.any(ConfigError), null, []],
  );
  await expect(judge('issue_comment', said('@anode fix it'), { config: 500 })).rejects.toThrow('HTTP 500');
});

test('a comment to no one makes no requests unless a question waits', async () => {
  const ignored = {
    judged: { kind: 'ignored', reason: 'the comment does not address me, and no question waits' },
    asked: [],
  };
  const approval = { tool: 'bash', what: 'w', reason: 'r', hash: 'f0', call_id: 'c', waits: true };
  expect([
    await judge('issue_comment', said('fine')),
    await judge('issue_comment', said('fine'), {
      kept: { 'waiting/5/run_1': savedSession({ approval }) },
    }),
    await judge('push', {}),
  ]).toEqual([ignored, ignored, { ...ignored, judged: { kind: 'ignored', reason: 'push. starts nothing' } }]);
  const { judged } = await judge('issue_comment', said('fine'), {
    kept: { 'waiting/5/run_1': asks },
  });
  expect(judged).toEqual({
    kind: 'ignored',
    reason: 'the comment neither mentions @anode nor begins a line with /anode',
  });
});

test('text answers the newest waiting question, and all waiting sessions are listed', async () => {
  const older = savedSession({ run_id: 'run_0' });
  const kept = { 'waiting/5/run_0': older, 'waiting/5/run_1': asks };
  const { judged } = await judge('issue_comment', said('@anode blue'), { kept });
  expect(judged).toMatchObject({
    trigger: { kind: 'answer', text: 'blue' },
    waiting: asks,
    sessions: [asks, older],
  });
});

test('a ticked comment is recognised as a question or confirmation by its id', async () => {
  const tick = (marker: string) =>
    ({
      ...{ action: 'edited', issue: { number: 5 }, comment: { id: 77, body: 'b', updated_at: time } },
      changes: { body: { from: `<!-- anode:${marker} -->` } },
    }) as const;
  const kinds = [];
  for (const kept of [
    { 'waiting/5/run_1': asks, 'boxes/run_1': boxes },
    { 'confirm/5': { ...boxes, head: headSha } },
    { 'confirm/5': { ...boxes, head: headSha, comment_id: 78 } },
    { 'waiting/5/run_1': asks },
  ]) {
    const asked = 'boxes/run_1' in kept ? 'question v1 run=run_1' : 'head v1 hash=f0f0f0f0f0f0f0f0';
    const { judged } = await judge('issue_comment', tick(asked), { kept });
    kinds.push(judged.kind === 'request' ? judged.trigger.kind : judged.reason);
  }
  const nothing = 'the edited comment asks nothing that waits';
  expect(kinds).toEqual(['answer', 'continue', nothing, nothing]);
});

test('does not read the text of a clicked control', async () => {
  const clicked = askedFor({ kind: 'retry', text: '', actor: ada });
  const { judged } = await judge('issue_comment', said('@anode help'), { clicked });
  expect(judged).toMatchObject({ kind: 'request', trigger: clicked });
});

test('reviews start automatically unless configured otherwise, and drafts only if configured', async () => {
  const opened = async (draft: boolean, review: string) => {
    const pull_request = { number: 5, state: 'open', draft, updated_at: time, head: { sha: headSha } };
    const config = `review: { ${review} }\n`;
    const { judged } = await judge('pull_request', { action: 'opened', pull_request }, { config });
    return judged.kind === 'request' ? judged.trigger.kind : judged.reason;
  };
  expect([
    await opened(false, ''),
    await opened(false, 'auto: false'),
    await opened(true, ''),
    await opened(true, 'drafts: true'),
  ]).toEqual([
    'review',
    'automated reviews are off (review.auto)',
    'drafts are not reviewed (review.drafts)',
    'review',
  ]);
});

test('our own label starts a handoff for the earlier requester, if that is permitted', async () => {
  const requester = { login: 'eve', id: 8, type: 'User' };
  const autorun = { run_id: 'run_0', requester, depth: 1 };
  const kept = { 'autorun/5': autorun };
  const labelled = async (config: string | undefined, sender: JsonObject, name = 'issues') => {
    const payload = {
      ...{ action: 'labeled', label: { name: 'anode:implement' }, sender },
      issue: { number: 5, updated_at: time },
    };
    const { judged } = await judge(name, payload, { ...(config === undefined ? {} : { config }), kept });
    return judged.kind === 'request'
      ? [judged.trigger.actor, judged.authorization.requester.login, judged.autorun]
      : judged.reason;
  };
  const ours = { login: own, id: 1, type: 'Bot' };
  expect([
    await labelled('handoff: { autorun: true }\n', ours),
    await labelled(undefined, ours),
    await labelled('handoff: { autorun: true }\n', ada),
  ]).toEqual([[requester, 'eve', autorun], 'it is our own doing', [ada, 'ada', null]]);
});

test('an event is ignored if its repository name belongs to another repository now', async () => {
  const { judged, asked } = await judge('issue_comment', said('@anode fix it'), { repositoryId: 7 });
  const same = await judge('issue_comment', said('@anode fix it'), { repositoryId: 8 });
  expect([judged, asked.filter((one) => one.startsWith('content')), same.judged.kind]).toEqual([
    { kind: 'ignored', reason: 'another repository has the name by now' },
    [],
    'request',
  ]);
});
