import { gunzipSync } from 'node:zlib';
import { sarifProblems } from '../../sarif/sarif-problems.ts';
import { resolveCommit } from '../git/git.ts';
import { ApiError, notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { bodyOf, type Handlers, onRepository } from '../protocol/call.ts';
import { apiBase } from '../shapes/repository.ts';
import { isPull } from '../world.ts';

interface UploadBody {
  readonly commit_sha: string;
  readonly ref: string;
  readonly sarif: string;
  readonly tool_name?: string;
}

/** GitHub accepts a file first and checks it later; here faults are reported immediately. */
function unpacked(sarif: string): unknown {
  let log: unknown;
  try {
    log = JSON.parse(gunzipSync(Buffer.from(sarif, 'base64')).toString('utf8'));
  } catch {
    throw new ApiError(400, 'The SARIF file is not gzipped and Base64 encoded JSON.');
  }
  const problems = sarifProblems(log);
  if (problems.length > 0) throw new ApiError(400, `Invalid SARIF: ${problems.join('; ')}`);
  return log;
}

export const scanningHandlers: Handlers = {
  'code-scanning/upload-sarif': onRepository(async (call) => {
    permit(call, 'security_events', 'write');
    const { repository, world } = call;
    const body = bodyOf<UploadBody>(call);
    if ((await resolveCommit(repository.directory, body.commit_sha)) === null)
      throw new ApiError(422, `No commit found for SHA: ${body.commit_sha}`);
    const [, kind, name = ''] = /^refs\/(heads|tags|pull)\/(.+)$/.exec(body.ref) ?? [];
    const pull = /^(\d+)\/(?:head|merge)$/.exec(name)?.[1];
    const known =
      kind === 'pull'
        ? repository.threads.some((one) => isPull(one) && one.number === Number(pull))
        : (await resolveCommit(repository.directory, body.ref)) !== null;
    if (!known) throw notFound();
    const id = `00000000-0000-4000-8000-${String(world.nextId()).padStart(12, '0')}`;
    const { commit_sha: sha, ref, tool_name: tool = null } = body;
    repository.sarifs.push({ id, sha, ref, tool, log: unpacked(body.sarif) });
    const url = `${apiBase(world, repository)}/code-scanning/sarifs/${id}`;
    return { status: 202, body: { id, url } };
  }),
};
