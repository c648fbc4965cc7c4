import type { IncomingMessage, ServerResponse } from 'node:http';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refMoved } from '../actions/refs.ts';
import { listRefs } from '../git/git.ts';
import { serveSmartHttp } from '../git/smart-http.ts';
import { ApiError } from '../protocol/api-error.ts';
import { assertVisible, permit } from '../protocol/authorize.ts';
import { actorOf, type Credential } from '../protocol/call.ts';
import { findRepository, type Repository, type World } from '../world.ts';

export interface GitRequest {
  readonly repository: Repository;
  /** `info/refs`, `git-upload-pack` or `git-receive-pack`. */
  readonly service: string;
  readonly writes: boolean;
}

/**
 * The git request in a path and query, null if there is none; 401 if the caller may not know of it.
 */
export function gitRequestOf(
  world: World,
  path: string,
  search: URLSearchParams,
  credential: Credential,
): GitRequest | null {
  const match = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path);
  if (match === null) return null;
  const [, owner, name, service = ''] = match;
  const repository = findRepository(world, `${owner}/${name}`);
  // git asks without credentials first and sends them after a 401 only.
  if (repository === undefined || (repository.private && credential.kind === 'none'))
    throw new ApiError(credential.kind === 'none' ? 401 : 404, 'Repository not found.', undefined, challenge);
  const writes = service === 'git-receive-pack' || search.get('service') === 'git-receive-pack';
  return { repository, service, writes };
}

const challenge = { 'www-authenticate': 'Basic realm="GitHub"' };

/** Throws where the credential may not read, or may not push. */
export function assertGitAccess({ repository, writes }: GitRequest, credential: Credential): void {
  if (credential.kind === 'none' && writes)
    throw new ApiError(401, 'Authentication required', undefined, challenge);
  assertVisible(credential, repository);
  permit({ credential, repository }, 'contents', writes ? 'write' : 'read');
}

/** The rules for the hook of a push (`rules/pre-receive.ts`); nothing where no branch is protected. */
function pushRules(world: World, repository: Repository) {
  const { directory, defaultBranch, protections, pushProtection } = repository;
  if (protections.length === 0 && !pushProtection) return {};
  const plain = protections.map((rule) => ({ ...rule, branches: (rule.branches ?? /^/).source }));
  return {
    PUSH_RULES: JSON.stringify({
      ...{ directory, defaultBranch, pushProtection, protections: plain },
      page: `${world.url}/${repository.fullName}`,
    }),
    PUSH_NODE: process.execPath,
    PUSH_HOOK: fileURLToPath(new URL('../rules/pre-receive.ts', import.meta.url)),
  };
}

/** Serves the request, and tells of the refs that a push has moved. */
export async function serveGit(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  requested: GitRequest,
  credential: Credential,
  query: string,
): Promise<number> {
  const { repository, service } = requested;
  const pushes = service === 'git-receive-pack';
  const token = credential.kind === 'token' ? credential.token : null;
  const mayChangeWorkflows =
    token === null || token.permissions === null || token.permissions.workflows === 'write';
  const before = pushes ? await listRefs(repository.directory) : null;
  const status = await serveSmartHttp(request, response, {
    root: world.directory,
    path: `${relative(world.directory, repository.directory)}/${service}`,
    query,
    user: token?.actor.login ?? null,
    env: { PUSH_MAY_CHANGE_WORKFLOWS: mayChangeWorkflows ? '1' : '0', ...pushRules(world, repository) },
    // A client may look right after its answer, so the effects of the push must exist by then.
    beforeEnd: async () => {
      if (before === null) return;
      const after = await listRefs(repository.directory);
      for (const ref of new Set([...before.keys(), ...after.keys()])) {
        const move = { ref, before: before.get(ref) ?? null, after: after.get(ref) ?? null };
        if (move.before !== move.after) await refMoved(world, repository, move, actorOf(credential));
      }
    },
  });
  return status;
}
