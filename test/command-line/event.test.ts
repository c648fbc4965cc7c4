import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';
import { cliProgram } from '../support/program-files.ts';
import { runProgram } from '../uses/support/run-program.ts';

let github: GitHub;
let shop: RepositoryHandle;
let folder: string;
let pull: number;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-event-'));
  github = await startGitHub();
  shop = await github.createRepository('acme/shop', { files: { 'a.txt': 'one\n' } });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  await shop.commit('topic', { files: { 'a.txt': 'two\n' }, message: 'Two', author: 'ada' });
  pull = (await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' })).number;
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `anode event` on the newest payload of an event, in a folder where nothing may appear. */
async function take(name: string, args: readonly string[] = ['--dry-run', '--output', 'json']) {
  const payload = path.join(folder, 'payload.json');
  await writeFile(payload, JSON.stringify(github.lastEventPayload(name)));
  const cwd = await mkdtemp(path.join(folder, 'empty-'));
  const from = github.requests.length;
  const token = github.createToken({ actor: 'ada' });
  const result = await runProgram(cliProgram, ['event', '--name', name, '--payload', payload, ...args], {
    cwd,
    environment: {
      HOME: cwd,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_SERVER_URL: github.url,
      GITHUB_TOKEN: token,
      ANTHROPIC_API_KEY: 'never-used-here',
    },
  });
  const methods = [...new Set(github.requests.slice(from).map(({ method }) => method))];
  return { ...result, methods, written: await readdir(cwd) };
}

test('a task on a pull request has a plan and its API calls, and nothing is written', async () => {
  const comment = shop.comment(pull, { author: 'ada', body: '@anode make it three' });
  const { stdout, ...rest } = await take('issue_comment');
  const { trigger, plan, ...decision } = JSON.parse(stdout);
  expect(rest).toEqual({ code: 0, stderr: '', methods: ['GET'], written: [] });
  const place = '/repos/acme/shop';
  expect(decision).toEqual({
    decision: 'run',
    reason: `task on pull request ${pull}, by issue_comment.created of ada`,
    api_calls: [
      {
        method: 'POST',
        path: `${place}/issues/comments/${comment.id}/reactions`,
        purpose: '👀 on the comment',
      },
      { method: 'POST', path: `${place}/issues/${pull}/comments`, purpose: 'the progress comment' },
      { method: 'POST', path: '/graphql', purpose: 'a commit on topic, if anything changed' },
      {
        method: 'POST',
        path: `${place}/pulls/${pull}/reviews`,
        purpose: 'a review, if there are findings or suggestions',
      },
      { method: 'POST', path: `${place}/issues`, purpose: 'an issue for each handoff' },
      { method: 'PATCH', path: `${place}/issues/comments/{id}`, purpose: 'progress, then the report' },
      {
        method: 'DELETE',
        path: `${place}/issues/comments/${comment.id}/reactions/{id}`,
        purpose: '👀 away at the end',
      },
    ],
  });
  expect(trigger).toMatchObject({ kind: 'task', text: 'make it three', comment: { id: comment.id } });
  const head = await shop.head('topic');
  expect(plan).toMatchObject({
    verb: 'task',
    prompt: 'make it three',
    requester: { login: 'ada', type: 'User', permission: 'write' },
    trigger_comment: { id: comment.id, kind: 'issue_comment' },
    checkout: { ref: `refs/pull/${pull}/head`, sha: head, base_sha: await shop.head('main'), fork: false },
    push: { kind: 'branch', branch: 'topic', expected_sha: head },
    profile: 'craft',
    preset: 'careful',
    read_only: false,
    sandbox: 'required',
    resume: null,
  });
});

test("the operator's file sets what the repository does not", async () => {
  const operator = path.join(folder, 'operator.json');
  const config = {
    permissions: { preset: 'strict' },
    triggers: { mention: 'helper' },
    limits: { maxTurns: 5 },
  };
  await writeFile(operator, JSON.stringify(config));
  shop.comment(pull, { author: 'ada', body: '@helper make it four' });
  const { stdout } = await take('issue_comment', ['--dry-run', '--output', 'json', '--config', operator]);
  const { decision, plan } = JSON.parse(stdout);
  expect({ decision, preset: plan?.preset, turns: plan?.limits.max_turns }).toEqual({
    ...{ decision: 'run', preset: 'strict', turns: 5 },
  });
});

test.for([
  {
    title: 'a stranger',
    body: '@anode do it',
    author: 'rex',
    decision: 'refuse',
    reason: 'rex has read permission on this repository; starting a run needs write.',
  },
  {
    title: 'small talk',
    body: 'nice',
    author: 'ada',
    decision: 'ignore',
    reason: 'the comment does not address me, and no question waits',
  },
  {
    title: 'a call for help',
    body: '/anode help',
    author: 'ada',
    decision: 'reply',
    reason: 'help was asked for',
  },
])('$title has no plan', async ({ body, author, decision, reason }) => {
  shop.comment(pull, { author, body });
  const { stdout, ...rest } = await take('issue_comment');
  expect(rest).toEqual({ code: 0, stderr: '', methods: ['GET'], written: [] });
  const { trigger: _, ...decided } = JSON.parse(stdout);
  expect(decided).toEqual({ decision, reason, plan: null, api_calls: [] });
});

test('a review and an implementation follow from their events', async () => {
  const review = JSON.parse((await take('pull_request')).stdout);
  const issue = await shop.openIssue({ title: 'Three', body: 'Please.', author: 'rex' });
  shop.addLabel(issue.number, 'anode:implement', { actor: 'ada' });
  const taken = await take('issues');
  const implement = JSON.parse(taken.stdout);
  const core = ({
    decision,
    reason,
    plan,
  }: {
    decision: string;
    reason: string;
    plan: Record<string, unknown>;
  }) => ({
    ...{ decision, reason },
    ...{ verb: plan.verb, profile: plan.profile, push: plan.push, read_only: plan.read_only },
  });
  expect([core(review), core(implement), taken.methods]).toEqual([
    {
      decision: 'run',
      reason: `review on pull request ${pull}, by pull_request.opened of ada`,
      verb: 'review',
      profile: 'review',
      push: { kind: 'none', reason: '`review` only reads.' },
      read_only: true,
    },
    {
      decision: 'run',
      reason: `implement on issue ${issue.number}, by issues.labeled of ada`,
      verb: 'implement',
      profile: 'craft',
      push: {
        kind: 'new_branch',
        branch: expect.stringMatching(new RegExp(`^anode/issue-${issue.number}-`)),
        base: 'main',
        expected_sha: await shop.head('main'),
        closes: issue.number,
      },
      read_only: false,
    },
    ['GET'],
  ]);
});

test('text output has one line for the decision and one for each call', async () => {
  const { id } = shop.comment(pull, { author: 'ada', body: '@anode make it four' });
  const { code, stdout } = await take('issue_comment', ['--dry-run']);
  const lines = stdout.split('\n');
  expect([code, lines.length, lines[0], lines[1]]).toEqual([
    0,
    9,
    `run: task on pull request ${pull}, by issue_comment.created of ada`,
    `  POST /repos/acme/shop/issues/comments/${id}/reactions  (👀 on the comment)`,
  ]);
});

test('an invalid payload is reported with its file', async () => {
  const file = path.join(folder, 'wrong.json');
  const event = (payload: string) =>
    runProgram(cliProgram, ['event', '--name', 'issue_comment', '--payload', payload, '--dry-run'], {
      cwd: folder,
      environment: {
        HOME: folder,
        GITHUB_API_URL: github.apiUrl,
        GITHUB_TOKEN: github.createToken({ actor: 'ada' }),
      },
    });
  await writeFile(file, '{"action":');
  const broken = await event(file);
  await writeFile(file, '[]');
  const list = await event(file);
  const missing = await event(path.join(folder, 'none.json'));
  await writeFile(file, '{"action":"created"}');
  const empty = await event(file);
  const results = [broken, list, missing, empty].map(({ code, stdout, stderr }) => ({
    code,
    said: (stdout + stderr).replaceAll(folder, ''),
  }));
  expect(results).toEqual([
    { code: 2, said: '/wrong.json is not JSON: Unexpected end of JSON input.\n' },
    { code: 2, said: '/wrong.json is not a JSON object: it takes the payload as GitHub sends it.\n' },
    { code: 2, said: '/none.json cannot be read: there is no such file.\n' },
    { code: 0, said: 'ignore: issue_comment.created without repository, thread or sender\n' },
  ]);
});

test('an unreachable GitHub and an unknown token are reported with the setting', async () => {
  const file = path.join(folder, 'any.json');
  await writeFile(file, '{"action":"created"}');
  const event = (environment: Record<string, string>) =>
    runProgram(cliProgram, ['event', '--name', 'issue_comment', '--payload', file, '--dry-run'], {
      cwd: folder,
      environment: { HOME: folder, GITHUB_TOKEN: 'ghp_unknown', ...environment },
    });
  // A port that fetch refuses without a try, which saves the waits between tries.
  const nowhere = 'http://127.0.0.1:9';
  const results = await Promise.all([
    event({ GITHUB_API_URL: nowhere }),
    event({ GITHUB_API_URL: github.apiUrl }),
  ]);
  expect(results).toEqual([
    {
      code: 2,
      stdout: '',
      stderr: `GitHub cannot be reached at ${nowhere}: bad port. Check the network, or set GITHUB_API_URL to the address of your GitHub's API.\n`,
    },
    {
      code: 2,
      stdout: '',
      stderr: `GitHub at ${github.apiUrl} does not accept the token in GITHUB_TOKEN. Set one that is valid there.\n`,
    },
  ]);
});

/** Without what npm puts before it for a script: language servers among the packages of this project would be found. */
const systemPath = (process.env.PATH ?? '')
  .split(':')
  .filter((one) => !one.includes('node_modules'))
  .join(':');

test('doctor lists present and missing parts on one line each, with the remedy', async () => {
  const doctor = (environment: Record<string, string>) =>
    runProgram(cliProgram, ['doctor'], {
      cwd: folder,
      environment: { HOME: folder, PATH: systemPath, ...environment },
    });
  const without = await doctor({});
  const given = await doctor({ ANTHROPIC_API_KEY: 'canary-key' });
  const lines = (result: { stdout: string }) =>
    result.stdout
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes(' sandbox: '));
  const sandbox = (result: { stdout: string }) => /^(ok {5}|absent ) sandbox: \S/m.test(result.stdout);
  const common = [
    `ok      Node: ${process.version}.`,
    expect.stringMatching(/^ok +git: git version [\d.]+/),
    expect.anything(),
    'ok      other tools: none are named.',
    'absent  extras: monty_python_repl is absent: install @pydantic/monty where anode is installed. semantic_search is absent: tools.semanticSearch.model names no model for embeddings, such as ollama/nomic-embed-text.',
    "absent  App credentials: APP_ID is not set. Set it to the number on the App's settings page. Only `anode serve` needs them.",
  ];
  expect([without, given].map((one) => ({ ...one, stdout: lines(one), sandbox: sandbox(one) }))).toEqual([
    {
      code: 1,
      stderr: '',
      sandbox: true,
      stdout: common.with(
        2,
        'missing model: No model is set and no key was found. Set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, ZAI_API_KEY, ZAI_CODING_API_KEY; in a workflow the input anthropic_api_key or openai_api_key, whose secret may be empty or not available to this job), or a model as provider/model.',
      ),
    },
    {
      code: 0,
      stderr: '',
      sandbox: true,
      stdout: common.with(2, 'ok      model: anthropic/claude-sonnet-4-6; the key is set (not tried).'),
    },
  ]);
});

test('doctor reports an invalid configuration once, and when files of the checkout apply', async () => {
  const checkout = path.join(folder, 'doctored');
  await mkdir(path.join(checkout, '.github'), { recursive: true });
  await promisify(execFile)('git', ['init', '-q', checkout]);
  await writeFile(path.join(checkout, '.github/anode.yml'), 'tools: { disable: [] }\n');
  await writeFile(path.join(checkout, '.mcp.json'), '{"mcpServers":{}}');
  const doctor = async (...args: string[]) => {
    const environment = { HOME: folder, PATH: systemPath };
    const { stdout } = await runProgram(cliProgram, ['doctor', ...args], { cwd: checkout, environment });
    return stdout.split('\n').filter((line) => /configuration: |model: |other tools: /.test(line));
  };
  expect([await doctor(), await doctor('--config', '.github/anode.yml')]).toEqual([
    [
      expect.stringMatching(/^missing model: /),
      'ok      other tools: none are named. .github/anode.yml counts here with --config .github/anode.yml. .mcp.json counts with mcp.workspace: true or ANODE_WORKSPACE_MCP=1.',
    ],
    [
      'missing configuration: .github/anode.yml:1:10: unknown key tools.disable. Did you mean tools.disabled? Mend it: model and tools were not looked at.',
    ],
  ]);
});
