import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Envelope } from '../../src/contract/attestation.ts';
import { attestedHash } from '../../src/evidence/change-statement.ts';
import { readAttestation } from '../../src/evidence/verify-commit.ts';
import { unpackText } from '../../src/github/artifact-archive.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, learnPainting, openShop, startJob } from '../uses/support/start-job.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const trusted = { publicKeys: [publicKey], openBundle: null };
const environment = { ANODE_SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await openShop(job);
  learnPainting(job);
});
afterAll(() => job.close());

/** Has a run commit to a pull request, in a workflow run with artifacts or without. */
async function paint(branch: string, workflowRun?: { readonly runId: number }) {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  shop.comment(number, { author: 'ada', body: '@anode paint it' });
  const step = await job.run(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {}, environment },
    ...(workflowRun === undefined ? {} : { workflowRun }),
  });
  const sha = (await shop.head(branch)) ?? '';
  return { step, sha, note: await shop.git('notes', '--ref', 'anode', 'show', sha) };
}

test('the step names the attestation of its commit in an output, and uploads it', async () => {
  const { step, sha, note } = await paint('kept', { runId: 41 });
  const text = await readFile(step.outputs.attestation ?? '', 'utf8');
  const [archive = Buffer.alloc(0)] = shop.artifactBytes(`anode-attestation-${sha}`);
  const { statement, problems } = readAttestation(text, trusted);
  expect({
    ...{ code: step.code, stderr: step.stderr, problems, run: statement?.predicate.run.id },
    uploaded: unpackText(archive, 'attestation.json', 1e6),
    noted: JSON.parse(note),
    hash: attestedHash(await shop.git('show', '-s', '--format=%B', sha))?.length,
  }).toEqual({
    ...{ code: 0, stderr: '', problems: [], run: step.outputs.run_id },
    uploaded: text,
    noted: Envelope.parse(JSON.parse(text)),
    hash: 64,
  });
  expect(step.outputs.attestation).toMatch(/\/temp\/anode-runs\/.*run_\w+\/attestation\.json$/);
});

test('a job without artifacts leaves the attestation in its output alone', async () => {
  const { step, sha } = await paint('alone');
  expect([step.code, step.stderr, shop.artifactBytes(`anode-attestation-${sha}`)]).toEqual([0, '', []]);
  expect(readAttestation(await readFile(step.outputs.attestation ?? '', 'utf8'), trusted).problems).toEqual(
    [],
  );
});
