import type { Octokit } from '@octokit/rest';
import { Requester } from '../../contract/plan.ts';
import { isNotFound } from '../../github/api-errors.ts';

/**
 * An account and its permission on a repository, as the API has them: the association in a payload, a login that ends
 * in `[bot]` and the author of a commit prove nothing. GitHub docs: "Get repository permissions for a user".
 */
export async function readRequester(
  octokit: Octokit,
  repository: { readonly owner: string; readonly name: string },
  username: string,
): Promise<Requester> {
  const { owner, name: repo } = repository;
  const [{ data: account }, permission] = await Promise.all([
    octokit.rest.users.getByUsername({ username }),
    octokit.rest.repos
      .getCollaboratorPermissionLevel({ owner, repo, username })
      .then(({ data }) => effectivePermission(data.permission, data.role_name))
      .catch((error: unknown) => {
        // The accounts of apps are no collaborators, and GitHub says so with a 404.
        if (isNotFound(error)) return 'none' as const;
        throw error;
      }),
  ]);
  return Requester.parse({ login: account.login, id: account.id, type: account.type, permission });
}

/** `role_name` tells maintain and triage apart, but may be an organisation's own word: then the base counts. */
function effectivePermission(base: string, role: string): Requester['permission'] {
  const known = Requester.shape.permission;
  const byRole = known.safeParse(role);
  const byBase = known.safeParse(base);
  if (byRole.success && (byRole.data === 'maintain' || byRole.data === 'triage')) return byRole.data;
  return byBase.success ? byBase.data : 'none';
}
