import type { HiddenFinding } from './contract/hidden-text.ts';
import { sanitise } from './permissions/sanitise.ts';
import type { Checkout } from './workspace/checkout.ts';
import { readFileAt } from './workspace/read-file-at.ts';

/** GitHub Docs, "About issue and pull request templates": where templates lie, as most name them. */
const templates = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
  `${folder}ISSUE_TEMPLATE.md`,
  `${folder}ISSUE_TEMPLATE/bug_report.md`,
  `${folder}ISSUE_TEMPLATE/feature_request.md`,
]);

/**
 * What was hidden from the thread's readers but for what the repository's own templates put there, as the base branch
 * has them: their comments stand in every description and mean nothing.
 */
export async function withoutTemplates(
  hidden: readonly HiddenFinding[],
  checkout: Checkout,
  sha: string,
): Promise<HiddenFinding[]> {
  if (hidden.every((found) => found.alarming)) return [...hidden];
  const texts = await Promise.all(templates.map((path) => readFileAt(checkout.git, sha, path)));
  const own = new Set(texts.flatMap((text) => sanitise(text ?? '').hidden.map(({ digest }) => digest)));
  return hidden.filter(({ digest }) => !own.has(digest));
}
