import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { handleEvent } from '../../../src/pipeline/worker.ts';
import { latestEvent } from '../../support/latest-event.ts';
import {
  attempt,
  entryContext,
  github,
  login,
  newestComment,
  startWorkerEdges,
} from '../../support/worker-fixture.ts';

startWorkerEdges(({ messages }) => {
  const edit = { name: 'edit_file', input: { path: 'colour.txt', old_str: 'red', new_str: 'blue' } };
  return messages.length === 1 ? { calls: [edit] } : { text: 'It is blue.' };
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const pem = {
  own: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

/** Indents a text as a block of YAML. */
const block = (text: string) => text.trim().replaceAll('\n', '\n      ');
const demands = (lines: string) =>
  `review:\n  auto: false\nagentCommits:\n  publicKeys:\n    - |\n      ${block(pem.public)}\n${lines}`;

/** A pull request by bob on a repository with demands, and the worker with its rights. */
async function opened(
  name: string,
  config: string,
  { kind = 'check', key = pem.own }: { kind?: 'check' | 'status'; key?: string } = {},
) {
  const files = { 'colour.txt': 'red\n', '.github/anode.yml': config };
  const repository = await github.createRepository(name, { files });
  for (const writer of ['ada', 'bob', 'eve']) repository.setPermission(writer, 'write');
  await repository.commit('work', { files: { 'a.txt': 'one\n' }, message: 'One', author: 'bob' });
  const { number } = await repository.openPullRequest({ title: 'One', head: 'work', author: 'bob' });
  const context = entryContext();
  const right = kind === 'check' ? { checks: 'write' as const } : { statuses: 'write' as const };
  const token = async () => github.createToken({ actor: login, permissions: { metadata: 'read', ...right } });
  const environment = { ...context.environment, ANODE_SIGNING_KEY: key };
  const entry = { ...context, environment, checkRight: async () => ({ kind, token }) };
  const handle = async (event: string, action: string) =>
    handleEvent(latestEvent(github, event, action, null), attempt(1), entry);
  return {
    ...{ repository, number, handle },
    /** The newest check of each name on the head: state and title. */
    async checks() {
      const sha = await repository.head('work');
      const all = repository
        .checkRuns()
        .filter(({ name: of, headSha }) => of.startsWith('anode/') && headSha === sha)
        .map((one) => [one.name, one.conclusion ?? one.status, one.title] as const);
      return [...new Map(all.map((one) => [one[0], one])).values()];
    },
    async paint() {
      repository.comment(number, { author: 'ada', body: '@anode paint it' });
      await handleEvent(newestComment(null), attempt(1), entry);
      await handle('pull_request', 'synchronize');
    },
  };
}

test('a pull request without a commit of a run passes both checks', async () => {
  const { handle, checks } = await opened('acme/none', demands('  attested: true\n  approvals: 1\n'));
  await handle('pull_request', 'opened');
  await handle('pull_request', 'opened');
  expect(await checks()).toEqual([
    ['anode/provenance', 'success', 'No commit is by a run'],
    ['anode/approvals', 'success', 'No commit is by a run'],
  ]);
});

test('an attested commit passes, and waits for a person who did not ask for it', async () => {
  const { repository, number, handle, checks, paint } = await opened(
    'acme/asked',
    demands('  attested: true\n  approvals: 1\n'),
  );
  await paint();
  const waits = await checks();
  await repository.review(number, { author: 'ada', event: 'APPROVE' });
  await handle('pull_request_review', 'submitted');
  const byRequester = await checks();
  repository.setPermission('rex', 'read');
  await repository.review(number, { author: 'rex', event: 'APPROVE' });
  await handle('pull_request_review', 'submitted');
  const byReader = await checks();
  await repository.review(number, { author: 'eve', event: 'APPROVE' });
  await handle('pull_request_review', 'submitted');
  const byOther = await checks();
  await repository.review(number, { author: 'eve', event: 'REQUEST_CHANGES', body: 'No.' });
  await handle('pull_request_review', 'submitted');
  const attested = ['anode/provenance', 'success', '1 commit as attested'];
  const open = [attested, ['anode/approvals', 'in_progress', '0 of 1 approval']];
  expect([waits, byRequester, byReader, byOther, await checks()]).toEqual([
    ...[open, open, open],
    [attested, ['anode/approvals', 'success', 'Approved by eve']],
    open,
  ]);
  const [pending] = repository.checkRuns().filter(({ name }) => name === 'anode/approvals');
  expect(pending?.summary).toBe(
    `A run made 1 commit here, so 1 person must approve the head ${await repository.head('work')}. Bots do not count, nor ada, who asked for it.`,
  );
});

test('an approval counts for the approved head only', async () => {
  const { repository, number, handle, checks, paint } = await opened(
    'acme/moved',
    demands('  approvals: 1\n'),
  );
  await paint();
  await repository.review(number, { author: 'eve', event: 'APPROVE' });
  await handle('pull_request_review', 'submitted');
  const approved = await checks();
  await repository.commit('work', { files: { 'b.txt': 'two\n' }, message: 'Two', author: 'bob' });
  await handle('pull_request', 'synchronize');
  expect([approved, await checks()]).toEqual([
    [['anode/approvals', 'success', 'Approved by eve']],
    [['anode/approvals', 'in_progress', '0 of 1 approval']],
  ]);
});

test('a commit that names a run, and was not attested, fails', async () => {
  const { repository, handle, checks } = await opened('acme/claimed', demands('  attested: true\n'));
  const message = 'Two\n\nAnode-Run: run_claimed';
  await repository.commit('work', { files: { 'b.txt': 'two\n' }, message, author: 'bob' });
  await handle('pull_request', 'synchronize');
  const sha = await repository.head('work');
  const [check] = repository.checkRuns();
  expect([await checks(), check?.summary]).toEqual([
    [['anode/provenance', 'failure', '1 of 1 commit not as attested']],
    `- ${sha}: It has no attestation.\n\nSomebody changed or rebased these commits, or they were not attested when they were made. Ask for the change again, or let people take it over by commits of their own.`,
  ]);
});

test('a commit status stands in where check runs are not permitted', async () => {
  const { repository, handle } = await opened('acme/status', demands('  approvals: 1\n'), {
    kind: 'status',
  });
  await handle('pull_request', 'opened');
  await handle('pull_request', 'opened');
  const statuses = repository
    .statuses()
    .map(({ context, state, description }) => ({ context, state, description }));
  expect(statuses).toEqual([
    { context: 'anode/approvals', state: 'success', description: 'No commit is by a run' },
  ]);
});

test('nothing is read or reported without the setting', async () => {
  const { repository, handle } = await opened('acme/off', 'review:\n  auto: false\n');
  await handle('pull_request', 'opened');
  expect(repository.checkRuns()).toEqual([]);
});
