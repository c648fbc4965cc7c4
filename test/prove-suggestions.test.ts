import { expect, test } from 'vitest';
import { handleEvent } from '../src/pipeline/worker.ts';
import { latestEvent } from './support/latest-event.ts';
import type { Script } from './support/model/script.ts';
import { attempt, entryContext, github, startWorkerEdges } from './support/worker-fixture.ts';

let found: readonly Record<string, string | number>[] = [];
const review: Script = ({ messages }) =>
  messages.length === 1
    ? { calls: [{ name: 'report_findings', input: { findings: found.map((one) => ({ ...one })) } }] }
    : { text: 'See the lines.' };
startWorkerEdges((request) => review(request));

const lines = (changed: Readonly<Record<number, string>>) =>
  `${Array.from({ length: 20 }, (_, index) => changed[index + 1] ?? `value ${index + 1}`).join('\n')}\n`;

const on = (line: number, suggestion: string) => ({
  ...{ path: 'a.txt', line, severity: 'high', category: 'correctness', body: 'Why.' },
  title: `About ${line}`,
  suggestion,
});

/** The comments of a review with those findings, where the base branch has that check. */
async function reviewed(
  name: string,
  verify: string,
  check: string,
  more = '',
): Promise<(string | undefined)[]> {
  const repository = await github.createRepository(name, {
    files: {
      'a.txt': lines({}),
      'check.sh': check,
      '.github/anode.yml': `review:\n  verify: ${verify}\n${more}`,
    },
  });
  repository.setPermission('ada', 'write');
  await repository.commit('work', {
    files: { 'a.txt': lines({ 5: 'five', 6: 'six' }) },
    message: 'Five',
    author: 'ada',
  });
  await repository.openPullRequest({ title: 'Five', head: 'work', author: 'ada' });
  await handleEvent(latestEvent(github, 'pull_request', 'opened', null), attempt(1), entryContext());
  return repository.reviewComments(1).map(({ body }) => body.split('Why.\n\n')[1]);
}

test('a suggestion is tried in the sandbox first, and one that fails the check is not offered', async () => {
  found = [on(5, 'FIVE'), on(6, 'BROKEN')];
  const check = 'echo touched >> a.txt; echo Error: all is bad >&2; ! grep -q BROKEN a.txt\n';
  expect(await reviewed('acme/tried', '{ command: sh check.sh, timeoutSeconds: 60 }', check)).toEqual([
    '```suggestion\nFIVE\n```\n\nTried: `sh check.sh` passes with it.',
    'A suggested change was tried and left out. `sh check.sh` fails with it.',
  ]);
});

test('a check that fails without changes proves nothing, so the suggestion is offered', async () => {
  found = [on(5, 'FIVE')];
  expect(await reviewed('acme/untried', 'sh check.sh', 'exit 1\n')).toEqual([
    '```suggestion\nFIVE\n```\n\nNot tried: `sh check.sh` fails without the change, too.',
  ]);
});

test('a check that a rule refuses does not run, and the comment says so', async () => {
  found = [on(5, 'FIVE')];
  const rules = 'permissions: { rules: [{ tool: bash, action: reject }] }\n';
  const [told] = await reviewed('acme/refused', 'sh check.sh', 'exit 0\n', rules);
  expect(told).toMatch(/^```suggestion\nFIVE\n```\n\nNot tried: The check may not run: /);
});
