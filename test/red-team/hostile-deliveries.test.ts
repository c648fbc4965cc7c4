import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Stage, startStage } from '../uses/support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;
let threads = 0;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

/** A pull request of a stranger with this description. */
async function openPull(body: string): Promise<number> {
  threads += 1;
  const head = `topic-${threads}`;
  await shop.commit(head, { files: { [`${head}.txt`]: 'one\n' }, message: head, author: 'rex' });
  return (await shop.openPullRequest({ title: head, head, body, author: 'rex' })).number;
}

/** The processor time of the App and of all that it started, in hundredths of a second. See proc_pid_stat(5), proc_tid_children(5). */
async function processorTime(): Promise<number> {
  const { pid } = stage.server();
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const times = [`${pid}`, ...children.trim().split(' ')].map(async (one) => {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
  });
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

const decided = () => stage.server().lines.filter((line) => line.includes('"decision":')).length;

/** The processor time that a stranger's comment and a run on their description take, which a model ends with such words. */
async function timeFor(task: string, texts: { comment: string; description: string; said: string }) {
  stage.learn(task, () => ({ text: texts.said }));
  const before = await processorTime();
  const number = await openPull(texts.description);
  const known = decided();
  shop.comment(number, { author: 'rex', body: `@anode ${texts.comment}` });
  await stage.server().untilLogged(() => decided() > known);
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: `@anode ${task}` });
  await stage.report(shop, number, id);
  return (await processorTime()) - before;
}

test('a stranger’s text takes less than five times the processor time of plain words', async () => {
  const words = (length: number) => 'word '.repeat(length / 5);
  const plain = await timeFor('look at words', {
    comment: words(8_000),
    description: words(60_000),
    said: words(60_000),
  });
  const hostile = await timeFor('look at signs', {
    comment: '*_x'.repeat(2_660),
    description: `data:${'a'.repeat(30_000)} ${'<x-y>'.repeat(3_000)}${'<?'.repeat(7_500)}`,
    said: '\\'.repeat(60_000),
  });
  expect(hostile / plain).toBeLessThan(5);
});

test('a comment with NUL and lone surrogates is handled like any other', async () => {
  const number = await openPull('Two odd \0 signs \ud800.');
  stage.learn('say hello', () => ({ text: 'Hello.' }));
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: '@anode say hello \0 to \udc00 me' });
  expect(await stage.report(shop, number, id)).toContain('Hello.');
});

/** A connection on which the beginning of a delivery was sent, whose signature is wrong. */
async function begin(length: number, body = ''): Promise<Socket> {
  const { hostname, port } = new URL(stage.server().url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(
    [
      'POST /api/github/webhooks HTTP/1.1',
      'Host: localhost',
      'X-GitHub-Event: issues',
      'X-GitHub-Delivery: guid',
      'X-Hub-Signature-256: sha256=wrong',
      `Content-Length: ${length}`,
      `\r\n${body}`,
    ].join('\r\n'),
  );
  return socket;
}

/** All that comes back until the other side ends it. */
async function answerOn(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  // A connection that is cut off while much of it is unread ends by an error, and then closes all the same.
  await new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  return text.split('\r\n')[0] ?? '';
}

test('a request with an invalid address is refused without internal details', async () => {
  const { hostname, port } = new URL(stage.server().url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const known = stage.server().lines.length;
  const answer = answerOn(socket);
  socket.write('GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect([await answer, stage.server().lines.slice(known)]).toEqual(['HTTP/1.1 400 Bad Request', []]);
});

test('a body that is declared too large is refused before it is sent', async () => {
  expect(await answerOn(await begin(26 * 1024 * 1024))).toBe('HTTP/1.1 413 Payload Too Large');
});

test('unfinished bodies use limited memory and connections, and no delivery is lost', async () => {
  const slow = await begin(100, 'a');
  const slowAnswer = answerOn(slow);
  const big: Socket[] = [];
  for (let count = 0; count < 6; count += 1) {
    big.push(await begin(25 * 1024 * 1024, 'a'.repeat(24 * 1024 * 1024)));
  }
  // The first of them are cut off without a word, for those that came later.
  const answers = big.map((socket) => answerOn(socket));
  expect(await answers[0]).toBe('');
  const number = await openPull('Honest.');
  stage.learn('say thanks', () => ({ text: 'Thanks.' }));
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: '@anode say thanks' });
  expect(await stage.report(shop, number, id)).toContain('Thanks.');
  expect([await slowAnswer, await answers[5]]).toEqual([
    expect.stringMatching(/^(?:HTTP\/1\.1 408 Request Timeout)?$/),
    'HTTP/1.1 408 Request Timeout',
  ]);
});
