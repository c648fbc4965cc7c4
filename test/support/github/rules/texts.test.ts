import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadApi } from '../protocol/api.ts';
import { refusalOf, samplePath, shop, startShop } from '../shop.ts';

let world: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  world = await startShop({ api: loadApi(), limits: { statusesOfContext: 2, searchResults: 1 } });
});
afterAll(() => world.github.close());

/** The refusal of a request by the bot: status, first line of the message, and the errors. */
async function refused(route: string, fields: Record<string, unknown>) {
  const { status, message, errors } = await refusalOf(world.bot.request(route, fields));
  const list = Array.isArray(errors) ? (errors as unknown[]) : [];
  return [status, message.split('\n')[0], ...list];
}

const custom = (resource: string, field: string, message: string) => [
  422,
  'Validation Failed',
  { resource, field, code: 'custom', message },
];
const long = (resource: string, field: string, most: number) =>
  custom(resource, field, `${field} is too long (maximum is ${most} characters)`);

const labels = 'POST /repos/acme/shop/labels';
const onIssue = 'POST /repos/acme/shop/issues/1/labels';
const invalidLabel = (value: string) => [
  422,
  'Validation Failed',
  { value, resource: 'Label', field: 'name', code: 'invalid' },
];
const statuses = 'POST /repos/acme/shop/statuses/{sha}';
const search = 'GET /search/issues';
const over256 = {
  resource: 'Search',
  field: 'q',
  code: 'invalid',
  message: 'The search is longer than 256 characters.',
};
const operators = { ...over256, message: 'More than five AND / OR / NOT operators were used.' };

const annotation = (fields: Record<string, unknown>) => ({
  output: {
    title: 'T',
    summary: 'S',
    annotations: [
      {
        ...{ path: samplePath, start_line: 1, end_line: 1, annotation_level: 'notice', message: 'm' },
        ...fields,
      },
    ],
  },
});
const badAnnotation = (field: string, message: string) => [
  422,
  'Validation Failed',
  { resource: 'CheckRun', field: `annotations.${field}`, code: 'invalid', message },
];
const checks = 'POST /repos/acme/shop/check-runs';

describe.each<[page: string, rules: [rule: string, route: string, Record<string, unknown>, unknown[]][]]>([
  [
    'REST API endpoints for labels',
    [
      ['A label has at most 50 characters', labels, { name: 'x'.repeat(51) }, long('Label', 'name', 50)],
      [
        'A description has at most 100 characters',
        labels,
        { name: 'a', description: 'x'.repeat(101) },
        long('Label', 'description', 100),
      ],
      [
        'A colour is six hexadecimal digits',
        labels,
        { name: 'a', color: '#ff0000' },
        [422, 'Validation Failed', { resource: 'Label', field: 'color', code: 'invalid' }],
      ],
      [
        'A label that is put on a thread has at most 50 characters',
        onIssue,
        { labels: ['😀'.repeat(51)] },
        invalidLabel('😀'.repeat(51)),
      ],
      ['A label that is put on a thread has a name', onIssue, { labels: [' '] }, invalidLabel(' ')],
    ],
  ],
  [
    'REST API endpoints for commit statuses',
    [
      [
        'A description has at most 140 characters',
        statuses,
        { state: 'success', description: 'x'.repeat(141) },
        long('Status', 'description', 140),
      ],
      [
        'A context has at most 255 characters',
        statuses,
        { state: 'success', context: 'x'.repeat(256) },
        long('Status', 'context', 255),
      ],
      [
        'A target is an address of the web',
        statuses,
        { state: 'success', target_url: 'file:///etc/passwd' },
        custom('Status', 'target_url', 'target_url must use http(s) scheme'),
      ],
    ],
  ],
  [
    'REST API endpoints for check runs',
    [
      ['A name has at most 255 characters', checks, { name: 'x'.repeat(256) }, long('CheckRun', 'name', 255)],
      [
        'A title has at most 255 characters',
        checks,
        { output: { title: 'x'.repeat(256), summary: 'S' } },
        long('CheckRun', 'title', 255),
      ],
      [
        'Details are at an address of the web',
        checks,
        { details_url: 'ftp://example.com' },
        custom('CheckRun', 'details_url', 'details_url must use http(s) scheme'),
      ],
      [
        'An annotation ends where it starts or later',
        checks,
        annotation({ start_line: 2 }),
        badAnnotation('end_line', 'end_line must not be before start_line'),
      ],
      [
        'An annotation starts at line 1 or later',
        checks,
        annotation({ start_line: 0 }),
        badAnnotation('start_line', 'start_line must be greater than zero'),
      ],
      [
        'An annotation has columns on one line only',
        checks,
        annotation({ end_line: 2, start_column: 1 }),
        badAnnotation('start_column', 'columns can only be given on a single line'),
      ],
      [
        'An annotation has its columns in order',
        checks,
        annotation({ start_column: 3, end_column: 2 }),
        badAnnotation('end_column', 'end_column must not be before start_column'),
      ],
      [
        'An annotation has a message',
        checks,
        annotation({ message: ' ' }),
        badAnnotation('message', 'message cannot be blank'),
      ],
      [
        'The message of an annotation has at most 64 KB',
        checks,
        annotation({ message: 'ü'.repeat(32_769) }),
        badAnnotation('message', 'message is over 64 KB'),
      ],
      [
        'The details of an annotation have at most 64 KB',
        checks,
        annotation({ raw_details: 'ü'.repeat(32_769) }),
        badAnnotation('raw_details', 'raw_details is over 64 KB'),
      ],
      [
        'The title of an annotation has at most 255 characters',
        checks,
        annotation({ title: 'x'.repeat(256) }),
        badAnnotation('title', 'title is over 255 characters'),
      ],
      [
        'An annotation is on a path of the repository',
        checks,
        annotation({ path: `/${samplePath}` }),
        badAnnotation('path', 'path must be relative to the root'),
      ],
    ],
  ],
  [
    'REST API endpoints for search',
    [
      [
        'A search has at most 256 characters',
        search,
        { q: `repo:acme/shop ${'x'.repeat(242)}` },
        [422, 'Validation Failed', over256],
      ],
      [
        'A search has at most five operators',
        search,
        { q: 'a AND b OR c NOT d AND e OR f NOT g' },
        [422, 'Validation Failed', operators],
      ],
      [
        'A search gives its first results only',
        search,
        { q: 'repo:acme/shop', per_page: 1, page: 2 },
        [422, 'Only the first 1000 search results are available'],
      ],
      [
        'A search asks for something',
        search,
        { q: '' },
        [422, 'Validation Failed', { resource: 'Search', field: 'q', code: 'missing' }],
      ],
    ],
  ],
])('GitHub Docs, "%s"', (_, rules) => {
  it.each(rules)('%s.', async (_rule, route, fields, expected) => {
    const sha = world.pull.headSha;
    const needed: Record<string, object> = {
      [statuses]: { sha },
      [checks]: { name: 'anode', head_sha: sha },
    };
    expect(await refused(route, { ...needed[route], ...fields })).toEqual(expected);
  });
});

it('a commit and context have a maximum number of statuses (GitHub Docs, "REST API endpoints for commit statuses")', async () => {
  const set = () => world.bot.request(statuses, { sha: world.pull.headSha, state: 'success' });
  await set();
  await set();
  expect(await refusalOf(set())).toEqual({
    status: 422,
    message: 'Validation Failed',
    errors: [
      {
        resource: 'Status',
        code: 'custom',
        message: 'This SHA and context has reached the maximum number of statuses.',
      },
    ],
  });
});

it('a text of exactly the maximum length is accepted', async () => {
  const { bot, pull } = world;
  await bot.request(labels, { name: 'x'.repeat(50), description: 'x'.repeat(100), color: 'ffFF00' });
  await bot.request(onIssue, { labels: ['😀'.repeat(50)] });
  const status = { state: 'success', description: '😀'.repeat(140), context: 'x'.repeat(255) };
  await bot.request(statuses, { ...status, sha: pull.headSha });
  const fields = annotation({
    message: 'x'.repeat(65_536),
    title: 'x'.repeat(255),
    end_line: 1,
    start_column: 1,
  });
  await bot.request(checks, { name: 'x'.repeat(255), head_sha: pull.headSha, ...fields });
  const { data } = await bot.request(search, { q: `repo:acme/shop ${'x'.repeat(241)}` });
  expect(data.total_count).toBe(0);
});

describe('GitHub Docs, "REST API endpoints for issue assignees"', () => {
  const people = Array.from({ length: 12 }, (_, index) => `person-${index}`);

  it('a thread has at most ten assignees; further ones are silently dropped', async () => {
    for (const login of people) world.repository.setPermission(login, 'read');
    const { data } = await world.bot.issues.addAssignees({ ...shop, issue_number: 1, assignees: people });
    const made = await world.bot.issues.create({ ...shop, title: 'Many', assignees: people });
    const logins = (list: readonly { login: string }[] | null | undefined) => list?.map(({ login }) => login);
    expect([logins(data.assignees), logins(made.data.assignees)]).toEqual([
      people.slice(0, 10),
      people.slice(0, 10),
    ]);
  });

  it('only collaborators and participants of the thread can be assigned', async () => {
    world.github.addUser('stranger');
    const made = refusalOf(world.bot.issues.create({ ...shop, title: 'No', assignees: ['stranger'] }));
    const own = await world.repository.openIssue({ title: 'Mine', author: 'stranger' });
    const assign = (issue_number: number) =>
      world.bot.issues.addAssignees({ ...shop, issue_number, assignees: ['stranger'] });
    const other = await world.repository.openIssue({ title: 'Not mine', author: 'bob' });
    const counts = [await assign(own.number), await assign(other.number)].map(
      ({ data }) => data.assignees?.length,
    );
    expect([await made, counts]).toEqual([
      {
        status: 422,
        message: 'Validation Failed',
        errors: [{ value: 'stranger', resource: 'Issue', field: 'assignees', code: 'invalid' }],
      },
      [1, 0],
    ]);
  });

  it('labels and assignees from people without write access are silently dropped', async () => {
    const { data } = await world.bob.issues.create({
      ...shop,
      title: 'x',
      labels: ['y'],
      assignees: ['ann'],
    });
    expect([data.labels, data.assignees]).toEqual([[], []]);
  });
});

describe('GitHub Docs, "REST API endpoints for pull request review comments"', () => {
  const place = { ...shop, pull_number: 2, path: samplePath, body: 'Here' };
  const comment = (fields: Record<string, unknown>) =>
    refusalOf(
      world.bot.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
        ...place,
        commit_id: world.pull.headSha,
        ...fields,
      }),
    );
  const refusal = (error: string) => ({ status: 422, message: 'Unprocessable Entity', errors: [error] });

  it.each([
    [
      'A comment has a line or a position, not both',
      { line: 4, position: 4 },
      'Only one of line and position can be given',
    ],
    [
      'A comment on several lines names the side of its first',
      { start_line: 2, line: 4 },
      'Start side could not be resolved',
    ],
    [
      'A comment with the side of its first line has that line',
      { start_side: 'RIGHT', line: 4 },
      'Start line could not be resolved',
    ],
  ])('%s.', async (_, fields, error) => {
    expect(await comment(fields)).toEqual(refusal(error));
  });
});
