import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

/** Sends a body with the signature that belongs to it. */
async function send(body: string, event: string, id: string) {
  const { server, app } = range.stage;
  const signature = `sha256=${createHmac('sha256', app.webhookSecret).update(body).digest('hex')}`;
  const headers = {
    ...{ 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature },
    'content-type': 'application/json',
  };
  const answer = await fetch(`${server().url}/api/github/webhooks`, { method: 'POST', body, headers });
  return { status: answer.status, body: await answer.text() };
}

describe.skipIf(!available)('a signed body sent again by someone else', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  test.concurrent('starts no second run under other delivery ids or another event', async () => {
    const { stage, shop } = range;
    stage.learn('what is new', () => ({ text: 'A note.' }));
    stage.learn('what is last', () => ({ text: 'Nothing.' }));
    const number = await range.openPull({ branch: 'replayed' });
    const asked = shop.comment(number, { author: 'ada', body: '/anode ask what is new' });
    await stage.report(shop, number, asked.id);
    const came = stage.github.deliveries.find(
      ({ event, payload }) => event === 'issue_comment' && JSON.stringify(payload).includes('what is new'),
    );
    const body = JSON.stringify(came?.payload);
    const again = [
      await send(body, 'issue_comment', 'fresh-1'),
      await send(body, 'issue_comment', 'fresh-2'),
      await send(body, 'pull_request', 'fresh-3'),
    ];
    // The deliveries of a thread are handled in order.
    const last = shop.comment(number, { author: 'ada', body: '/anode ask what is last' });
    await stage.report(shop, number, last.id);
    expect([again.map(({ status }) => status), stage.requestsFor('what is new').length]).toEqual([
      [202, 202, 400],
      1,
    ]);
  });

  test.concurrent('of a deleted comment does not count as the removal of a repository or installation', async () => {
    const { stage, shop } = range;
    stage.learn('say so', () => ({ text: 'Said.' }));
    const number = await range.openPull({ branch: 'ended' });
    shop.deleteComment(shop.comment(number, { author: 'rex', body: 'never mind' }).id, { author: 'rex' });
    await stage.github.settled();
    const deleted = stage.github.lastEventPayload('issue_comment', 'deleted');
    const body = JSON.stringify({ ...deleted, installation: { id: stage.app.installationId } });
    const statuses = [
      (await send(body, 'repository', 'ended-1')).status,
      (await send(body, 'installation', 'ended-2')).status,
      (await send(body, '__proto__', 'ended-3')).status,
    ];
    // It has the right shape, and GitHub still knows the installation.
    const over = JSON.stringify(stage.github.installationPayload('anode-ci', 'deleted'));
    statuses.push((await send(over, 'installation', 'ended-4')).status);
    stage.passTime();
    const asked = shop.comment(number, { author: 'ada', body: '/anode ask say so' });
    const said = await stage.report(shop, number, asked.id);
    const log = stage.server().lines.filter((line) => /State was removed|"stack"/.test(line));
    expect([statuses, said.includes('Said.'), log]).toEqual([[400, 400, 400, 202], true, []]);
  });

  test.concurrent('is refused if it is empty', async () => {
    expect(await send('', 'issue_comment', 'empty')).toEqual({
      status: 400,
      body: '{"message":"The body is empty."}',
    });
  });
});
