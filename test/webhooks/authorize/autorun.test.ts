import { expect, it } from 'vitest';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import type { Autorun } from '../../../src/contract/thread-records.ts';
import { decideEvent } from '../../../src/webhooks/decide-event.ts';
import { decideContext, github, latest, startDecideFixture, store, tick } from '../decide-fixture.ts';

startDecideFixture();

const own = 'anode-ci[bot]';

it('starts the run of a handoff by our own label for the earlier requester, and nothing else', async () => {
  const shop = await github.createRepository('acme/relay', {
    files: { '.github/anode.yml': 'handoff:\n  autorun: true\n' },
  });
  shop.setPermission('ada', 'write');
  const { id } = github.addUser('ada');
  const eve = github.addUser('eve');
  await shop.openIssue({ title: 'Go on', body: 'Add three', author: own });
  const decide = async (record: Partial<Autorun> | null, settings = {}) => {
    tick();
    const key = stateKeys.autorun(1);
    const whole = { run_id: 'run_0', requester: { login: 'ada', id, type: 'User' }, depth: 2, ...record };
    if (record === null) await store.delete(key);
    else await store.set(key, JSON.stringify(whole));
    const { decision, reason, plan } = await decideEvent(
      latest('issues', 'labeled'),
      decideContext(settings),
    );
    return plan === null
      ? `${decision}: ${reason}`
      : [plan.verb, plan.requester.login, plan.autorun_depth, plan.read_only];
  };
  await shop.addLabel(1, 'anode:implement', { actor: own });
  expect([
    await decide({}),
    await decide(null),
    await decide({ requester: { login: 'eve', id: eve.id, type: 'User' } }),
    await decide({}, { overrides: { handoff: { autorun: false } } }),
  ]).toEqual([
    ['implement', 'ada', 2, false],
    'ignore: it is our own doing',
    expect.stringMatching(/^refuse: eve /),
    'ignore: it is our own doing',
  ]);
});
