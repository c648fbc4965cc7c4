import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { refusalOf, shop, startShop } from './shop.ts';

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  world = await startShop({ api });
});

afterEach(async () => {
  await world.github.close();
});

const say = (body: string) => world.ann.issues.createComment({ ...shop, issue_number: 1, body });
const reply = () => world.repository.comments(1).map(({ body }) => body);

it('a request fails the configured number of times, and then succeeds', async () => {
  world.github.failNext({ method: 'POST', path: /\/comments$/, status: 502, times: 2 });
  const statuses = [(await refusalOf(say('one'))).status, (await refusalOf(say('two'))).status];
  await say('three');
  expect([statuses, reply()]).toEqual([[502, 502], ['three']]);
});

it('a fault for one text does not affect other requests to the same path', async () => {
  world.github.failNext({ method: 'POST', path: /\/comments$/, body: /two/, status: 502 });
  await say('one');
  const refused = await refusalOf(say('two'));
  await say('two again');
  expect([refused.status, reply()]).toEqual([502, ['one', 'two again']]);
});

it('a connection can drop before or after the effect', async () => {
  world.github.failNext({ path: /\/comments$/, status: 'reset' });
  await expect(say('lost')).rejects.toThrow();
  world.github.failNext({ path: /\/comments$/, status: 'reset', after: true });
  await expect(say('kept')).rejects.toThrow();
  expect(reply()).toEqual(['kept']);
});

it('a secondary rate limit gives the time to retry', async () => {
  world.github.limitSecondary({ retryAfterSeconds: 7 });
  const error = await say('soon').catch((cause: unknown) => cause);
  expect(error).toMatchObject({ status: 403, response: { headers: { 'retry-after': '7' } } });
});

it('requests are logged with actor and result, and tests can wait for them', async () => {
  const seen: string[] = [];
  const stop = world.github.onRequest(({ method }) => seen.push(method));
  const waiting = world.github.waitFor(() => reply().includes('now'));
  await say('now');
  await waiting;
  stop();
  await refusalOf(world.bob.issues.addLabels({ ...shop, issue_number: 1, labels: ['x'] }));
  const path = '/repos/acme/shop/issues/1';
  const own = world.github.requests.map(({ at: _, ...rest }) => rest);
  expect([seen, own]).toEqual([
    ['POST'],
    [
      {
        kind: 'rest',
        method: 'POST',
        path: `${path}/comments`,
        query: {},
        body: { body: 'now' },
        status: 201,
        actor: 'ann',
      },
      {
        kind: 'rest',
        method: 'POST',
        path: `${path}/labels`,
        query: {},
        body: { labels: ['x'] },
        status: 403,
        actor: 'bob',
      },
    ],
  ]);
});

it('waiting for a request that never comes ends with a list of the last requests', async () => {
  await say('hello');
  await expect(world.github.waitFor(() => false, { timeoutMs: 20, what: 'A miracle' })).rejects.toThrow(
    'A miracle did not come true in 20 ms; last requests:\nPOST /repos/acme/shop/issues/1/comments 201',
  );
});
