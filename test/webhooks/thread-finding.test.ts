import { beforeAll, expect, it } from 'vitest';
import { stateKeys } from '../../src/contract/state-keys.ts';
import { decideEvent } from '../../src/webhooks/decide-event.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { decideContext, github, latest, startDecideFixture, store, tick } from './decide-fixture.ts';

startDecideFixture();
let shop: RepositoryHandle;
let roots: { readonly ours: number; readonly suggestion: number; readonly forged: number };

const finding = '<!-- anode:finding v1 fp=abc123 severity=high category=logic path=a.ts line=1 -->\n**high**';

beforeAll(async () => {
  shop = await github.createRepository('acme/threads', { files: { 'a.ts': 'one\n' } });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  await shop.commit('topic', { files: { 'a.ts': 'two\n' }, message: 'Two', author: 'ada' });
  await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  const add = async (author: string, body: string) => {
    await shop.review(1, { author, comments: [{ path: 'a.ts', line: 1, side: 'RIGHT', body }] });
    return shop.reviewComments(1).at(-1)?.id ?? 0;
  };
  roots = {
    ours: await add('anode-ci[bot]', finding),
    suggestion: await add('anode-ci[bot]', '<!-- anode:finding v1 fp=abc123 -->\nA change'),
    forged: await add('ada', finding),
  };
});

async function reply(root: number, body: string, author = 'ada') {
  tick();
  shop.replyToReviewComment(root, { author, body });
  const decided = await decideEvent(latest('pull_request_review_comment', 'created'), decideContext());
  return { ...decided, finding: decided.plan?.finding };
}

const saveRecord = (id: string) =>
  store.set(
    stateKeys.review(1),
    JSON.stringify({
      version: 1,
      reviewed: null,
      findings: [
        {
          ...{ id, path: 'a.ts', side: 'RIGHT', line: 1, severity: 'high', category: 'logic', title: 'T' },
          ...{ anchor: 'two', window: 'w', occurrence: 0, state: 'open', run_id: 'run_0' },
        },
      ],
    }),
  );

it("a request in a finding's thread has the finding in its plan, if it is known", async () => {
  const of = async (root: number, body = '@anode fix this') => (await reply(root, body)).finding;
  expect([await of(roots.ours), await of(roots.suggestion), await of(roots.forged)]).toEqual([
    { id: 'abc123' },
    undefined,
    undefined,
  ]);
  await saveRecord('abc123');
  expect([await of(roots.ours, '/anode fix'), await of(roots.ours, '/anode review')]).toEqual([
    { id: 'abc123' },
    undefined,
  ]);
  await saveRecord('other');
  expect(await of(roots.ours)).toBe(undefined);
});

it("a writer's answer can dismiss a finding of ours, and any other is ignored", async () => {
  const decided = async (...of: Parameters<typeof reply>) => {
    const { decision, act, trigger, reply: said } = await reply(...of);
    return [decision, act?.kind, trigger?.dismisses?.id, trigger?.text, said.kind];
  };
  const words = 'False positive, because it is checked above.';
  const dismissed = (text: string) => ['act', 'dismiss', 'abc123', text, 'none'];
  expect([
    await decided(roots.ours, words),
    await decided(roots.ours, '@anode wontfix'),
    await decided(roots.ours, '@anode-ci by design'),
    await decided(roots.ours, '@anode dismiss 3fa2b1c by design'),
    await decided(roots.ours, words, 'rex'),
    await decided(roots.ours, 'False positive?'),
    await decided(roots.ours, 'Is that really so?'),
    await decided(roots.forged, words),
  ]).toEqual([
    dismissed(words),
    dismissed('wontfix'),
    dismissed('by design'),
    // The id names another finding than that of the thread.
    ['act', 'dismiss', undefined, '3fa2b1c by design', 'none'],
    ['ignore', undefined, 'abc123', words, 'none'],
    ...Array(3).fill(['ignore', undefined, undefined, undefined, 'none']),
  ]);
});
