import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { parseJson } from '../contract/json.ts';
import { userAgent } from './create-octokit.ts';

/** The artifact service of a workflow job, and the job's names in it. */
export interface ArtifactService {
  /** Without a path. */
  readonly origin: string;
  /** The runner gives it only to actions. It may write the artifacts of this workflow run. */
  readonly token: string;
  readonly job: { readonly workflow_run_backend_id: string; readonly workflow_job_run_backend_id: string };
}

/**
 * The service refused a call, or could not be reached. `code` is Twirp's; `status` is that of the
 * answer as in Octokit's errors, so that callers treat both alike. 500 for no answer.
 */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

/** Reasons for missing artifacts: a server of one's own, or a step that is no action. */
export type NoArtifacts = 'enterprise-server' | 'no-service';

/** The host names with this service; others are of GitHub Enterprise Server. */
const hosts = /^(?:github\.com|[^/]+\.ghe\.com|(?:[^/]+\.)?localhost|127\.0\.0\.1)$/i;

const Claims = z.object({ scp: z.string() });

/**
 * Reads the artifact service from the variables that the runner gives to actions (actions/toolkit,
 * `artifact/src/internal/shared`). GitHub Enterprise Server has only an older service.
 */
export function artifactServiceOf(
  environment: Readonly<Record<string, string | undefined>>,
  serverUrl: string,
): ArtifactService | NoArtifacts {
  if (!hosts.test(new URL(serverUrl).hostname)) return 'enterprise-server';
  const { ACTIONS_RESULTS_URL: url = '', ACTIONS_RUNTIME_TOKEN: token = '' } = environment;
  const claims = Claims.safeParse(parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
  const scopes = claims.success ? claims.data.scp.split(' ') : [];
  const names = scopes.map((scope) => scope.split(':')).find(([scope]) => scope === 'Actions.Results');
  const [, run, job] = names ?? [];
  if (!URL.canParse(url) || run === undefined || job === undefined) return 'no-service';
  return {
    origin: new URL(url).origin,
    token,
    job: { workflow_run_backend_id: run, workflow_job_run_backend_id: job },
  };
}

/** Milliseconds before each further try at a part of an upload. */
const waitsMs = [1_000, 4_000];

/** Milliseconds for one request. */
const requestMs = 60_000;

/**
 * Uploads an artifact of this workflow run, in the place of one with the same name. Throws
 * `ArtifactError`.
 */
export async function uploadArtifact(
  service: ArtifactService,
  name: string,
  archive: Uint8Array,
): Promise<void> {
  const create = () => call(service, 'CreateArtifact', { name, version: 4 });
  const { signed_upload_url: address } = await create().catch(async (error: unknown) => {
    if (!(error instanceof ArtifactError) || error.code !== 'already_exists') throw error;
    await call(service, 'DeleteArtifact', { name });
    return create();
  });
  if (address === undefined) throw new ArtifactError('no_address', 500, 'The artifact got no address.');
  await send(address, {
    method: 'PUT',
    // Storage accepts its signed address only, and no token.
    headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/zip' },
    body: Buffer.from(archive),
  });
  const hash = `sha256:${createHash('sha256').update(archive).digest('hex')}`;
  await call(service, 'FinalizeArtifact', { name, size: String(archive.length), hash });
}

const Answer = z.object({ ok: z.literal(true), signed_upload_url: z.url().optional() });

/** Calls a method of the service (`results/api/v1/artifact.proto`, as Twirp's JSON). */
async function call(
  { origin, token, job }: ArtifactService,
  method: 'CreateArtifact' | 'FinalizeArtifact' | 'DeleteArtifact',
  fields: object,
): Promise<z.infer<typeof Answer>> {
  const text = await send(`${origin}/twirp/github.actions.results.api.v1.ArtifactService/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...job, ...fields }),
  });
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success)
    throw new ArtifactError('bad_answer', 500, `${method}: the answer is not in the service's form.`);
  return answer.data;
}

const Refusal = z.object({ code: z.string() });

/** Sends a request, again after an outage; returns the body. Follows no redirect. */
async function send(url: string, request: RequestInit & { readonly headers: object }): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const result = await sendOnce(url, request);
    if (typeof result === 'string') return result;
    const wait = waitsMs[tries];
    if (!result.again || wait === undefined) throw result.error;
    await sleep(wait);
  }
}

async function sendOnce(
  url: string,
  request: RequestInit & { readonly headers: object },
): Promise<string | { readonly error: ArtifactError; readonly again: boolean }> {
  const { hostname } = new URL(url);
  try {
    const answer = await fetch(url, {
      ...request,
      headers: { ...request.headers, 'user-agent': userAgent },
      redirect: 'error',
      signal: AbortSignal.timeout(requestMs),
    });
    const text = await answer.text();
    if (answer.ok) return text;
    const code = Refusal.safeParse(parseJson(text)).data?.code ?? String(answer.status);
    const error = new ArtifactError(
      code,
      answer.status,
      `The artifact service at ${hostname} answered ${answer.status} (${code}).`,
    );
    return { error, again: answer.status >= 500 || answer.status === 429 };
  } catch (cause) {
    const message = `The artifact service at ${hostname} could not be reached.`;
    return { error: new ArtifactError('unreached', 500, message, { cause }), again: true };
  }
}
