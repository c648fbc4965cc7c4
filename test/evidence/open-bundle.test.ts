import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import { sigstoreServices } from '../../src/config/sigstore-services.ts';
import { signKeyless } from '../../src/evidence/sign-keyless.ts';
import { readAttestation } from '../../src/evidence/verify-commit.ts';
import { identityTokenOf } from '../../src/github/identity-token.ts';
import { trustedSigners } from '../../src/pipeline/agent-commits/trusted-signers.ts';
import { type Sigstore, startSigstore } from '../support/sigstore/start-sigstore.ts';

const id = '1'.repeat(40);
const sha256 = '2'.repeat(64);
const statement = JSON.stringify({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'https://github.com/acme/shop.git', digest: { gitTree: id } }],
  predicateType: 'urn:anode-ci:change:v1',
  predicate: {
    run: { id: 'run_1', session: 'sess_1', verb: 'task', version: '1.0.0' },
    ...{ requester: 'ada', parent: { gitCommit: id }, base: { ref: 'main', gitCommit: id } },
    ...{ model: 'a/b', plan_sha256: sha256, in_force: null, ledger: null, approvals: [], proofs: [] },
  },
});
const workflow = 'https://github.com/acme/shop/.github/workflows/anode.yml@refs/heads/main';
const repository = 'https://github.com/acme/shop';

let folder: string;
let sigstore: Sigstore;
let other: Sigstore;
let late: Sigstore;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'anode-bundle-'));
  sigstore = await startSigstore();
  other = await startSigstore();
  // A certificate is valid for ten minutes.
  late = await startSigstore({ logClock: new Date(Date.now() + 20 * 60_000) });
});
afterAll(async () => {
  for (const one of [sigstore, other, late]) await one.close();
  await rm(folder, { recursive: true, force: true });
});

/** Signs the statement as a workflow of a repository. */
async function sign(
  service = sigstore,
  {
    sub = workflow,
    repository: name = 'acme/shop',
    iss,
  }: { sub?: string; repository?: string; iss?: string } = {},
  change: Readonly<Record<string, string>> = {},
): Promise<string> {
  service.identify({ sub, repository: name, ...(iss === undefined ? {} : { iss }) });
  const environment = { ...service.environment, ...change };
  const identityToken = identityTokenOf(environment) ?? (() => Promise.reject(new Error('no token')));
  const signed = await signKeyless(statement, { services: sigstoreServices(environment), identityToken });
  return 'text' in signed ? signed.text : signed.unattested;
}

/** Checks an attestation by the root of a service. */
async function open(
  text: string,
  settings: NonNullable<Config['agentCommits']> = { identities: [workflow] },
  root = sigstore.root,
) {
  const file = path.join(folder, 'root.json');
  await writeFile(file, root);
  const trusted = await trustedSigners(settings, repository, { ANODE_TRUSTED_ROOT: file });
  const { statement: found, signer, problems } = readAttestation(text, trusted);
  return { run: found?.predicate.run.id ?? null, signer, problems };
}

const refused = (problem: string) => ({ run: null, signer: null, problems: [problem] });
const believed = { run: 'run_1', signer: `${workflow} in a job of ${repository}`, problems: [] };

test('a statement signed in a workflow is believed by its identity, certificate and log entry', async () => {
  const text = await sign();
  const bundle = JSON.parse(text);
  expect({
    opened: await open(text),
    pattern: await open(text, { identities: [`${repository}/.github/workflows/*@refs/heads/main`] }),
    form: [bundle.mediaType, Object.keys(bundle.verificationMaterial).sort()],
    requests: sigstore.requests.slice(-3),
  }).toEqual({
    opened: believed,
    pattern: believed,
    form: [
      'application/vnd.dev.sigstore.bundle.v0.3+json',
      ['certificate', 'timestampVerificationData', 'tlogEntries'],
    ],
    requests: ['GET /token', 'POST /api/v2/signingCert', 'POST /api/v1/log/entries'],
  });
});

test('a timestamp of a service of one’s own is part of the bundle', async () => {
  const text = await sign(sigstore, {}, { ANODE_TSA_URL: sigstore.environment.ANODE_FULCIO_URL ?? '' });
  const { timestampVerificationData } = JSON.parse(text).verificationMaterial;
  expect([timestampVerificationData.rfc3161Timestamps.length, await open(text)]).toEqual([1, believed]);
});

test('another statement, signature, log entry or certificate is not believed', async () => {
  const text = await sign();
  const changed = (change: (bundle: ReturnType<typeof JSON.parse>) => void) => {
    const bundle = JSON.parse(text);
    change(bundle);
    return open(JSON.stringify(bundle));
  };
  const second = JSON.parse(await sign());
  const results = await Promise.all([
    changed(({ dsseEnvelope }) => {
      dsseEnvelope.payload = Buffer.from(statement.replace('run_1', 'run_2')).toString('base64');
    }),
    changed(({ dsseEnvelope }) => {
      dsseEnvelope.payloadType = 'text/plain';
    }),
    changed(({ dsseEnvelope }) => {
      dsseEnvelope.signatures = second.dsseEnvelope.signatures;
    }),
    changed((bundle) => {
      bundle.verificationMaterial.certificate = second.verificationMaterial.certificate;
    }),
    changed((bundle) => {
      bundle.verificationMaterial.tlogEntries = second.verificationMaterial.tlogEntries;
    }),
    changed((bundle) => {
      bundle.verificationMaterial.tlogEntries[0].integratedTime = '1';
    }),
    changed((bundle) => {
      bundle.verificationMaterial.tlogEntries = [];
    }),
    changed((bundle) => {
      bundle.verificationMaterial.certificate.rawBytes = 'AAAA';
    }),
    changed((bundle) => {
      delete bundle.dsseEnvelope;
    }),
  ]);
  expect(results.map(({ run, problems }) => [run, problems.map((one) => one.replace(/ \(.*/, ''))])).toEqual(
    [
      'The log of the trusted root has no such entry.',
      'The signed text is no statement about a change of Anode.',
      'The log of the trusted root has no such entry.',
      'Its signature does not fit the statement.',
      'The log of the trusted root has no such entry.',
      'Its certificate is not of the trusted root, or had expired when the signature was logged.',
      'It has no time that the trusted root vouches for.',
      'The bundle cannot be checked.',
      'The attestation is no Sigstore bundle with a signed envelope.',
    ].map((problem) => [null, [problem]]),
  );
});

test('another root, another log, and a certificate that had expired are not believed', async () => {
  const text = await sign();
  const own = JSON.parse(sigstore.root);
  const foreign = JSON.parse(other.root);
  const opened = await Promise.all([open(text, undefined, other.root)]);
  opened.push(await open(text, undefined, JSON.stringify({ ...own, tlogs: foreign.tlogs })));
  opened.push(await open(text, undefined, JSON.stringify({ ...own, ctlogs: foreign.ctlogs })));
  opened.push(await open(await sign(late), undefined, late.root));
  expect(opened.map(({ problems }) => problems.map((one) => one.replace(/ \(.*/, '')))).toEqual([
    ['Its certificate is not of the trusted root, or had expired when the signature was logged.'],
    ['The log of the trusted root has no such entry.'],
    ['Its certificate is not of the trusted root, or had expired when the signature was logged.'],
    ['Its certificate is not of the trusted root, or had expired when the signature was logged.'],
  ]);
});

test('another workflow, ref, repository or issuer is not believed', async () => {
  const branch = workflow.replace('main', 'evil');
  const reusable = 'https://github.com/owner/anode-ci/.github/workflows/one-job.yml@refs/tags/v1';
  const evil = await sign(sigstore, { sub: reusable, repository: 'eve/shop' });
  expect([
    await open(await sign(sigstore, { sub: branch })),
    await open(await sign(sigstore, { sub: `${workflow}/more` })),
    await open(evil, { identities: [reusable] }),
    await open(await sign(sigstore, { sub: reusable }), { identities: [reusable] }),
    await open(await sign(sigstore, { iss: 'https://issuer.example.com' })),
    await open(await sign(), {}),
  ]).toEqual([
    refused(`${branch} signed it, which is none of the believed identities.`),
    refused(`${workflow}/more signed it, which is none of the believed identities.`),
    refused(`A job of https://github.com/eve/shop signed it, and not one of ${repository}.`),
    { ...believed, signer: `${reusable} in a job of ${repository}` },
    refused(
      'The issuer https://issuer.example.com signed for, and https://token.actions.githubusercontent.com is believed.',
    ),
    refused('It is signed without a key, and no identity is believed.'),
  ]);
});

test('a service that is down or refuses is named, and no token is', async () => {
  const results: string[] = [];
  for (const [where, status] of [
    ['/token', 403],
    ['signingCert', 403],
    ['entries', 400],
  ] as const) {
    sigstore.refuse(where, status);
    results.push(await sign());
    sigstore.refuse(where, null);
  }
  results.push(await sign(sigstore, {}, { ANODE_REKOR_URL: 'http://127.0.0.1:1' }));
  const { ANODE_FULCIO_URL: url } = sigstore.environment;
  expect(results).toEqual([
    'The commit is not attested: GitHub gave the job no identity token. It needs the permission `id-token: write`.',
    `The commit is not attested: ${url} gave no certificate: it answered 403.`,
    `The commit is not attested: ${url} did not log the signature: it answered 400.`,
    'The commit is not attested: http://127.0.0.1:1 did not log the signature: it could not be reached or understood.',
  ]);
});

test('the public root is the default, and a file without an authority is refused', async () => {
  const trusted = await trustedSigners({ identities: [workflow] }, repository, {});
  const { problems } = readAttestation(await sign(), trusted);
  const file = path.join(folder, 'empty.json');
  await writeFile(file, '{}');
  await expect(
    trustedSigners({ identities: [workflow] }, repository, { ANODE_TRUSTED_ROOT: file }),
  ).rejects.toThrow(`${file} is no trusted root of Sigstore as JSON, with an authority and a log.`);
  expect(problems).toEqual([expect.stringMatching(/^Its certificate is not of the trusted root/)]);
});
