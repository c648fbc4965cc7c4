import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

const guard = 'ci/guard.sh';
const hooked = [
  'review: { auto: false }',
  'sandbox: required',
  'permissions:',
  '  preset: unrestricted',
  '  rules: [{ tool: grep, action: delegate, to: ci/guard.sh }]',
  `hooks: { before: [{ name: guard, tool: bash, run: ${guard} }] }`,
].join('\n');
const files = {
  '.github/anode.yml': hooked,
  [guard]: '#!/bin/sh\nif grep -q OWNED; then echo "guarded by the base" >&2; exit 2; fi\n',
};
const guarded = 'guarded by the base';

/** What the forbidden calls come to, one asked of a hook and one of a delegate. */
const forbidden = [call('bash', { command: 'echo OWNED' }), call('grep', { pattern: 'OWNED' })];

/** The results of calls, turn by turn, in a run on the branch of a pull request. */
async function attack(name: string, number: number, turns: readonly (readonly ScriptedCall[])[]) {
  const { stage, shop } = range;
  const results: string[] = [];
  stage.learn(`look at ${name}`, (turn, request) => {
    if (turn > 1) results.push(lastResults(request));
    const calls = turns[turn - 1];
    return calls === undefined ? { text: 'I looked.' } : { calls };
  });
  const { id } = shop.comment(number, { author: 'ada', body: `@anode look at ${name}` });
  await stage.report(shop, number, id);
  return { held: results.at(-1)?.split(guarded).length, results, harm: await range.harm() };
}

/** A pull request of a fork whose head is the base with these files; null takes one away. */
async function fromFork(name: string, changed: Readonly<Record<string, string | null>>) {
  const fork = await range.shop.fork(`${name}-rex`);
  const author = `${name}-rex`;
  await fork.commit(name, { files: { 'mine.txt': 'a\n', ...changed }, message: 'Mine', author });
  const pull = await range.shop.openPullRequest({ title: name, head: name, headRepository: fork, author });
  range.stage.passTime();
  return attack(name, pull.number, [forbidden]);
}

const held = { held: 3, harm: noHarm };

describe.skipIf(!available)('hooks and delegates of the base branch', () => {
  beforeAll(async () => {
    range = await startRange(files);
  });
  afterAll(() => range.close());

  test.concurrent('cannot be replaced by a fork', async () => {
    expect(await fromFork('other', { [guard]: '#!/bin/sh\nexit 0\n' })).toMatchObject(held);
  });

  test.concurrent('cannot be deleted by a fork', async () => {
    expect(await fromFork('gone', { [guard]: null })).toMatchObject(held);
  });

  test.concurrent('cannot be omitted or replaced in the configuration of a fork', async () => {
    const config = 'hooks: { before: [{ tool: "*", run: "true" }], after: [] }\npermissions: { rules: [] }\n';
    expect(await fromFork('renamed', { '.github/anode.yml': config })).toMatchObject(held);
  });

  test.concurrent('cannot be overwritten, removed or hidden by the model in its checkout', async () => {
    const number = await range.openPull({ branch: 'hide' });
    const free = '#!/bin/sh\nexit 0\n';
    const command = `printf '%s' '${free}' > ci/new; chmod +x ci/new; rm -rf ci/guard.sh; ln -s /bin/true ci/guard.sh; git add -A; git -c user.name=x -c user.email=x@x commit -qm x; mkdir -p ~/bin /tmp/ci; cp ci/new /tmp/ci/guard.sh; echo done`;
    const { results, ...rest } = await attack('hide', number, [
      [call('create_file', { path: guard, content: free, overwrite: true }), call('bash', { command })],
      forbidden,
    ]);
    expect(results[0]).toContain('done');
    expect(rest).toEqual(held);
  });
});
