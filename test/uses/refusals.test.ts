import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { GitHub } from '../support/github/start-github.ts';
import { type Stage, startStage } from './support/start-app.ts';
import { type Job, startJob } from './support/start-job.ts';

vi.setConfig({ testTimeout: 90_000 });

let stage: Stage;
let job: Job;
beforeAll(async () => {
  stage = await startStage();
  job = await startJob();
});
afterAll(async () => {
  await stage.close();
  await job.close();
});

const refusal = 'rex has read permission on this repository; starting a run needs write.';

/** A pull request in a repository that answers refused requests, with a command of rex. */
async function asked(
  github: GitHub,
  name = 'refusing',
  {
    isPrivate = false,
    triggers = 'triggers: { onRefusal: comment }\n',
  }: { readonly isPrivate?: boolean; readonly triggers?: string } = {},
) {
  const shop = await github.createRepository(`acme/${name}`, {
    private: isPrivate,
    files: {
      'a.txt': 'one\n',
      '.github/anode.yml': `sandbox: preferred\nreview: { auto: false }\n${triggers}`,
    },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  await shop.commit('topic', { files: { 'a.txt': 'two\n' }, message: 'Two', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  const { id } = shop.comment(number, { author: 'rex', body: '/anode fix, only a warning' });
  const answers = () => shop.comments(number).filter((one) => one.id > id);
  return { shop, answers, reactions: () => shop.reactions({ id }) };
}

test('the App tells a person without write permission why their command starts nothing', async () => {
  const { answers, reactions } = await asked(stage.github);
  await stage.until('an answer', () => answers().length > 0);
  await stage.github.settled();
  expect({
    answers: answers().map(({ author, body }) => [author, visible(body)]),
    reactions: reactions(),
    model: stage.requestsFor(''),
  }).toEqual({ answers: [[stage.app.login, refusal]], reactions: [], model: [] });
});

test('without a setting a refused command is answered in a private repository alone', async () => {
  const open = await asked(stage.github, 'public', { triggers: '' });
  const refusals = () => stage.server().lines.filter((line) => line.includes(refusal)).length;
  const before = refusals();
  await stage.server().untilLogged(() => refusals() > before);
  const invited = await asked(stage.github, 'private', { isPrivate: true, triggers: '' });
  await stage.until('an answer', () => invited.answers().length > 0);
  await stage.github.settled();
  const told = ({ answers, reactions }: typeof open) => [
    answers().map(({ body }) => visible(body)),
    reactions(),
  ];
  expect({ open: told(open), invited: told(invited), model: stage.requestsFor('') }).toEqual({
    ...{ open: [[], []], invited: [[refusal], []], model: [] },
  });
});

test('the Action tells them the same, and its step fails nobody', async () => {
  const { shop, answers, reactions } = await asked(job.github);
  const inputs = { state_dir: await job.stateFolder(), state_secret: 'a secret of the state of a workflow' };
  const step = await job.run(shop, { event: 'issue_comment', actor: 'rex', inputs });
  expect({
    code: step.code,
    conclusion: step.outputs.conclusion,
    answers: answers().map(({ author, body }) => [author, visible(body)]),
    reactions: reactions(),
    model: job.requestsFor(''),
  }).toEqual({
    ...{ code: 0, conclusion: 'refused', reactions: [], model: [] },
    answers: [['github-actions[bot]', refusal]],
  });
});
