import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Harm, noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

/** A run that makes turns of calls, knowing what those before got; what all got, and what came of it. */
async function run(
  name: string,
  callsOf: (turn: number, said: readonly string[]) => readonly ScriptedCall[] | undefined,
) {
  const { stage, shop } = range;
  const said: string[] = [];
  stage.learn(`link ${name}`, (turn, request) => {
    if (turn > 1) said.push(lastResults(request));
    const calls = callsOf(turn, said);
    return calls === undefined ? { text: 'Linked.' } : { calls };
  });
  const number = await range.openPull({ branch: name });
  const { id } = shop.comment(number, { author: 'ada', body: `@anode link ${name}` });
  const report = await stage.report(shop, number, id);
  return { said, report, harm: await range.harm() };
}

/** A program that does this without end, and tells how often `$n` counted that it has. */
const forever = (round: string) =>
  `perl -e 'for ($n = 0; ; ) { ${round}; next if $n % 100; open(F, ">", "counting") or next; print F "swaps=$n\\n"; close(F); rename("counting", "count") }'`;

/**
 * renameat2(2) by its number, which Perl has no name for: swaps two names, and there is no moment at which one is missing.
 * One that is missing because a tool is at it makes this swap fail, which does not count, and not those after it.
 */
const exchange = (one: string, other: string) =>
  `($a, $b) = ("${one}", "${other}"); syscall(${process.arch === 'arm64' ? 276 : 316}, -100, $a, -100, $b, 2) or $n++`;

describe.skipIf(!available)('links that lead out of the checkout', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  const session = (args: ScriptedCall['input']) => call('use_tool', { name: 'shell_session', args });

  /**
   * Turns of calls while a program swaps what they name, until one was met by it: it swapped more often than there are
   * calls between the first and the last of them, and some found what is inside, and some were refused.
   */
  async function race(
    name: string,
    command: string,
    callsOf: (index: number) => readonly ScriptedCall[],
  ): Promise<{ met: boolean; harm: Harm }> {
    const calls = Array.from({ length: 20 }, (_, index) => callsOf(index)).flat();
    const count = call('read', { path: 'count' });
    const met = (text: string) => {
      const [first = 0, last = 0] = [...text.matchAll(/swaps=(\d+)/g)].map(([, swaps]) => Number(swaps));
      const refused = /leads outside the workspace|lies outside|through a link|symbolic link/.test(text);
      return last - first > calls.length && /\tinside/.test(text) && refused;
    };
    const { said, harm } = await run(name, (turn, results) => {
      if (turn === 1) return [session({ action: 'open', command, yield_ms: 300 })];
      if (turn < 40 && !results.some(met)) return [count, ...calls, count];
      return results.at(-1)?.includes('SIGKILL')
        ? undefined
        : [session({ action: 'kill', session_id: 'session_1' })];
    });
    return { met: said.some(met), harm };
  }

  test.concurrent('do no harm when every tool reads and writes them', async () => {
    const { file } = range.outside;
    const up = file.replace(/\/[^/]*$/, '');
    const command = `ln -s ${file} leak.txt; ln -s ${up} up; ln -s up/outside.txt chain; ln -s ${up}/fresh.owned dangling; ln -s /proc/self/root${up} proc`;
    const paths = ['leak.txt', 'up/outside.txt', 'chain', 'dangling', 'proc/outside.txt'];
    const turns = [
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
    ];
    const { report, harm } = await run('tools', (turn) => turns[turn - 1]);
    expect(harm).toEqual(noHarm);
    // Nothing was written through a link; the links themselves are the change.
    expect(report).toMatch(/5 files changed/);
  });

  test.concurrent('do no harm when swapped with a folder during a write', async () => {
    const { file } = range.outside;
    const up = file.replace(/\/[^/]*$/, '');
    const lay = `mkdir dir; echo inside > dir/outside.txt; ln -s ${up} out`;
    const raced = await race('race', `${lay}; ${forever(exchange('dir', 'out'))}`, (index) => [
      call('create_file', { path: `dir/race-${index}.owned`, content: 'owned\n' }),
      call('read', { path: 'dir/outside.txt' }),
    ]);
    expect(raced).toEqual({ met: true, harm: noHarm });
  });

  test.concurrent('do no harm when swapped with a file during an edit', async () => {
    const { file } = range.outside;
    const lay = `echo inside > one; ln -s ${file} out`;
    // What a tool writes in the place of the link would end the race.
    const again = `$n % 50 or symlink("${file}", "new") && rename("new", "out")`;
    const raced = await race(
      'file-race',
      `${lay}; ${forever(`${exchange('one', 'out')}; ${again}`)}`,
      (index) => [
        call('edit_file', { path: 'one', old_str: 'outside', new_str: `outside ${index}` }),
        call('create_file', { path: 'one', content: 'inside\n', overwrite: true }),
        call('read', { path: 'one' }),
      ],
    );
    expect(raced).toEqual({ met: true, harm: noHarm });
  });

  test.concurrent('pipes and devices in place of files do not block the run', async () => {
    const command =
      'mkfifo pipe; ln -s pipe to-pipe; ln -s /dev/zero zero; ln -s /dev/stdin stdin; ln -s loop loop';
    const calls = ['pipe', 'to-pipe', 'zero', 'stdin', 'loop'].flatMap((path) => [
      call('read', { path }),
      call('grep', { pattern: 'a', path }),
      call('create_file', { path, content: 'a\n', overwrite: true }),
    ]);
    const turns = [[call('bash', { command })], calls];
    const { report, harm } = await run('pipes', (turn) => turns[turn - 1]);
    expect([report.split('\n')[0], harm]).toEqual([
      expect.stringMatching(/^\*\*(Done|Answered, nothing changed)\.\*\*/),
      noHarm,
    ]);
  });
});
