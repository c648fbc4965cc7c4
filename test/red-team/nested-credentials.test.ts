import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { allTextOf, call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;

/** Moves whatever lies above a token, or away from under it, and copies the rest. */
const move =
  'mv deep shallow; mv lib/.git lib/git; mv lib library; mv bare naked; mv ci cd; mv .git-credentials x; cp -a ci c; true\n';
/** Prints all that could hold a token, from the end. */
const show = 'find . -path ./.git -prune -o -type f -print | xargs cat | rev\n';

/** Where tokens lie in a checkout, as steps of a workflow leave them. */
const places = [
  ...['deep/er/and/deep/er/still/lib/.git/config', 'lib/.git/modules/sub/config', 'lib/.git/config.worktree'],
  ...['bare/config', '.git-credentials', 'ci/.netrc', 'gha-creds-0123456789abcdef.json'],
  ...['h/.docker/config.json', '.kube/config', '.config/gh/hosts.yml', '.gnupg/keys/a.key'],
];
const canary = (index: number) => `tok${index}-Zq8vB3nM5xK7`;

/** A checkout with a token in each place, and what a run of these calls was told. */
async function run(words: string, calls: readonly ScriptedCall[]) {
  const checkout = await local.checkout({
    'a.txt': 'a\n',
    'bare/HEAD': 'ref: refs/heads/main\n',
    'bare/objects/x': '',
    'move.sh': move,
    'show.sh': show,
  });
  for (const [index, place] of places.entries()) {
    mkdirSync(path.dirname(path.join(checkout, place)), { recursive: true });
    writeFileSync(path.join(checkout, place), `[credential]\n\tx = ${canary(index)}\n`);
  }
  local.learn(words, (turn) => {
    const next = calls[turn - 1];
    return next === undefined ? { text: 'Done.' } : { calls: [next] };
  });
  const { code } = await local.anode(checkout, [
    'run',
    '--prompt',
    words,
    '--sandbox',
    'required',
    '--max-turns',
    '60',
  ]);
  const said = allTextOf(local.requestsFor(words).at(-1) ?? ({ messages: [] } as never));
  return { code, checkout, said, seen: places.filter((_, index) => said.includes(canary(index))) };
}

const bash = (command: string) => call('bash', { command });
const session = (args: ScriptedCall['input']) => call('use_tool', { name: 'shell_session', args });
describe.skipIf(!available)('tokens in the checkout', () => {
  beforeAll(async () => {
    local = await startLocal();
  });
  afterAll(() => local.close());

  test('are empty for commands, even after their parent folders were moved', async () => {
    const show = bash('sh show.sh');
    const { code, said } = await run('move them', [show, bash('sh move.sh'), show]);
    const reversed = places.map((_, index) => [...canary(index)].reverse().join(''));
    expect({ code, seen: reversed.filter((one) => said.includes(one)), busy: said.includes('busy') }).toEqual(
      {
        code: 0,
        seen: [],
        busy: true,
      },
    );
  });

  test('cannot be swapped by a session to write outside the workspace', async () => {
    const outside = path.join(local.home, 'outside');
    mkdirSync(outside, { recursive: true });
    const places = ['/oldroot', ''].map((before) => `${before}${outside}`);
    const swap = places
      .map(
        (to) =>
          `ln -sfn ${to} out; mv -T ci gone 2>/dev/null && mv -T out ci; rm -f ci 2>/dev/null; mv -T gone ci 2>/dev/null`,
      )
      .join('; ');
    const calls = [
      session({ action: 'open', command: `while :; do ${swap}; done`, yield_ms: 200 }),
      ...Array.from({ length: 6 }, (_, index) => bash(`echo ${index}`)),
      session({ action: 'kill', session_id: 'session_1' }),
    ];
    const { code, checkout } = await run('swap them', calls);
    expect([code, readdirSync(outside), existsSync(path.join(checkout, 'ci/.netrc'))]).toEqual([0, [], true]);
  });

  test('are not mounted with a folder of programs next to them', async () => {
    const tokens = ['.docker/config.json', '.fly/config.yml', '.aws/credentials', '.unheard-of/auth.json'];
    const checkout = await local.checkout({ 'a.txt': 'a\n' });
    for (const file of tokens) {
      mkdirSync(path.join(local.home, path.dirname(file), 'bin'), { recursive: true });
      writeFileSync(path.join(local.home, file), canary(99));
      writeFileSync(path.join(local.home, path.dirname(file), 'bin/tool'), '#!/bin/sh\necho works\n', {
        mode: 0o755,
      });
    }
    const folders = tokens.map((file) => path.join(local.home, path.dirname(file), 'bin'));
    const words = 'look beside programs';
    const look =
      'for d in $(echo $PATH | tr : " "); do ls -a $d/.. | rev; cat $d/../*.json $d/../config* $d/../cred* | rev; done; tool';
    local.learn(words, (turn) => (turn === 1 ? { calls: [bash(look)] } : { text: 'Done.' }));
    const environment = { PATH: `${folders.join(':')}:${process.env.PATH}` };
    const { code } = await local.anode(checkout, ['run', '--prompt', words, '--sandbox', 'required'], {
      environment,
    });
    const [last] = local.requestsFor(words).slice(-1);
    const said = last === undefined ? '' : allTextOf(last);
    expect([code, said.includes([...canary(99)].reverse().join('')), said.includes('works')]).toEqual([
      0,
      false,
      true,
    ]);
  });
});
