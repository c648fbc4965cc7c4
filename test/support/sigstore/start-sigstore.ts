import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initializeCA, initializeCTLog, initializeTLog, initializeTSA, tsaHandler } from '@sigstore/mock';
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs';

/** Claims of the tokens that name a workflow (GitHub Docs, "OpenID Connect reference"). */
export interface WorkflowClaims {
  readonly iss?: string;
  /** The workflow's file and ref. */
  readonly sub: string;
  /** Owner and name of the repository. */
  readonly repository: string;
  /** Address of its server. Default: GitHub's. */
  readonly server?: string;
}

/** A Sigstore instance with its own authority and logs, and GitHub's service for identity tokens. */
export interface Sigstore {
  /** Variables for the step: the services' addresses, and the runner's for tokens. */
  readonly environment: Readonly<Record<string, string>>;
  /** The trusted root as JSON. */
  readonly root: string;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  /** Names the workflow of later tokens. */
  identify(claims: WorkflowClaims): void;
  /** Has requests whose path contains a text answered with a status, until it is null again. */
  refuse(path: string, status: number | null): void;
  close(): Promise<void>;
}

const requestToken = 'canary-request-token';
const issuer = 'https://token.actions.githubusercontent.com';

/**
 * Starts it on this machine. Keys, certificates, log entries and timestamps are real. `logClock` is
 * the time of the log; default: now.
 */
export async function startSigstore({ logClock }: { readonly logClock?: Date } = {}): Promise<Sigstore> {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ctLog = await initializeCTLog(pair());
  const ca = await initializeCA(pair(), ctLog);
  const log = await initializeTLog('http://rekor.localhost', pair(), logClock);
  const tsa = await initializeTSA(pair());
  Object.assign(tsa, { getCurrentTime: wholeSecond });
  const logEntry = async (body: string) => ({
    ...{ statusCode: 201, contentType: 'application/json' },
    response: JSON.stringify(await log.log(canonicalEntry(body))),
  });
  const certificate = async (body: string) => ({
    ...{ statusCode: 201, contentType: 'application/json' },
    response: JSON.stringify(await certify(body, ca)),
  });
  const handlers = [
    { path: '/api/v2/signingCert', fn: certificate },
    { path: '/api/v1/log/entries', fn: logEntry },
    tsaHandler(tsa),
  ];
  const requests: string[] = [];
  const refused = new Map<string, number>();
  let claims: WorkflowClaims = {
    sub: 'https://github.com/acme/shop/.github/workflows/a.yml@refs/heads/main',
    repository: 'acme/shop',
  };
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${pathname}`);
    const status = [...refused].find(([path]) => pathname.includes(path))?.[1];
    if (status !== undefined) return response.writeHead(status).end();
    if (pathname === '/token') {
      const isAllowed = request.headers.authorization === `Bearer ${requestToken}`;
      if (!isAllowed || searchParams.get('audience') !== 'sigstore') return response.writeHead(401).end();
      return response.end(JSON.stringify({ value: tokenOf(claims) }));
    }
    const handler = handlers.find(({ path }) => path === pathname);
    if (handler === undefined) return response.writeHead(404).end();
    const answer = await handler.fn(body);
    response.writeHead(answer.statusCode, { 'content-type': answer.contentType ?? 'text/plain' });
    return response.end(answer.response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const root = rootOf({
    ca: ca.rootCertificate,
    ctLog: ctLog.publicKey,
    log: log.publicKey,
    tsa: [tsa.intCertificate, tsa.rootCertificate],
  });
  return {
    environment: {
      ANODE_FULCIO_URL: url,
      ANODE_REKOR_URL: url,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
    },
    root,
    requests,
    identify(next) {
      claims = next;
    },
    refuse(path, status) {
      if (status === null) refused.delete(path);
      else refused.set(path, status);
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the time as public services give it. `@sigstore/core` reads no fraction that ends in 0. */
function wholeSecond(): Date {
  return new Date(Math.floor(Date.now() / 1000) * 1000);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Certifies a key for the identity of a token (sigstore/fulcio, `docs/oid-info.md`). */
async function certify(body: string, ca: Awaited<ReturnType<typeof initializeCA>>): Promise<object> {
  const { credentials, publicKeyRequest } = JSON.parse(body) as {
    readonly credentials: { readonly oidcIdentityToken: string };
    readonly publicKeyRequest: { readonly publicKey: { readonly content: string } };
  };
  const [, claims = ''] = credentials.oidcIdentityToken.split('.');
  const { iss, sub, repository, server } = JSON.parse(
    Buffer.from(claims, 'base64url').toString(),
  ) as Required<WorkflowClaims>;
  const key = createPublicKey(publicKeyRequest.publicKey.content).export({ type: 'spki', format: 'der' });
  const oid = (last: number, value: string) => ({ oid: `1.3.6.1.4.1.57264.1.${last}`, value });
  const leaf = await ca.issueCertificate({
    publicKey: new Uint8Array(key),
    subjectAltName: sub,
    extensions: [oid(8, iss), oid(12, `${server}/${repository}`)],
  });
  const certificates = [leaf, ca.rootCertificate].map(
    (one) => `-----BEGIN CERTIFICATE-----\n${bytesOf(one).toString('base64')}\n-----END CERTIFICATE-----\n`,
  );
  return { signedCertificateEmbeddedSct: { chain: { certificates } } };
}

const bytesOf = (one: ArrayBufferView) => Buffer.from(one.buffer, one.byteOffset, one.byteLength);

/** A proposed entry (sigstore/rekor, `pkg/types/dsse/v0.0.1`). */
interface Proposed {
  readonly spec: {
    readonly proposedContent: { readonly envelope: string; readonly verifiers: readonly string[] };
  };
}

/** Makes the entry that Rekor logs for a proposed one: hashes, signatures and their keys. */
function canonicalEntry(body: string): object {
  const { envelope, verifiers } = (JSON.parse(body) as Proposed).spec.proposedContent;
  const { payload, signatures } = JSON.parse(envelope) as {
    readonly payload: string;
    readonly signatures: readonly { readonly sig: string }[];
  };
  const hash = (bytes: string | Buffer) => ({
    ...{ algorithm: 'sha256', value: createHash('sha256').update(bytes).digest('hex') },
  });
  return {
    ...{ apiVersion: '0.0.1', kind: 'dsse' },
    spec: {
      envelopeHash: hash(envelope),
      payloadHash: hash(Buffer.from(payload, 'base64')),
      signatures: signatures.map(({ sig }, index) => ({ signature: sig, verifier: verifiers[index] })),
    },
  };
}

/** A token as GitHub makes it; its signature is not checked by the stand-in. */
function tokenOf(claims: WorkflowClaims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part({ iss: issuer, aud: 'sigstore', server: 'https://github.com', ...claims })}.c2lnbmVk`;
}

interface Authorities {
  readonly ca: ArrayBufferView;
  readonly ctLog: Buffer;
  readonly log: Buffer;
  readonly tsa: readonly ArrayBufferView[];
}

function rootOf({ ca, ctLog, log, tsa }: Authorities): string {
  const validFor = { start: new Date(0), end: undefined };
  const authority = (certificates: readonly ArrayBufferView[]) => ({
    subject: { commonName: 'sigstore', organization: 'sigstore.mock' },
    uri: '',
    operator: '',
    certChain: { certificates: certificates.map((one) => ({ rawBytes: bytesOf(one) })) },
    validFor,
  });
  const logOf = (key: Buffer) => ({
    ...{
      baseUrl: 'http://rekor.localhost',
      operator: '',
      hashAlgorithm: HashAlgorithm.SHA2_256,
      checkpointKeyId: undefined,
    },
    logId: { keyId: createHash('sha256').update(key).digest() },
    publicKey: { rawBytes: key, keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256, validFor },
  });
  const root = TrustedRoot.toJSON({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(log)],
    certificateAuthorities: [authority([ca])],
    ctlogs: [logOf(ctLog)],
    timestampAuthorities: [authority(tsa)],
  });
  return JSON.stringify(root);
}
