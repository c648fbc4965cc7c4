import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall, ScriptedReply } from '../support/model/script.ts';
import { call } from '../uses/support/conversation.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

/** What GitHub takes as the body of a comment, in characters. */
const largestComment = 65_536;
/** More than any first message or result of a tool may come to, in bytes; what is attacked with is many times that. */
const much = 200_000;

/** A run with these calls and that end; how it ended, and whether all it sent stayed within bounds. */
async function run(
  name: string,
  calls: readonly ScriptedCall[],
  options: { say?: ScriptedReply; prepare?: (number: number) => void } = {},
) {
  const { stage, shop } = range;
  stage.learn(`handle ${name}`, (turn) =>
    turn === 1 && calls.length > 0 ? { calls } : (options.say ?? { text: 'Handled.' }),
  );
  const number = await range.openPull({ branch: name });
  options.prepare?.(number);
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: `@anode handle ${name}` });
  const report = await stage.report(shop, number, id);
  const largest = Math.max(
    ...shop
      .comments(number)
      .filter(({ author }) => author === stage.app.login)
      .map(({ body }) => body.length),
  );
  const asked = stage.requestsFor(`handle ${name}`).map(({ raw }) => Buffer.byteLength(JSON.stringify(raw)));
  return {
    end: /^\*\*\w+/.exec(report)?.[0],
    reportFits: largest <= largestComment,
    requestsFit: Math.max(...asked) < much,
    harm: await range.harm(),
  };
}

const bounded = {
  end: expect.stringMatching(/^\*\*(Done|Answered|Not)$/),
  reportFits: true,
  requestsFit: true,
  harm: noHarm,
};

describe.skipIf(!available)('a run stays within its limits despite', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  test.concurrent('forty comments of 64 KB', async () => {
    const body = `${'word '.repeat(13_000)}<!--`;
    const prepare = (number: number) => {
      for (let count = 0; count < 40; count += 1) range.shop.comment(number, { author: 'rex', body });
    };
    expect(await run('comments', [], { prepare })).toEqual(bounded);
  });

  test.concurrent('four thousand new files', async () => {
    const command =
      'mkdir many; cd many; for d in $(seq 40); do mkdir $d; done; for n in $(seq 4000); do : > $((n % 40 + 1))/$n; done; ls | wc -l';
    const calls = [
      call('bash', { command, timeout_ms: 60_000 }),
      call('glob', { pattern: '**/*' }),
      call('use_tool', { name: 'list_directory', args: { path: 'many', depth: 5, limit: 2000 } }),
    ];
    expect(await run('files', calls)).toEqual(bounded);
  });

  test.concurrent('a diff of three megabytes', async () => {
    const command =
      'for n in $(seq 30); do head -c 75000 /dev/urandom | base64 > big-$n.txt; done; git add -A; git diff --cached; true';
    expect(await run('diff', [call('bash', { command })])).toEqual(bounded);
  });

  test.concurrent('a line of two megabytes that every tool reads', async () => {
    const make = "head -c 2000000 /dev/zero | tr '\\0' a > line.txt; cat line.txt";
    const { stage } = range;
    const looks = [
      call('read', { path: 'line.txt' }),
      call('grep', { pattern: 'aaa', path: 'line.txt' }),
      call('grep', { pattern: '(a+)+$', path: 'line.txt', regex: true }),
      call('edit_file', { path: 'line.txt', old_str: 'aaa', new_str: 'b' }),
      call('bash', { command: 'rm line.txt' }),
    ];
    const calls = [call('bash', { command: make }), ...looks];
    expect(await run('line', calls)).toEqual(bounded);
    expect(stage.requestsFor('handle line')).toHaveLength(2);
  });

  test.concurrent('an edit of ten thousand lines in a file of equal lines', async () => {
    const part = 'x\n'.repeat(10_000);
    const patch = `*** Begin Patch\n*** Update File: lines.txt\n@@ x\n${' x\n'.repeat(10_000)}-y\n*** End Patch`;
    const calls = [
      call('bash', { command: 'yes x | head -100000 > lines.txt' }),
      call('read', { path: 'lines.txt', read_range: [1, 2] }),
      call('edit_file', { path: 'lines.txt', old_str: `${part}y`, new_str: 'z' }),
      call('apply_patch', { patch }),
      call('bash', { command: 'rm lines.txt' }),
    ];
    const result = await run('edits', calls);
    // The model is sent its own arguments again.
    expect({ ...result, requestsFit: true }).toEqual(bounded);
  });

  test.concurrent('arguments nested a hundred thousand deep', async () => {
    // With the shortest name there is, so that all of it fits the model, which is told of the rest only that it was too long.
    const deep = '{"":'.repeat(100_000);
    const calls = [
      { name: 'read', input: deep },
      { name: 'bash', input: `{"command":${'['.repeat(100_000)}` },
      { name: 'todo_write', input: `{"todos":${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
      call('read', { path: 'a/'.repeat(3_000) }),
      call('edit_file', { path: 'a/'.repeat(3_000), old_str: '', new_str: 'b' }),
      call('bash', { command: `echo ${'$('.repeat(5_000)}` }),
    ];
    const result = await run('deep', calls);
    expect({ ...result, requestsFit: true }).toEqual(bounded);
  });

  // By itself: reading it takes all of the machine for a while.
  test('endless output', async () => {
    const calls = ['yes endless', 'yes endless >&2', "tr '\\0' a </dev/zero"].map((command) =>
      call('bash', { command, timeout_ms: 500 }),
    );
    expect(await run('endless', calls)).toEqual(bounded);
  });

  test.concurrent('an answer of one megabyte with mentions and fences', async () => {
    const text = `Long\n\n${'@ada fixes #1 ```` <details> ![x](https://evil.example) '.repeat(18_000)}`;
    expect(await run('answer', [], { say: { text } })).toEqual(bounded);
  });
});
