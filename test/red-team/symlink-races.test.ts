import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../permissions/sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ testTimeout: 90_000, maxConcurrency: 4 });

let range: Range;

/** A run that makes these turns of calls; the results of the last turn, and what came of it. */
async function run(name: string, turns: readonly (readonly ScriptedCall[])[]) {
  const { stage, shop } = range;
  let results = '';
  stage.learn(`link ${name}`, (turn, request) => {
    results = lastResults(request);
    const calls = turns[turn - 1];
    return calls === undefined ? { text: 'Linked.' } : { calls };
  });
  const number = await range.openPull({ branch: name });
  const { id } = shop.comment(number, { author: 'ada', body: `@anode link ${name}` });
  const report = await stage.report(shop, number, id);
  return { results, report, harm: await range.harm() };
}

describe.skipIf(!available)('links that lead out of the checkout', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  const session = (args: ScriptedCall['input']) => call('use_tool', { name: 'shell_session', args });

  test.concurrent('read and written by every tool', async () => {
    const { file } = range.outside;
    const up = file.replace(/\/[^/]*$/, '');
    const command = `ln -s ${file} leak.txt; ln -s ${up} up; ln -s up/outside.txt chain; ln -s ${up}/fresh.owned dangling; ln -s /proc/self/root${up} proc`;
    const paths = ['leak.txt', 'up/outside.txt', 'chain', 'dangling', 'proc/outside.txt'];
    const { report, ...rest } = await run('tools', [
      [call('bash', { command })],
      [
        ...paths.flatMap((path) => [
          call('read', { path }),
          call('grep', { pattern: 'secret', path }),
          call('create_file', { path, content: 'owned\n', overwrite: true }),
          call('edit_file', { path, old_str: 'outside', new_str: 'owned' }),
        ]),
        call('glob', { pattern: '**/outside.txt', path: 'up' }),
        call('multi_read', { paths }),
      ],
    ]);
    expect(rest.harm).toEqual(noHarm);
    // Nothing was written through a link; the links themselves are the change.
    expect(report).toMatch(/5 files changed/);
  });

  test.concurrent('put in the place of a folder while a tool writes into it', async () => {
    const { file } = range.outside;
    const up = file.replace(/\/[^/]*$/, '');
    const command = `mkdir -p real; ln -s ${up} out; n=0; while [ $n -lt 200000 ]; do mv -T real dir; mv -T dir real; mv -T out dir; mv -T dir out; n=$((n+1)); done`;
    const calls = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? call('create_file', { path: `dir/race-${index}.owned`, content: 'owned\n' })
        : call('read', { path: 'dir/outside.txt' }),
    );
    const { harm } = await run('race', [
      [session({ action: 'open', command, yield_ms: 300 })],
      calls,
      calls,
      [session({ action: 'kill', session_id: 'session_1' })],
    ]);
    expect(harm).toEqual(noHarm);
  });

  test.concurrent('put in the place of a file while a tool edits it', async () => {
    const { file } = range.outside;
    const command = `echo outside > real; ln -s ${file} out; n=0; while [ $n -lt 200000 ]; do mv -T real one; mv -T one real; mv -T out one; mv -T one out; n=$((n+1)); done`;
    const calls = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? call('edit_file', { path: 'one', old_str: 'outside', new_str: `outside ${index}` })
        : call('read', { path: 'one' }),
    );
    const { harm } = await run('file-race', [
      [session({ action: 'open', command, yield_ms: 300 })],
      calls,
      calls,
      [session({ action: 'kill', session_id: 'session_1' })],
    ]);
    expect(harm).toEqual(noHarm);
  });

  test.concurrent('pipes and devices in the place of files, which never end', async () => {
    const command =
      'mkfifo pipe; ln -s pipe to-pipe; ln -s /dev/zero zero; ln -s /dev/stdin stdin; ln -s loop loop';
    const calls = ['pipe', 'to-pipe', 'zero', 'stdin', 'loop'].flatMap((path) => [
      call('read', { path }),
      call('grep', { pattern: 'a', path }),
      call('create_file', { path, content: 'a\n', overwrite: true }),
    ]);
    const { report, harm } = await run('pipes', [[call('bash', { command })], calls]);
    expect([report.split('\n')[0], harm]).toEqual([expect.stringMatching(/^\*\*Done\.\*\*/), noHarm]);
  });
});
