import { createHmac } from 'node:crypto';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../../src/app/app.ts';
import type { DeliveryExecutor } from '../../src/app/deliveries/app-context.ts';
import { actAtOnce } from '../../src/app/deliveries/at-once.ts';
import { bindDelivery } from '../../src/app/deliveries/bind-delivery.ts';
import { withPlans } from '../../src/app/deliveries/remote-context.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import type { IncomingEvent } from '../../src/contract/event.ts';
import { createLog } from '../../src/redaction/create-log.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';
import { copyDatabase } from '../support/shared/copy-database.ts';

let github: GitHub;
let app: RunningApp;
let credentials: ReturnType<GitHub['addApp']>;
const handled: IncomingEvent[] = [];
const lines: string[] = [];
const noHands: DeliveryExecutor = {
  handle: async () => {},
  actAtOnce: async () => {},
  close: async () => {},
};
/** What every run waits for. */
let running = Promise.resolve();
let wake = Promise.withResolvers<void>();
const log = createLog('info', { write: (line) => void lines.push(line) }, []);

/** A folder with a database in it that is copied for each start: making one anew takes seconds. */
const template = mkdtempSync(join(tmpdir(), 'anode-app-'));
function dataFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'anode-app-'));
  cpSync(template, directory, { recursive: true });
  return directory;
}

/** The environment of an App with these credentials. */
function environmentOf(fields: Record<string, string> = {}) {
  return readEnvironment({
    APP_ID: String(credentials.appId),
    PRIVATE_KEY: credentials.privateKey,
    WEBHOOK_SECRET: credentials.webhookSecret,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_SERVER_URL: github.url,
    ANODE_DATA_DIR: dataFolder(),
    PORT: '0',
    ...fields,
  });
}

beforeAll(async () => {
  await copyDatabase(template);
  github = await startGitHub();
  credentials = github.addApp({
    slug: 'anode-ci',
    permissions: { contents: 'write', issues: 'write', pull_requests: 'write' },
  });
  app = await startApp({
    environment: environmentOf(),
    log,
    executor: {
      ...noHands,
      async handle(event) {
        await running;
        handled.push(event);
        wake.resolve();
        wake = Promise.withResolvers();
      },
      async actAtOnce(event, context) {
        const bound = await bindDelivery(event, null, context);
        if (bound !== null) await actAtOnce(event, withPlans(bound), { environment: {}, operatorConfig: {} });
      },
    },
  });
});
afterAll(async () => {
  await app.close();
  await github.close();
});

/** Waits until a delivery was handled. */
async function handledDelivery(id: string): Promise<void> {
  while (!handled.some(({ delivery_id }) => delivery_id === id)) await wake.promise;
}

async function post(
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; message: unknown }> {
  const response = await fetch(`${app.url}/api/github/webhooks`, { method: 'POST', body, headers });
  const answer = (await response.json()) as { message: unknown };
  return { status: response.status, message: answer.message };
}
function signed(body: string, name: string, id: string, secret = credentials.webhookSecret) {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return post(body, { 'x-github-event': name, 'x-github-delivery': id, 'x-hub-signature-256': signature });
}

it('answers 401 to an unsigned delivery, logs it and queues nothing', async () => {
  const body = JSON.stringify({
    action: 'opened',
    pull_request: { number: 1 },
    repository: { name: 'shop' },
  });
  const answers = [
    await post(body, { 'x-github-event': 'pull_request', 'x-github-delivery': 'unsigned' }),
    await signed(body, 'pull_request', 'wrong', 'another secret'),
    await post(body, {
      'x-github-event': 'pull_request',
      'x-github-delivery': 'odd',
      'x-hub-signature-256': 'x',
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 401);
  expect(logged.map(({ delivery }) => delivery)).toEqual(['unsigned', 'wrong', 'odd']);
  await signed('{"action":"closed","pull_request":{"number":1}}', 'pull_request', 'after');
  await handledDelivery('after');
  expect(handled.map(({ delivery_id }) => delivery_id)).toEqual(['after']);
});

it('answers 400 to a signed body that is no delivery', async () => {
  expect([
    await signed('not json', 'pull_request', 'a'),
    await signed('[]', 'pull_request', 'b'),
    await signed('payload=%7B%7D', 'pull_request', 'c'),
    await signed('{}', '', 'd'),
    await signed('', 'pull_request', 'e'),
  ]).toEqual([
    ...Array.from({ length: 3 }, () => ({
      status: 400,
      message: 'The body is not a JSON object. Set the content type to application/json.',
    })),
    { status: 400, message: 'X-GitHub-Event or X-GitHub-Delivery is missing.' },
    { status: 400, message: 'The body is empty.' },
  ]);
});

it('accepts every example payload, and an unknown event, without a crash or a run', async () => {
  handled.length = 0;
  const statuses = new Set<number>();
  const send = async (wanted: (name: string) => boolean) => {
    for (const { name, examples: payloads } of examples.filter((one) => wanted(one.name))) {
      const answers = payloads.map((payload, index) =>
        signed(JSON.stringify(payload), name, `${name}-${index}`),
      );
      for (const { status } of await Promise.all(answers)) statuses.add(status);
    }
  };
  // These make an end of deliveries that wait.
  const ends = ['installation', 'installation_repositories', 'repository'];
  await send((name) => !ends.includes(name));
  statuses.add((await signed('{"action":"made_up"}', 'never_heard_of', 'unknown')).status);
  const queued = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Queued.');
  for (const { delivery } of queued.slice(1)) await handledDelivery(delivery);
  await send((name) => ends.includes(name));
  expect([...statuses]).toEqual([202]);
  const names = new Set(handled.map(({ name }) => name));
  expect([...names].sort()).toEqual([
    'issue_comment',
    'issues',
    'pull_request',
    'pull_request_review',
    'pull_request_review_comment',
  ]);
  expect(
    github.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/access_tokens')),
  ).toEqual([]);
});

it('answers and reacts with 👀 before the run, and handles a delivery once', async () => {
  const shop = await github.createRepository('acme/shop', { files: { 'a.ts': 'one\n' } });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  await shop.commit('topic', { files: { 'a.ts': 'two\n' }, message: 'Two', author: 'ada' });
  await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  const deliver = (id: string) => {
    const payload = {
      ...github.lastEventPayload('issue_comment'),
      installation: { id: credentials.installationId },
    };
    return signed(JSON.stringify(payload), 'issue_comment', id);
  };
  handled.length = 0;
  const run = Promise.withResolvers<void>();
  running = run.promise;
  const refused = shop.comment(1, { author: 'rex', body: '@anode fix it' });
  const statuses = [(await deliver('refused')).status];
  const helped = shop.comment(1, { author: 'ada', body: '/anode help' });
  statuses.push((await deliver('helped')).status);
  const wanted = shop.comment(1, { author: 'ada', body: '@anode fix it' });
  statuses.push((await deliver('wanted')).status, (await deliver('wanted')).status);
  await github.waitFor(() => shop.reactions(wanted).length > 0);
  expect(handled).toEqual([]);
  run.resolve();
  await signed(JSON.stringify(github.lastEventPayload('issue_comment')), 'issue_comment', 'end');
  await handledDelivery('end');
  expect(statuses).toEqual([202, 202, 202, 202]);
  expect(handled.map(({ delivery_id }) => delivery_id)).toEqual(['refused', 'helped', 'wanted', 'end']);
  expect([refused, helped, wanted].map((comment) => shop.reactions(comment))).toMatchObject([
    [],
    [],
    [{ content: 'eyes' }],
  ]);
});

it('answers the health check, and 404 to any other path', async () => {
  const answers = await Promise.all(
    ['/healthz', '/', '/api/github/webhooks'].map(async (path) => (await fetch(app.url + path)).status),
  );
  expect(answers).toEqual([200, 404, 404]);
});

it('refuses to start with credentials that GitHub rejects, or on a port in use', async () => {
  const start = (fields: Record<string, string>) =>
    startApp({ environment: environmentOf(fields), log, executor: noHands });
  await expect(start({ APP_ID: '1' })).rejects.toMatchObject({
    name: 'ConfigError',
    key: 'APP_ID',
    message: expect.stringContaining('GitHub does not know the App'),
  });
  await expect(start({ GITHUB_API_URL: 'http://127.0.0.1:9' })).rejects.toMatchObject({
    name: 'ConfigError',
    key: 'GITHUB_API_URL',
    message: expect.stringContaining('GitHub cannot be reached at http://127.0.0.1:9: bad port.'),
  });
  await expect(start({ WEBHOOK_SECRET: '' })).rejects.toMatchObject({
    name: 'ConfigError',
    key: 'WEBHOOK_SECRET',
  });
  await expect(start({ PORT: new URL(app.url).port })).rejects.toMatchObject({
    name: 'ConfigError',
    key: 'PORT',
  });
});

it('writes no secret to its log', () => {
  const out: string[] = [];
  const quiet = createLog('info', { write: (line) => void out.push(line) }, []);
  const request = { headers: { authorization: 'token s3cret' } };
  quiet.error({ err: Object.assign(new Error('failed'), { status: 500, request }), token: 's3cret' }, 'x');
  quiet.info({ environment: { privateKey: 's3cret', webhookSecret: 's3cret' } }, 'x');
  expect(out.map((line) => JSON.parse(line))).toMatchObject([
    { err: { name: 'Error', message: 'failed', status: 500 }, token: '[redacted]' },
    { environment: { privateKey: '[redacted]', webhookSecret: '[redacted]' } },
  ]);
  expect([...out, ...lines].join('')).not.toMatch(/s3cret|PRIVATE KEY/);
});
