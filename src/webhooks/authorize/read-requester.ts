import type { Octokit } from '@octokit/rest';
import { Requester } from '../../contract/plan.ts';
import { isNotFound } from '../../github/api-errors.ts';

/**
 * Reads an account and its permission on a repository from the API. The association in a payload, a
 * `[bot]` suffix and a commit's author prove nothing. GitHub docs: "Get repository permissions for
 * a user".
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
        // Accounts of apps are not collaborators, and GitHub answers 404.
        if (isNotFound(error)) return 'none' as const;
        throw error;
      }),
  ]);
  return Requester.parse({ login: account.login, id: account.id, type: account.type, permission });
}

/**
 * Distinguishes maintain and triage by `role_name`. A custom role of an organisation counts as its
 * base.
 */
function effectivePermission(base: string, role: string): Requester['permission'] {
  const Permission = Requester.shape.permission;
  const byRole = Permission.safeParse(role);
  const byBase = Permission.safeParse(base);
  if (byRole.success && (byRole.data === 'maintain' || byRole.data === 'triage')) return byRole.data;
  return byBase.success ? byBase.data : 'none';
}
