import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import { call } from './support/conversation.ts';
import { projectRoot } from './support/run-program.ts';
import { startStage } from './support/start-app.ts';
import { type Local, startLocal } from './support/start-local.ts';

vi.setConfig({ testTimeout: 180_000 });

const preload = pathToFileURL(path.join(projectRoot, 'test/support/stray-error.ts')).href;
const environment = { NODE_OPTIONS: `--import=${preload}` };
const paint = call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' });
const defect = call('edit_file', { path: 'defect.txt', old_str: 'red', new_str: 'blue' });
const broke = (error: string) => ({
  kind: 'internal_error',
  message: `Anode CI itself failed: RangeError: ${error}. What the run did before is kept.`,
});

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('a run of the command line ends with its work so far after an uncaught error', async () => {
  const reached = Promise.withResolvers<void>();
  local.learn('paint it', (turn) => {
    if (turn === 1) return { text: 'Painting.', calls: [paint] };
    reached.resolve();
    return { fault: 'stall' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const args = ['run', '--model', 'anthropic/x', '--sandbox', 'off', '--output', 'stream-json'];
  const { child, ended } = local.start(folder, [...args, '--prompt', 'paint it'], { environment });
  await reached.promise;
  child.kill('SIGUSR2');
  const { code, stdout, stderr } = await ended;
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect({ code, last }).toEqual({
    code: 1,
    last: expect.objectContaining({
      ...{ type: 'run.finished', conclusion: 'failure', answer: 'Painting.' },
      stop: broke('a stray defect'),
    }),
  });
  expect(stderr).toContain('RangeError: a stray defect');
  expect(await local.git(folder, 'diff')).toContain('+blue');
});

test('a defect of a tool ends a run with its work so far, in each output format', async () => {
  local.learn('paint both', (turn) =>
    turn === 1 ? { text: 'Painting.', calls: [paint, defect] } : { text: 'Never said.' },
  );
  const files = { 'a.txt': 'red\n', 'defect.txt': 'red\n' };
  const run = async (output: string) => {
    const folder = await local.checkout(files);
    const words = ['run', '--model', 'anthropic/x', '--sandbox', 'off', '--output', output];
    return local.anode(folder, [...words, '--prompt', 'paint both'], { environment });
  };
  const [text, json, stream] = [await run('text'), await run('json'), await run('stream-json')];
  const report = JSON.parse(json.stdout);
  const last = JSON.parse(stream.stdout.trim().split('\n').at(-1) ?? '');
  const ended = {
    conclusion: 'failure',
    answer: 'Painting.',
    cost_usd: null,
    stop: broke('a defect of a tool'),
  };
  expect([text.code, json.code, stream.code]).toEqual([1, 1, 1]);
  expect(text.stdout).toMatch(
    /Painting\.\n\nStopped: .* a defect of a tool\..*modify a\.txt\n.*cost unknown/s,
  );
  expect(report).toMatchObject({
    ...ended,
    changes: [{ path: 'a.txt', kind: 'modify', diff: expect.stringContaining('+blue') }],
  });
  expect(last).toMatchObject({ type: 'run.finished', ...ended });
});

test('the App ends all its runs with their work so far, exits with 1, and repeats none after its restart', async () => {
  const stage = await startStage(environment);
  try {
    const files = { 'a.txt': 'red\n', '.github/anode.yml': 'sandbox: preferred\n' };
    const shop = await stage.github.createRepository('acme/shop', { files });
    shop.setPermission('ada', 'write');
    const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let working = 0;
    stage.learn('paint slowly', (turn) => {
      if (turn === 1) return { text: 'Painting.', calls: [paint] };
      reached[working]?.resolve();
      working += 1;
      return { fault: 'stall' };
    });
    const numbers: number[] = [];
    for (const title of ['One', 'Two']) {
      const { number } = await shop.openIssue({ title, author: 'ada' });
      shop.comment(number, { author: 'ada', body: '@anode paint slowly' });
      numbers.push(number);
    }
    await Promise.all(reached.map(({ promise }) => promise));
    const code = await stage.server().raise('SIGUSR2');
    const reported = () =>
      numbers.map((number) =>
        shop
          .comments(number)
          .flatMap(({ author, body }) => (author === stage.app.login ? [visible(body)] : [])),
      );
    const before = reported();
    const asked = stage.requestsFor('paint slowly').length;
    const report = expect.stringMatching(
      /^\*\*Failed\.\*\* Anode CI itself failed: RangeError: a stray defect\..*Painting\..*\+blue/s,
    );
    expect({ code, before, asked }).toEqual({ code: 1, before: [[report], [report]], asked: 4 });
    await stage.restart();
    stage.learn('say hello', () => ({ text: 'Hello.' }));
    for (const number of numbers) shop.comment(number, { author: 'ada', body: '@anode say hello' });
    await stage.until('two answers', () =>
      reported().every((bodies) => bodies.some((one) => one.includes('Hello.'))),
    );
    expect(reported().map((bodies) => bodies.slice(0, -1))).toEqual(before);
    expect(stage.requestsFor('paint slowly')).toHaveLength(asked);
  } finally {
    await stage.close();
  }
});
