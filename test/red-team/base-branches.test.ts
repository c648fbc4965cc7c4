import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

const guard = (code: number) => `#!/bin/sh\necho "guarded by main" >&2\nexit ${code}\n`;
const hooked = 'hooks: { before: [{ name: guard, tool: create_file, run: ci/guard.sh }] }\n';
const main = `review: { auto: false }\nsandbox: required\ntrustedBranches: ['release/*']\n${hooked}`;
/** A branch of another time, under which everything may be done. */
const open = {
  '.github/anode.yml': `review: { auto: false }\npermissions: { preset: unrestricted }\nprotected: { allow: ['**'] }\n`,
  'AGENTS.md': 'RULES-OF-THE-BASE\n',
  'ci/guard.sh': guard(0),
};

let range: Range;

/** A pull request by `rex` into a base branch of their choice; what the run on it read, and what became of its calls. */
async function into(base: string) {
  const { stage, shop } = range;
  const topic = `topic-${base.replaceAll('/', '-')}`;
  await shop.commit(base, { files: open, message: 'Old', author: 'ada' });
  await shop.commit(topic, { files: { ...open, 'note.txt': 'a\n' }, message: 'Topic', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: topic, head: topic, base, author: 'rex' });
  const task = `work on ${topic}.`;
  const calls = [
    call('create_file', { path: 'new.txt', content: 'a\n' }),
    call('edit_file', { path: 'AGENTS.md', old_str: 'RULES', new_str: 'ORDERS' }),
  ];
  stage.learn(task, (turn) => (turn === 1 ? { calls } : { text: 'I worked.' }));
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: `@anode ${task}` });
  await stage.report(shop, number, id);
  const [first, ...later] = stage.requestsFor(task);
  const results = later.map(lastResults).join('\n');
  // Those that run beside it do harm of their own.
  const harm = await range.harm();
  return {
    // The diff may quote rules: it stands in a fence.
    rules: (first === undefined ? '' : allTextOf(first)).replaceAll(fence, '').match(/RULES-OF-\w+-\w+/g),
    guarded: results.includes('guarded by main'),
    protected: results.includes('is protected, because'),
    written: await shop.git('show', `${topic}:new.txt`).catch(() => null),
    harm: { ...harm, protected: harm.protected.filter((name) => name.includes(topic)) },
  };
}

const fence = /<untrusted [\s\S]*?<\/untrusted>/g;

describe.skipIf(!available)('a pull request into a base branch that its author chose', () => {
  beforeAll(async () => {
    range = await startRange({
      ...{ '.github/anode.yml': main, 'AGENTS.md': 'RULES-OF-THE-MAIN\n', 'ci/guard.sh': guard(2) },
    });
  });
  afterAll(() => range.close());

  const held = {
    ...{ rules: ['RULES-OF-THE-MAIN'], guarded: true, protected: true },
    ...{ written: null, harm: noHarm },
  };

  test.concurrent('is not governed by a stale branch whose policy allows everything', async () => {
    expect(await into('stale')).toEqual(held);
  });

  test.concurrent('is not governed by a branch whose name only ends like a trusted one', async () => {
    expect(await into('my-release/1')).toEqual(held);
  });

  test.concurrent('is governed by a base branch that the default branch trusts, which affects nothing else', async () => {
    expect(await into('release/1')).toMatchObject({
      ...{ rules: ['RULES-OF-THE-BASE'], guarded: false, protected: false, written: 'a' },
      harm: { mainMoved: false, leaked: false, calls: 0 },
    });
  });
});
