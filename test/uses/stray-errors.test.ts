import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call } from './support/conversation.ts';
import { projectRoot } from './support/run-program.ts';
import { type Local, startLocal } from './support/start-local.ts';

vi.setConfig({ testTimeout: 180_000 });

const preload = pathToFileURL(path.join(projectRoot, 'test/support/stray-error.ts')).href;
const environment = { NODE_OPTIONS: `--import=${preload}` };
const paint = call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' });

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('a run of the command line ends with what it did at an error that nothing caught', async () => {
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
      stop: {
        kind: 'internal_error',
        message: 'Anode CI itself failed: RangeError: a stray defect. What the run did before is kept.',
      },
    }),
  });
  expect(stderr).toContain('RangeError: a stray defect');
  expect(await local.git(folder, 'diff')).toContain('+blue');
});
