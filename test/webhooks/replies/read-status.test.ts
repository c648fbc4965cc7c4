import { beforeEach, expect, it } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { decideEvent } from '../../../src/webhooks/decide-event.ts';
import { saveEyes } from '../../../src/webhooks/records/record-eyes.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import {
  decideContext,
  github,
  latest,
  savedSession,
  startDecideFixture,
  store,
  tick,
} from '../decide-fixture.ts';

let shop: RepositoryHandle;
let head = '';
let repositories = 0;

startDecideFixture();

beforeEach(async () => {
  repositories += 1;
  shop = await github.createRepository(`acme/state${repositories}`, { files: { 'a.ts': 'one\n' } });
  shop.setPermission('ada', 'write');
  await shop.commit('topic', { files: { 'a.ts': 'two\n' }, message: 'Two', author: 'ada' });
  await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  head = (await shop.head('topic')) ?? '';
  tick();
});

const put = (key: string, value: unknown) => store.values.set(key, JSON.stringify(value));

async function ask(body: string, settings: Parameters<typeof decideContext>[0] = {}) {
  shop.comment(1, { author: 'ada', body });
  const { decision, reply, plan } = await decideEvent(
    latest('issue_comment', 'created'),
    decideContext(settings),
  );
  expect([decision, plan]).toEqual(['reply', null]);
  return reply.kind === 'comment' ? reply.body : reply.kind;
}

const plan = (hash: string, text: string, head_sha: string) => ({
  ...{ version: 1, run_id: 'run_p', hash, text, head_sha },
});
const call = (hash: string) => ({
  ...{ tool: 'bash', what: 'npm publish', reason: 'Asked.', hash, call_id: 'c', waits: true },
});
const hashes = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc', 'dddddddddddddddd'] as const;

it('the status of a new pull request says that nothing happened yet', async () => {
  expect(await ask('@anode status')).toBe(
    [
      '**Status of this pull request**',
      '',
      '- **Runs:** none works or waits.',
      '- **Findings:** none open.',
      `- **Reviewed:** not yet. The head is \`${head.slice(0, 7)}\`.`,
      '- **Cost so far:** $0.00 in 0 runs that ended.',
      '- **Waits for you:** nothing.',
    ].join('\n'),
  );
});

it('the status tells runs, findings, costs and what waits for a person', async () => {
  const comment = (id: number) => ({ id, kind: 'issue_comment' as const });
  const request = (id: number, text: string): Trigger =>
    ({
      kind: 'task',
      text,
      thread: { kind: 'pull_request', number: 1 },
      actor: { login: 'ada', id: 1, type: 'User' },
      comment: comment(id),
      repository: { owner: 'acme', name: 'shop' },
    }) as Trigger;
  await saveEyes(store, request(12, 'paint `it`'), 'guid-b');
  await saveEyes(store, request(11, 'wash it'), 'guid-a');
  await saveEyes(store, { ...request(13, 'elsewhere'), thread: { kind: 'issue', number: 2 } }, 'guid-c');
  shop.comment(1, { author: 'ada', body: '/anode task wash it' });
  const planned = (await decideEvent(latest('issue_comment', 'created'), decideContext())).plan as RunPlan;
  const open = { version: 1, run_url: null, body: null };
  put(stateKeys.open('run_a'), { ...open, plan: { ...planned, trigger_comment: comment(11) } });
  put(stateKeys.open('run_b'), { ...open, body: 'Done.', plan: planned });
  const session = savedSession({
    question: {
      call_id: 'c',
      question: { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] },
    },
  });
  put(stateKeys.waiting(1, 'run_0'), session);
  put(stateKeys.boxes('run_0'), { version: 1, comment_id: 5, url: 'https://q', text: '', boxes: [] });
  put(stateKeys.pendingRequest(1, hashes[0]), {
    ...{ version: 1, hash: hashes[0], head, request: { kind: 'fix', text: 'all', location: null } },
  });
  put(stateKeys.pendingRequest(1, hashes[1]), {
    ...{ version: 1, hash: hashes[1], head: 'older', request: { kind: 'fix', text: '', location: null } },
  });
  put(stateKeys.proposal(1, hashes[2]), plan(hashes[2], '1. Paint it.\n2. Dry it.', head));
  const found = (id: string, severity: string, state: string) => ({
    ...{ id, path: 'a.ts', side: 'RIGHT', line: 1, severity, category: 'bug', title: 'Wrong', anchor: '' },
    ...{ window: '', occurrence: 0, state, run_id: 'run_r' },
  });
  put(stateKeys.review(1), {
    ...{ version: 1, reviewed: { head: 'a'.repeat(40), base: 'b' } },
    findings: [
      found('1', 'low', 'open'),
      found('2', 'high', 'open'),
      found('3', 'low', 'open'),
      found('4', 'critical', 'fixed'),
    ],
  });
  put(stateKeys.summary(1), {
    ...{ version: 1, comment_id: 77, created_by: 'run_r', run_id: 'run_r', head: null, news: '', notes: '' },
    ...{ walkthrough: null, threads: {}, runs: [], footer: '' },
  });
  const account = (run_id: string, cost_usd: number | null) => ({
    ...{ v: 1, run_id, ended_at: '2026-01-02T03:04:05Z', repository: 'acme/shop', verb: 'task', cost_usd },
    ...{ profile: 'craft', model: 'm', conclusion: 'success', tokens: 5, duration_ms: 1, committed: false },
    result: null,
  });
  put(stateKeys.account(1, 'run_x'), account('run_x', 0.25));
  put(stateKeys.account(1, 'run_y'), account('run_y', null));
  put(stateKeys.account(2, 'run_z'), account('run_z', 9));
  const page = `${shop.url}/pull/1`;
  expect((await ask('/anode status')).replaceAll('https://github.test', new URL(shop.url).origin)).toBe(
    [
      '**Status of this pull request**',
      '',
      '- **Runs:** 1 at work, 1 waiting.',
      `  - \`task wash it\`, [as ada asked](${page}#issuecomment-11): works`,
      `  - \`task paint 'it'\`, [as ada asked](${page}#issuecomment-12): waits`,
      `- **Findings:** 3 open: 1 high, 2 low. [Summary](${page}#issuecomment-77)`,
      `- **Reviewed:** up to \`aaaaaaa\`. The head is \`${head.slice(0, 7)}\`.`,
      '- **Cost so far:** at least $0.25 in 2 runs that ended.',
      '- **Waits for you:**',
      '  - [A question](https://q): `Which?`',
      '  - A yes to this request: `fix all`',
      `  - The plan \`1. Paint it.\`: \`/anode approve ${hashes[2]}\` or \`/anode deny ${hashes[2]}\`.`,
    ].join('\n'),
  );
});

it('in a workflow, the comments of active runs are the runs', async () => {
  const own = (text: string) =>
    shop.comment(1, { author: 'anode-ci[bot]', body: `<!-- anode:progress v1 run=run_1 -->\n${text}` });
  const [works, waits] = [own('**Working on it.**\n\nTurn 1'), own('**Working on it.**\n\nWaits.')];
  own('**Done.** Nothing changed.');
  shop.comment(1, { author: 'anode-ci[bot]', body: '<!-- anode:report v1 run=run_2 -->\n**Done.**' });
  shop.comment(1, { author: 'ada', body: '<!-- anode:progress v1 run=run_3 -->\n' });
  const text = await ask('/anode status', { host: 'action' });
  const link = ({ id }: { id: number }) => `[a run](${shop.url}/pull/1#issuecomment-${id})`;
  expect(text.split('\n').slice(2, 5)).toEqual([
    '- **Runs:** 1 at work, 1 waiting.',
    `  - ${link(works)}: works`,
    `  - ${link(waits)}: waits`,
  ]);
});

it('`approve` and `deny` without a hash list what waits, and start nothing', async () => {
  const nothing = 'Nothing waits for approval on this thread.';
  expect([
    await ask('@anode approve'),
    await ask('@anode approve the plan, please!'),
    await ask('@anode reject'),
    await ask('/anode deny'),
  ]).toEqual([nothing, nothing, nothing, nothing]);
  put(stateKeys.waiting(1, 'run_0'), savedSession({ approval: call(hashes[0]), base_sha: head }));
  put(
    stateKeys.waiting(1, 'run_1'),
    savedSession({ run_id: 'run_1', approval: call(hashes[1]), base_sha: 'older' }),
  );
  put(stateKeys.proposal(1, hashes[2]), plan(hashes[2], 'Paint it.', head));
  put(stateKeys.proposal(1, hashes[3]), plan(hashes[3], 'Paint it.', 'older'));
  const list = [
    'This waits for approval. Copy a command into a comment of its own:',
    '',
    `- The call \`bash npm publish\`: has lapsed, since the head moved. \`/anode deny ${hashes[1]}\` lets its run go on without it.`,
    `- The call \`bash npm publish\`: \`/anode approve ${hashes[0]}\` or \`/anode deny ${hashes[0]}\`.`,
    `- The plan \`Paint it.\`: \`/anode approve ${hashes[2]}\` or \`/anode deny ${hashes[2]}\`.`,
    '',
    'An earlier plan has lapsed, since the head moved. `/anode plan` makes a new one.',
  ].join('\n');
  expect([await ask('@anode approve this'), await ask('/anode approve 1234')]).toEqual([
    list,
    `\`approve\` needs the hash in my comment: 16 digits and letters from a to f.\n\n${list}`,
  ]);
  put(stateKeys.approval(1, hashes[2]), { by: 'ada', verdict: 'deny' });
  expect(await ask('/anode approve')).not.toContain('Paint it.');
});
