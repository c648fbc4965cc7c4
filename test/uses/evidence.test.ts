import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appPermissions } from '../support/app-process.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { cliProgram } from '../support/program-files.ts';
import { call } from './support/conversation.ts';
import { runProgram } from './support/run-program.ts';
import { type Stage, startStage } from './support/start-app.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
const metricsToken = 'canary-token-for-metrics';
const demands = `review: { auto: false }
agentCommits:
  attested: true
  approvals: 2
  publicKeys:
    - |
      ${publicPem.replaceAll('\n', '\n      ')}
`;

let stage: Stage;
beforeAll(async () => {
  const environment = { ANODE_SIGNING_KEY: signingKey, ANODE_METRICS_TOKEN: metricsToken };
  stage = await startStage(environment, { ...appPermissions, checks: 'write' });
  stage.learn('paint it', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue.' },
  );
  const finding = {
    path: 'a.txt',
    line: 1,
    severity: 'high',
    category: 'bug',
    title: 'Wrong',
    body: 'It is.',
  };
  stage.learn('Review the changes', (turn, request) => {
    const isRight = JSON.stringify(request.messages).includes('+right');
    return turn === 1
      ? { calls: [call('report_findings', { findings: isRight ? [] : [finding] })] }
      : { text: 'Seen.' };
  });
});
afterAll(() => stage.close());

/** A pull request by bob. */
async function opened(name: string, config: string) {
  const files = { 'colour.txt': 'red\n', '.github/anode.yml': `sandbox: preferred\n${config}` };
  const shop = await stage.github.createRepository(`acme/${name}`, { files });
  for (const login of ['ada', 'bob', 'eve', 'joe', 'ci[bot]']) shop.setPermission(login, 'write');
  await shop.commit('work', { files: { 'a.txt': 'one\n' }, message: 'One', author: 'bob' });
  const { number } = await shop.openPullRequest({ title: 'One', head: 'work', author: 'bob' });
  return { shop, number };
}

async function paint(shop: RepositoryHandle, number: number) {
  const { id } = shop.comment(number, { author: 'ada', body: '@anode paint it' });
  await stage.report(shop, number, id);
}

/** Waits until the newest check of a name on the head of the branch has a title. */
async function checked(shop: RepositoryHandle, name: string, title: string) {
  const sha = await shop.head('work');
  const newest = () => shop.checkRuns().findLast((one) => one.name === name && one.headSha === sha);
  await stage.until(
    `${name} with "${title}", which has "${newest()?.title}"`,
    () => newest()?.title === title,
  );
  return newest()?.conclusion ?? null;
}

test('a commit of a run waits for two people who did not ask for it, on this head', async () => {
  const { shop, number } = await opened('approved', demands);
  await paint(shop, number);
  const first = [
    await checked(shop, 'anode/provenance', '1 commit as attested'),
    await checked(shop, 'anode/approvals', '0 of 2 approvals'),
  ];
  for (const author of ['ada', 'ci[bot]', 'eve']) await shop.review(number, { author, event: 'APPROVE' });
  const one = await checked(shop, 'anode/approvals', '1 of 2 approvals');
  await shop.review(number, { author: 'joe', event: 'APPROVE' });
  const both = await checked(shop, 'anode/approvals', 'Approved by eve, joe');
  await shop.commit('work', { files: { 'a.txt': 'two\n' }, message: 'Two', author: 'bob' });
  const next = await checked(shop, 'anode/approvals', '0 of 2 approvals');
  expect([first, one, both, next]).toEqual([['success', null], null, 'success', null]);
});

test('a commit that names a run fails without its attestation, and with other files', async () => {
  const claimed = await opened('claimed', demands);
  const message = 'Two\n\nAnode-Run: run_claimed';
  await claimed.shop.commit('work', { files: { 'b.txt': 'two\n' }, message, author: 'bob' });
  const amended = await opened('amended', demands);
  const { shop } = amended;
  await paint(shop, amended.number);
  await checked(shop, 'anode/provenance', '1 commit as attested');
  const ours = (await shop.git('rev-parse', 'work')).trim();
  const tree = (await shop.git('rev-parse', 'main^{tree}')).trim();
  const text = await shop.git('show', '-s', '--format=%B', ours);
  const person = ['-c', 'user.name=eve', '-c', 'user.email=eve@example.com'];
  const args = ['commit-tree', tree, '-p', `${ours}^`, '-m', text];
  const forged = (await shop.git(...person, ...args)).trim();
  await shop.git(...person, 'notes', '--ref', 'anode', 'copy', ours, forged);
  await shop.forcePush('work', forged, 'eve');
  const title = '1 of 1 commit not as attested';
  expect([
    await checked(claimed.shop, 'anode/provenance', title),
    await checked(shop, 'anode/provenance', title),
    shop
      .checkRuns()
      .findLast(({ name }) => name === 'anode/provenance')
      ?.summary?.split('\n')[0],
  ]).toEqual([
    'failure',
    'failure',
    expect.stringMatching(`^- ${forged}: Its files are not the attested ones: tree [0-9a-f]{12}, attested `),
  ]);
});

/** Waits until the metrics have these results of a repository. */
async function counts(name: string, wanted: Readonly<Record<string, number>>) {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const start = `anode_run_results{repository="acme/${name}",`;
  const results = async () => {
    const text = await (await fetch(`${stage.server().url}/metrics`, { headers })).text();
    const samples = text.split('\n').filter((line) => line.startsWith(start));
    return Object.fromEntries(samples.map((line) => /(\w+)"\} (\d+)$/.exec(line)?.slice(1) ?? []));
  };
  const texts = Object.entries(wanted).map(([key, count]) => [key, String(count)]);
  // Not `until`: the App asks GitHub for nothing after it stored a result.
  await vi.waitFor(async () => expect(await results()).toEqual(Object.fromEntries(texts)), {
    timeout: 60_000,
    interval: 100,
  });
}

test('what later became of a run is in the metrics and in anode stats', async () => {
  const merged = await opened('merged', 'review: { auto: false }\n');
  await paint(merged.shop, merged.number);
  const reviewed = await opened('reviewed', 'review: { auto: false }\n');
  const review = () => reviewed.shop.comment(reviewed.number, { author: 'ada', body: '/anode review' });
  review();
  await counts('merged', { accepted: 0, rejected: 0, open: 1 });
  await counts('reviewed', { accepted: 0, rejected: 0, open: 1 });
  await merged.shop.merge(merged.number, { actor: 'bob' });
  await counts('merged', { accepted: 1, rejected: 0, open: 0 });

  const { shop } = merged;
  await shop.commit('undo', { files: { 'colour.txt': 'red\n' }, message: 'Revert "One"', author: 'bob' });
  const body = `Reverts acme/merged#${merged.number}`;
  const undo = await shop.openPullRequest({ title: 'Revert "One"', body, head: 'undo', author: 'bob' });
  await shop.merge(undo.number, { actor: 'bob' });
  await counts('merged', { accepted: 0, rejected: 1, open: 0 });

  await reviewed.shop.commit('work', { files: { 'a.txt': 'right\n' }, message: 'Two', author: 'bob' });
  review();
  await counts('reviewed', { accepted: 0, rejected: 0, open: 2 });
  await reviewed.shop.merge(reviewed.number, { actor: 'bob' });
  await counts('reviewed', { accepted: 1, rejected: 0, open: 0 });

  await stage.server().stop();
  const stats = await runProgram(cliProgram, ['stats', '--json', '--by', 'repository'], {
    cwd: stage.folder,
    environment: { HOME: stage.folder, ANODE_DATA_DIR: path.join(stage.folder, 'data') },
  });
  await stage.restart();
  const counted = Object.fromEntries(
    JSON.parse(stats.stdout).map(({ group, ...figures }: { group: { repository: string } }) => [
      group.repository,
      figures,
    ]),
  );
  const figures = { unpriced: 0, cost_usd: expect.any(Number), tokens: expect.any(Number) };
  expect([stats.code, stats.stderr, counted['acme/merged'], counted['acme/reviewed']]).toEqual([
    ...[0, ''],
    {
      ...{ ...figures, runs: 1, accepted: 0, rejected: 1, open: 0, cost_per_accepted: null },
      findings: { fixed: 0, dismissed: 0, open: 0 },
    },
    {
      ...{ ...figures, runs: 2, accepted: 1, rejected: 0, open: 0, cost_per_accepted: expect.any(Number) },
      findings: { fixed: 1, dismissed: 0, open: 0 },
    },
  ]);
});
