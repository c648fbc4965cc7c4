import { expect, test } from 'vitest';
import { handleEvent } from '../src/pipeline/worker.ts';
import { latestEvent } from './support/latest-event.ts';
import type { Script } from './support/model/script.ts';
import { attempt, entryContext, github, login, model, startWorkerEdges } from './support/worker-fixture.ts';

const review: Script = ({ messages }) =>
  messages.length === 1
    ? {
        calls: [
          {
            name: 'report_findings',
            input: {
              findings: [
                {
                  path: 'a.txt',
                  line: 1,
                  severity: 'high',
                  category: 'bug',
                  title: 'Wrong',
                  body: 'Because.',
                },
              ],
            },
          },
        ],
      }
    : { text: 'See the line.' };
startWorkerEdges((request) => review(request));

const right = async () => ({
  kind: 'check' as const,
  token: async () => github.createToken({ actor: login, permissions: { checks: 'write' } }),
});
const ports = () => entryContext({ canAsk: true, checkRight: right });

async function scene(name: string, config = '{}') {
  const repository = await github.createRepository(name, {
    files: { 'a.txt': 'one\n', '.github/anode.yml': config },
  });
  repository.setPermission('ada', 'write');
  repository.setPermission('eve', 'read');
  await repository.commit('work', { files: { 'a.txt': 'two\n' }, message: 'Two', author: 'ada' });
  await repository.openPullRequest({ title: 'Two', head: 'work', author: 'ada' });
  const { kind } = await handleEvent(
    latestEvent(github, 'pull_request', 'opened', null),
    attempt(1),
    ports(),
  );
  return { repository, kind };
}

test('a review is a check run of its commit, and only permitted people can use its buttons', async () => {
  const { repository } = await scene('acme/checked', 'review: { requestChanges: true }');
  const [check] = repository.checkRuns();
  expect([check?.name, check?.conclusion, check?.title, check?.actions]).toEqual([
    ...['anode review', 'failure', '1 finding: 1 high'],
    ['retry', 'fix'],
  ]);
  const press = async (button: string | null, who: string) => {
    const before = model.requests.length;
    repository.pressCheck(check?.id ?? 0, button, who);
    const action = button === null ? 'rerequested' : 'requested_action';
    const handled = await handleEvent(latestEvent(github, 'check_run', action, null), attempt(1), ports());
    const verb = handled.kind === 'none' ? handled.decision.reason : handled.plan.verb;
    return [verb, model.requests.length > before];
  };
  const pressed = [
    await press('fix', 'eve'),
    await press('unknown', 'ada'),
    await press(null, 'ada'),
    await press('retry', 'ada'),
    await press('fix', 'ada'),
  ];
  expect(pressed.map(([verb, ran]) => [ran ? verb : 'nothing', ran])).toEqual([
    ['nothing', false],
    ['nothing', false],
    ['review', true],
    ['review', true],
    ['fix', true],
  ]);
  expect(repository.checkRuns().map(({ name, status }) => [name, status])).toEqual([
    ['anode review', 'completed'],
    ['anode review', 'completed'],
    ['anode review', 'completed'],
    ['anode fix', 'completed'],
  ]);
});

test('no check run is made if the configuration disables it', async () => {
  const { repository } = await scene('acme/unchecked', 'report: { checkRun: false }');
  expect(repository.checkRuns()).toEqual([]);
});
