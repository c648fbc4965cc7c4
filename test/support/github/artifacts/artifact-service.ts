import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpAnswer } from '../server/rest.ts';
import { type Artifact, type ArtifactJob, findRepository, timestamp, type World } from '../world.ts';

/** A request to the artifact service or to its storage. */
interface ArtifactRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** An error of the service, in Twirp's form (Twirp's specification, "Error Codes"). */
class TwirpError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts a job of a workflow run, and returns the variables that the runner gives to actions. */
export function startArtifactJob(
  world: World,
  fullName: string,
  { runId, branch, fork }: { readonly runId: number; readonly branch?: string; readonly fork?: string },
): { readonly ACTIONS_RUNTIME_TOKEN: string; readonly ACTIONS_RESULTS_URL: string } {
  const repository = findRepository(world, fullName);
  const head = findRepository(world, fork ?? fullName);
  if (repository === undefined || head === undefined) throw new Error(`There is no repository ${fullName}`);
  // All jobs of a run share its name.
  const known = [...world.artifactJobs.values()].find((job) => job.runId === runId);
  const job: ArtifactJob = {
    repository,
    runId,
    headBranch: branch ?? repository.defaultBranch,
    headRepositoryId: head.id,
    runBackendId: known?.runBackendId ?? randomUUID(),
    jobBackendId: randomUUID(),
  };
  const scp = `Actions.GenericRead:${randomUUID()} Actions.Results:${job.runBackendId}:${job.jobBackendId}`;
  const token = [part({ alg: 'RS256', typ: 'JWT' }), part({ scp }), randomUUID().replaceAll('-', '')].join(
    '.',
  );
  world.artifactJobs.set(token, job);
  return { ACTIONS_RUNTIME_TOKEN: token, ACTIONS_RESULTS_URL: `${world.url}/` };
}

/**
 * Answers a call of the artifact service (version 4: `results/api/v1/artifact.proto` of
 * actions/toolkit), or a request to its storage, which takes no credentials but a signed address.
 */
export function artifactAnswer(world: World, request: ArtifactRequest): HttpAnswer {
  try {
    return request.url.pathname.startsWith('/blobs/') ? blob(world, request) : rpc(world, request);
  } catch (error) {
    if (!(error instanceof TwirpError)) throw error;
    return json(error.status, { code: error.code, msg: error.message });
  }
}

const json = (status: number, body: object): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

type Fields = Readonly<Record<string, unknown>>;

function rpc(world: World, { method, url, headers, bytes }: ArtifactRequest): HttpAnswer {
  const name = /^\/twirp\/github\.actions\.results\.api\.v1\.ArtifactService\/(\w+)$/.exec(url.pathname)?.[1];
  const call = calls[name ?? ''];
  if (method !== 'POST' || call === undefined)
    throw new TwirpError(404, 'bad_route', `no handler for path ${url.pathname}`);
  if (headers['content-type'] !== 'application/json')
    throw new TwirpError(404, 'bad_route', `unexpected Content-Type: ${headers['content-type']}`);
  const job = world.artifactJobs.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
  if (job === undefined) throw new TwirpError(401, 'unauthenticated', 'invalid token');
  const fields = JSON.parse(bytes.toString('utf8')) as Fields;
  for (const [key, value] of [
    ['workflow_run_backend_id', job.runBackendId],
    ['workflow_job_run_backend_id', job.jobBackendId],
  ] as const)
    if (fields[key] !== value) throw new TwirpError(403, 'permission_denied', `${key} is not of this token`);
  return json(200, call(world, job, fields));
}

const calls: Readonly<Record<string, (world: World, job: ArtifactJob, fields: Fields) => object>> = {
  CreateArtifact(world, job, fields) {
    only(fields, ['name', 'version', 'expires_at', 'mime_type']);
    const name = nameOf(fields);
    if (/["<>|*?:\r\n\\/]/.test(name))
      throw new TwirpError(400, 'invalid_argument', 'name has invalid characters');
    if (fields.version !== 4) throw new TwirpError(400, 'invalid_argument', 'version is not supported here');
    if (find(job, name) !== undefined)
      throw new TwirpError(
        409,
        'already_exists',
        'an artifact with this name already exists on the workflow run',
      );
    const artifact: Artifact = {
      ...{ id: world.nextId(), name, job, createdAt: timestamp(world), bytes: null },
      ...{ finalized: false, expired: false, signature: randomUUID() },
    };
    job.repository.artifacts.push(artifact);
    return { ok: true, signed_upload_url: addressOf(world, artifact, 'w') };
  },
  FinalizeArtifact(_, job, fields) {
    only(fields, ['name', 'size', 'hash']);
    const artifact = known(job, nameOf(fields));
    const { bytes } = artifact;
    if (bytes === null) throw new TwirpError(400, 'invalid_argument', 'nothing was uploaded');
    if (fields.size !== String(bytes.length))
      throw new TwirpError(400, 'invalid_argument', 'the size does not match');
    const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    if (fields.hash !== undefined && fields.hash !== hash)
      throw new TwirpError(400, 'invalid_argument', 'the hash does not match');
    artifact.finalized = true;
    return { ok: true, artifact_id: String(artifact.id) };
  },
  DeleteArtifact(_, job, fields) {
    only(fields, ['name']);
    const artifact = known(job, nameOf(fields));
    const { repository } = job;
    repository.artifacts = repository.artifacts.filter((one) => one !== artifact);
    return { ok: true, artifact_id: String(artifact.id) };
  },
};

const find = (job: ArtifactJob, name: string): Artifact | undefined =>
  job.repository.artifacts.find((one) => one.name === name && one.job.runBackendId === job.runBackendId);

function known(job: ArtifactJob, name: string): Artifact {
  const artifact = find(job, name);
  if (artifact === undefined) throw new TwirpError(404, 'not_found', 'artifact not found');
  return artifact;
}

function nameOf({ name }: Fields): string {
  if (typeof name === 'string' && name !== '') return name;
  throw new TwirpError(400, 'invalid_argument', 'name is required');
}

/** Refuses fields that the service does not know, as its JSON reader does. */
function only(fields: Fields, names: readonly string[]): void {
  const all = ['workflow_run_backend_id', 'workflow_job_run_backend_id', ...names];
  const unknown = Object.keys(fields).find((name) => !all.includes(name));
  if (unknown !== undefined) throw new TwirpError(400, 'malformed', `unknown field "${unknown}"`);
}

/** The signed address of an artifact's bytes, on another host than the API's. */
export const addressOf = (world: World, { id, signature }: Artifact, right: 'r' | 'w'): string =>
  `${world.url.replace('//127.0.0.1:', '//localhost:')}/blobs/${id}?sp=${right}&sig=${signature}`;

/** Azure's "Put Blob" and "Get Blob" with a shared access signature. */
function blob(world: World, { method, url, headers, bytes }: ArtifactRequest): HttpAnswer {
  const artifact = [...world.repositories.values()]
    .flatMap(({ artifacts }) => artifacts)
    .find(({ id }) => url.pathname === `/blobs/${id}`);
  const refuse = (status: number, body: string): HttpAnswer => ({ status, headers: {}, body });
  const right = method === 'PUT' ? 'w' : 'r';
  const isSigned =
    url.searchParams.get('sig') === artifact?.signature && url.searchParams.get('sp') === right;
  if (artifact === undefined || !isSigned || headers.authorization !== undefined)
    return refuse(403, '<Error><Code>AuthenticationFailed</Code></Error>');
  if (method !== 'PUT')
    return { status: 200, headers: { 'content-type': 'application/zip' }, body: artifact.bytes };
  if (headers['x-ms-blob-type'] !== 'BlockBlob')
    return refuse(400, '<Error><Code>MissingRequiredHeader</Code></Error>');
  artifact.bytes = bytes;
  return refuse(201, '');
}
