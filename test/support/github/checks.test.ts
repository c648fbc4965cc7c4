import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { octokitFor, refusalOf, shop, startShop } from './shop.ts';
import type { Permissions } from './world.ts';

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  world = await startShop({ api });
});

afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

const annotations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: 'src/count.ts',
    start_line: index + 1,
    end_line: index + 1,
    annotation_level: 'warning' as const,
    message: `Remark ${index}`,
  }));

it('a check run is created, gets annotations in batches of fifty, and is completed', async () => {
  const { bot, pull } = world;
  const output = { title: 'Review', summary: 'Two remarks' };
  const { data } = await bot.checks.create({
    ...shop,
    name: 'anode',
    head_sha: pull.headSha,
    status: 'in_progress',
    output: { ...output, annotations: annotations(50) },
  });
  const update = { ...shop, check_run_id: data.id, output: { ...output, annotations: annotations(2) } };
  await bot.checks.update({ ...update, conclusion: 'neutral' });
  expect(world.repository.checkRuns()).toEqual([
    {
      id: data.id,
      name: 'anode',
      headSha: pull.headSha,
      app: 'anode',
      status: 'completed',
      conclusion: 'neutral',
      title: 'Review',
      summary: 'Two remarks',
      text: null,
      annotations: [...annotations(50), ...annotations(2)],
    },
  ]);
  const listed = await bot.checks.listForRef({ ...shop, ref: 'fix' });
  expect(
    listed.data.check_runs.map(({ id, pull_requests }) => [id, pull_requests.map(({ number }) => number)]),
  ).toEqual([[data.id, [2]]]);
});

it('more than fifty annotations in a request are refused', async () => {
  const output = { title: 'T', summary: 'S', annotations: annotations(51) };
  const call = world.bot.checks.create({ ...shop, name: 'anode', head_sha: world.pull.headSha, output });
  expect(await refusalOf(call)).toEqual({
    status: 422,
    message: 'Invalid request.',
    errors: ['body: /output/annotations must NOT have more than 50 items'],
  });
});

it('a completed check run needs a conclusion, which is checked before its commit', async () => {
  const call = world.bot.checks.create({
    ...shop,
    name: 'anode',
    head_sha: '1'.repeat(40),
    status: 'completed',
  } as unknown as Parameters<typeof world.bot.checks.create>[0]);
  expect(await refusalOf(call)).toEqual({
    status: 422,
    message:
      'Invalid request.\n\nNo subschema in "anyOf" matched.\n"conclusion" wasn\'t supplied.\ncompleted is not a member of ["queued", "in_progress"].',
  });
});

it('the commit of a check run or status must exist', async () => {
  const sha = '1'.repeat(40);
  const check = await refusalOf(world.bot.checks.create({ ...shop, name: 'anode', head_sha: sha }));
  const status = await refusalOf(world.bot.repos.createCommitStatus({ ...shop, sha, state: 'success' }));
  const message = `No commit found for SHA: ${sha}`;
  expect([check, status]).toEqual([
    { status: 422, message },
    { status: 422, message },
  ]);
});

it('only apps create check runs, and only the creator changes one', async () => {
  const { data } = await world.bot.checks.create({ ...shop, name: 'anode', head_sha: world.pull.headSha });
  const permissions = { checks: 'write' } as const;
  world.github.addApp({ slug: 'other', permissions });
  const other = octokitFor(world.github, world.github.createToken({ actor: 'other[bot]', permissions }));
  const byPerson = world.ann.checks.create({ ...shop, name: 'ann', head_sha: world.pull.headSha });
  const byOther = other.checks.update({ ...shop, check_run_id: data.id, name: 'mine' });
  expect([(await refusalOf(byPerson)).status, (await refusalOf(byOther)).status]).toEqual([403, 403]);
});

it('each pushed head has a suite of every app with permission to write checks (GitHub Docs, "REST API endpoints for check suites")', async () => {
  const { bot, pull, github, repository } = world;
  const { data } = await bot.checks.listSuitesForRef({ ...shop, ref: 'fix' });
  const sha = await repository.git('rev-parse', 'fix^');
  const older = await bot.checks.listSuitesForRef({ ...shop, ref: sha });
  const permissions = { contents: 'write' } as const;
  const weak = octokitFor(github, github.createToken({ actor: 'anode[bot]', permissions }));
  const refused = await refusalOf(weak.checks.listSuitesForRef({ ...shop, ref: 'fix' }));
  expect([
    data.check_suites.map(({ head_sha, app, status, created_at }) => [
      ...[head_sha, app?.slug, status, typeof created_at],
    ]),
    older.data.total_count,
    refused.status,
  ]).toEqual([[[pull.headSha, 'anode', 'queued', 'string']], 0, 403]);
});

it('the log of a job has a signed address, for apps with permission to read actions (GitHub Docs, "REST API endpoints for workflow jobs")', async () => {
  const { github, repository } = world;
  repository.logJob(7, 'not ok 1\n');
  const reader = (permissions: Permissions) =>
    octokitFor(github, github.createToken({ actor: 'anode[bot]', permissions }));
  const load = (octokit: ReturnType<typeof octokitFor>, job_id: number) =>
    octokit.actions.downloadJobLogsForWorkflowRun({ ...shop, job_id });
  const { data, url } = await load(reader({ actions: 'read' }), 7);
  const withToken = await fetch(url, { headers: { authorization: 'Bearer x' } });
  const refusals = [
    await refusalOf(load(reader({ actions: 'read' }), 8)),
    await refusalOf(load(reader({ contents: 'read' }), 7)),
  ];
  expect([
    Buffer.from(data as ArrayBuffer).toString(),
    withToken.status,
    refusals.map(({ status }) => status),
  ]).toEqual(['not ok 1\n', 400, [404, 403]]);
});

it('a status is set and read', async () => {
  const sha = world.pull.headSha;
  await world.bot.repos.createCommitStatus({
    ...shop,
    sha,
    state: 'success',
    context: 'anode',
    description: 'Done',
  });
  const listed = await world.bot.repos.listCommitStatusesForRef({ ...shop, ref: 'fix' });
  expect([
    world.repository.statuses(),
    listed.data.map(({ state, creator }) => [state, creator?.login]),
  ]).toEqual([
    [{ sha, state: 'success', context: 'anode', description: 'Done' }],
    [['success', 'anode[bot]']],
  ]);
});
