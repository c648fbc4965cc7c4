import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'red\n', '.github/anode.yml': 'triggers: { allowBots: ["renovate[bot]"] }\n' },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  for (const slug of ['dependabot', 'renovate']) job.github.addApp({ slug, permissions: {} });
  job.learn('look at it', () => ({ text: 'Seen.' }));
  await shop.openIssue({ title: 'Hello', author: 'ada' });
});
afterAll(() => job.close());

const bot = (login: string) =>
  `No run was started: ${login} is a bot. To let it start runs, name it with its \`[bot]\` in \`triggers.allowBots\` of the default branch's configuration, or in the input \`allowed_bots\`.`;

test.for([
  ['dependabot[bot]', bot('dependabot[bot]')],
  ['renovate[bot]', 'Seen.'],
  ['nobody-at-all', 'No run was started: GitHub knows no account nobody-at-all, which caused this event.'],
  ['rex', 'No run was started: rex has the permission "read" here; runs are for people who may write.'],
] as const)('a step with a prompt, caused by %s, says: %s', async ([actor, says]) => {
  const { code, stderr, outputs } = await job.run(shop, {
    ...{ event: 'issues', actor, inputs: { prompt: 'look at it' } },
  });
  expect({ code, stderr, says: outputs.final_message }).toEqual({ code: 0, stderr: '', says });
});
