import { readApiFailure } from './api-failure.ts';
import type { PublishPorts } from './ports.ts';

/** Those of some labels that a repository has: GitHub would make the others, without a colour or a meaning. */
export async function existingLabels(
  names: readonly string[],
  place: { readonly owner: string; readonly repo: string },
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    try {
      await octokit.rest.issues.getLabel({ ...place, name });
      found.push(name);
    } catch (error) {
      if (readApiFailure(error)?.status !== 404) throw error;
    }
  }
  return found;
}
