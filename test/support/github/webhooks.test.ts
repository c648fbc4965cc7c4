import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { verify } from '@octokit/webhooks-methods';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { samplePath, shop, startShop } from './shop.ts';

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;
let receiver: Server;
let received: { headers: Record<string, unknown>; body: string }[];
let url: string;
let status: number;

beforeEach(async () => {
  world = await startShop({ api });
  received = [];
  status = 202;
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
});

afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  receiver.closeAllConnections();
  receiver.close();
  expect(problems).toEqual([]);
});

const events = () => received.map(({ headers }) => headers['x-github-event']);

it('a comment is delivered signed, with a GUID and the installation', async () => {
  const { github, app, repository } = world;
  github.subscribe('anode', url);
  const { id } = repository.comment(2, { body: '@anode do it', author: 'ann' });
  await github.settled();
  const [delivery] = received;
  const payload = JSON.parse(delivery?.body ?? '');
  expect(
    await verify(app.webhookSecret, delivery?.body ?? '', String(delivery?.headers['x-hub-signature-256'])),
  ).toBe(true);
  expect({
    action: payload.action,
    comment: [payload.comment.id, payload.comment.body, payload.comment.user.login],
    issue: [payload.issue.number, payload.issue.pull_request.html_url],
    installation: payload.installation.id,
    sender: [payload.sender.login, payload.sender.type],
    guid: delivery?.headers['x-github-delivery'],
  }).toEqual({
    action: 'created',
    comment: [id, '@anode do it', 'ann'],
    issue: [2, `${repository.url}/pull/2`],
    installation: app.installationId,
    sender: ['ann', 'User'],
    guid: github.deliveries[0]?.guid,
  });
  expect(github.deliveries.map(({ event, status: answered, error }) => ({ event, answered, error }))).toEqual(
    [{ event: 'issue_comment', answered: 202, error: null }],
  );
});

it('Actions of people and apps are delivered in order, and every payload matches the description', async () => {
  const { github, repository, bot } = world;
  github.subscribe('anode', url);
  await repository.addLabel(1, 'anode:implement', { actor: 'ann' });
  await repository.edit(2, { title: 'Name a line' }, { actor: 'ann' });
  await repository.review(2, { author: 'bob', comments: [{ path: samplePath, line: 4, body: 'Hm' }] });
  await bot.issues.createComment({ ...shop, issue_number: 1, body: 'On it' });
  await repository.commit('fix', { files: { 'a.txt': 'a' }, message: 'More', author: 'ann' });
  await repository.convertToDraft(2, { actor: 'ann' });
  await repository.markReady(2, { actor: 'ann' });
  await repository.close(2, { actor: 'ann' });
  await github.settled();
  const actions = received.map(({ body }) => JSON.parse(body).action ?? null);
  expect(events().map((event, index) => [event, actions[index]])).toEqual([
    ['issues', 'labeled'],
    ['pull_request', 'edited'],
    ['pull_request_review', 'submitted'],
    ['pull_request_review_comment', 'created'],
    ['issue_comment', 'created'],
    ['push', null],
    ['pull_request', 'synchronize'],
    ['pull_request', 'converted_to_draft'],
    ['pull_request', 'ready_for_review'],
    ['pull_request', 'closed'],
  ]);
});

it('an app receives only its events from its repositories', async () => {
  const { github, repository } = world;
  github.addApp({ slug: 'narrow', permissions: {}, events: ['issues'], repositories: ['acme/other'] });
  const other = await github.createRepository('acme/other');
  github.subscribe('narrow', url);
  await repository.openIssue({ title: 'Not mine', author: 'ann' });
  await other.openIssue({ title: 'Mine', author: 'ann' });
  other.comment(1, { body: 'Not heard', author: 'ann' });
  await github.settled();
  expect(received.map(({ body }) => JSON.parse(body).issue.title)).toEqual(['Mine']);
});

it('a manual delivery may be unsigned, wrongly signed or invalid, and its failure is recorded', async () => {
  const { github } = world;
  const payload = { ...github.lastEventPayload('issues', 'opened') };
  await github.deliver(url, 'issues', payload);
  await github.deliver(url, 'issues', payload, { secret: 'wrong', guid: 'known', body: '{"not json' });
  status = 500;
  await github.deliver(url, 'issues', payload, { headers: { 'x-github-event': null } });
  const gone = await github.deliver('http://127.0.0.1:1/', 'issues', payload);
  expect(
    received.map(({ headers, body }) => [
      'x-hub-signature-256' in headers,
      headers['x-github-event'],
      headers['x-github-delivery'] === 'known',
      body === JSON.stringify(payload),
    ]),
  ).toEqual([
    [false, 'issues', false, true],
    [true, 'issues', true, false],
    [false, undefined, false, true],
  ]);
  expect([github.deliveries.map((delivery) => delivery.status), gone.error === null]).toEqual([
    [202, 202, 500, null],
    false,
  ]);
});
