import { expect, test } from 'vitest';
import { decideEvent } from '../../src/webhooks/decide-event.ts';
import { decideContext, github, latest, startDecideFixture, tick } from './decide-fixture.ts';

startDecideFixture();

test('a run uses the model from its comment, else from the workflow, and no file chooses one', async () => {
  const config = 'model: a/file\nmodels:\n  allow: [a/named]\n';
  const shop = await github.createRepository('acme/shop', { files: { '.github/anode.yml': config } });
  shop.setPermission('ada', 'write');
  await shop.openIssue({ title: 'Two', body: 'Make it two', author: 'ada' });
  const modelOf = async (words: string, overrides: { model?: string }) => {
    tick();
    shop.comment(1, { author: 'ada', body: `/anode ${words}` });
    const trigger = latest('issue_comment', 'created');
    const { plan } = await decideEvent(trigger, decideContext({ host: 'action', overrides }));
    return plan?.model;
  };
  expect([
    await modelOf('task model=a/named go', { model: 'a/input' }),
    await modelOf('task go', { model: 'a/input' }),
    await modelOf('task model=a/file go', {}),
    await modelOf('task go', {}),
  ]).toEqual(['a/named', 'a/input', 'a/file', null]);
});
