import { readApiFailure } from './api-failure.ts';
import type { PublishPorts } from './ports.ts';

/**
 * Returns the labels that the repository has. GitHub would create the others without colour or
 * description.
 */
export async function existingLabels(
  names: readonly string[],
  repository: { readonly owner: string; readonly repo: string },
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    try {
      await octokit.rest.issues.getLabel({ ...repository, name });
      found.push(name);
    } catch (error) {
      if (readApiFailure(error)?.status !== 404) throw error;
    }
  }
  return found;
}
