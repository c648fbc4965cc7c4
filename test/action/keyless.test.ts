import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyCommand } from '../../src/command-line/verify-command.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Sigstore, startSigstore } from '../support/sigstore/start-sigstore.ts';
import { type Job, learnPainting, type StepOptions, startJob } from '../uses/support/start-job.ts';

let job: Job;
let sigstore: Sigstore;
let folder: string;
beforeAll(async () => {
  job = await startJob();
  // Checks belong to an App, as which GitHub counts the token of a job.
  job.github.addApp({ slug: 'github-actions', permissions: { checks: 'write' } });
  sigstore = await startSigstore();
  folder = await mkdtemp(path.join(tmpdir(), 'anode-keyless-'));
  await writeFile(path.join(folder, 'root.json'), sigstore.root);
  learnPainting(job);
});
afterAll(async () => {
  await job.close();
  await sigstore.close();
  await rm(folder, { recursive: true, force: true });
});

const workflow = (shop: RepositoryHandle) => `${shop.url}/.github/workflows/anode.yml@refs/heads/main`;

/** Has a run commit to a pull request of a repository with a configuration. */
async function painted(
  name: string,
  config = '',
  options: Partial<StepOptions> & { private?: boolean } = {},
) {
  const { private: isPrivate = false, ...step } = options;
  const files = {
    'colour.txt': 'red\n',
    '.github/anode.yml': `sandbox: preferred\nreview: { auto: false }\n${config}`,
  };
  const shop = await job.github.createRepository(`acme/${name}`, { files, private: isPrivate });
  shop.setPermission('ada', 'write');
  sigstore.identify({ sub: workflow(shop), repository: `acme/${name}`, server: job.github.url });
  await shop.commit('work', { files: { 'a.txt': 'one\n' }, message: 'One', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'One', head: 'work', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '@anode paint it' });
  const result = await job.run(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {}, environment: sigstore.environment },
    ...step,
  });
  const message = await shop.git('show', '-s', '--format=%B', 'work');
  return {
    ...{ shop, result, isNamed: message.includes('Anode-Attestation: ') },
    report: visible(shop.comments(number).at(-1)?.body ?? ''),
  };
}

/** Runs `anode verify` in a new clone with the attestations. */
async function verify(shop: RepositoryHandle, ...args: string[]) {
  const clone = await mkdtemp(path.join(folder, 'clone-'));
  const git = (...of: string[]) => promisify(execFile)('git', of, { cwd: clone });
  await git('clone', '--quiet', '--branch', 'work', shop.cloneUrl, '.');
  await git('fetch', '--quiet', 'origin', 'refs/notes/anode:refs/notes/anode');
  let printed = '';
  const code = await verifyCommand(['HEAD', '--cwd', clone, ...args], {
    environment: { ANODE_TRUSTED_ROOT: path.join(folder, 'root.json') },
    write: (text: string) => {
      printed += text;
    },
  } as never);
  return { code, lines: printed.trimEnd().split('\n') };
}

test('a commit of a public repository is signed with the identity of its workflow', async () => {
  const { shop, result, isNamed, report } = await painted('shop');
  const bundle = await readFile(result.outputs.attestation ?? '', 'utf8');
  const here = await verify(shop);
  const elsewhere = await verify(
    shop,
    '--identity',
    `${shop.url}/.github/workflows/other.yml@refs/heads/main`,
  );
  expect({
    ...{ code: result.code, stderr: result.stderr, isNamed, here: [here.code, here.lines[0]], elsewhere },
    report: report.split('\n').filter((line) => line.includes('attest')),
    noted: JSON.parse(await shop.git('notes', '--ref', 'anode', 'show', 'work')),
    token: bundle.includes('canary-request-token') || report.includes('canary-request-token'),
  }).toEqual({
    ...{ code: 0, stderr: '', isNamed: true, report: [], noted: JSON.parse(bundle), token: false },
    here: [0, `Signed by ${workflow(shop)} in a job of ${shop.url}`],
    elsewhere: {
      code: 1,
      lines: [`${workflow(shop)} signed it, which is none of the believed identities.`],
    },
  });
});

test('a private repository signs without a key only where its configuration says so', async () => {
  // A run on an event needs none.
  const checkout = async () => undefined;
  const silent = await painted('secret', '', { private: true, checkout });
  const asked = await painted('told', 'commit: { attestation: keyless }\n', { private: true, checkout });
  const off = await painted('keys', 'commit: { attestation: key }\n');
  expect([silent, asked, off].map(({ result, isNamed }) => [result.code, isNamed])).toEqual([
    [0, false],
    [0, true],
    [0, false],
  ]);
});

test('a service that is down costs the attestation and not the commit', async () => {
  sigstore.refuse('entries', 400);
  const down = await painted('down');
  sigstore.refuse('entries', null);
  const without = await painted('without', 'commit: { attestation: keyless }\n', { environment: {} });
  const url = sigstore.environment.ANODE_REKOR_URL;
  expect(
    [down, without].map(({ result, isNamed, report }) => ({
      ...{ code: result.code, stderr: result.stderr, isNamed, output: result.outputs.attestation },
      told: report.split('\n').find((line) => line.includes('not attested')),
    })),
  ).toEqual([
    {
      ...{ code: 0, stderr: '', isNamed: false, output: '' },
      told: expect.stringContaining(
        `The commit is not attested: ${url} did not log the signature: it answered 400.`,
      ),
    },
    {
      ...{ code: 0, stderr: '', isNamed: false, output: '' },
      told: expect.stringContaining('needs a workflow job with the permission `id-token: write`.'),
    },
  ]);
});

test('the check on a pull request believes the configured identities', async () => {
  const identities = (name: string) =>
    `agentCommits: { attested: true, identities: ['${job.github.url}/acme/${name}/.github/workflows/anode.yml@refs/heads/main'] }\n`;
  const permissions = {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
    checks: 'write',
  } as const;
  const environment = { ...sigstore.environment, ANODE_TRUSTED_ROOT: path.join(folder, 'root.json') };
  const own = await painted('checked', identities('checked'), { permissions, environment });
  const other = await painted('strict', identities('other'), { permissions, environment });
  expect(
    [own, other].map(({ shop }) =>
      shop.checkRuns().map(({ name, conclusion, title }) => [name, conclusion, title]),
    ),
  ).toEqual([
    [['anode/provenance', 'success', '1 commit as attested']],
    [['anode/provenance', 'failure', '1 of 1 commit not as attested']],
  ]);
});
