import type { HiddenFinding, HiddenText } from '../../contract/thread.ts';
import { sanitise } from '../../untrusted-text/sanitise.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import { readFileAt } from '../../workspace/git/files-at.ts';

/** The usual paths of templates (GitHub Docs, "About issue and pull request templates"). */
const templates = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
  `${folder}ISSUE_TEMPLATE.md`,
  `${folder}ISSUE_TEMPLATE/bug_report.md`,
  `${folder}ISSUE_TEMPLATE/feature_request.md`,
]);

/** The hidden lines that mark our posts, whole or as far as an excerpt goes. */
const marker = /^<!-- anode:[a-z-]+ v\d+ [^\n>]*(?:-->|…)$/;

/** The lines around our part of a description, which is below its author's name. */
const frame = /^<!-- anode:description(?:-end)? v\d+ -->$/;

/**
 * Returns the hidden text of a text on GitHub without our own. Our own posts with a marker are
 * skipped entirely; `own` is our login, null for a person's. Markers in posts of other bots are
 * skipped, as another installation of ours may have posted them.
 */
export function hiddenFrom(
  text: string,
  hidden: readonly HiddenText[],
  origin: Pick<HiddenFinding, 'where' | 'author' | 'bot'>,
  own: string | null,
): HiddenFinding[] {
  if (origin.author === own && /^<!-- anode:[a-z-]+ v\d+ /m.test(text)) return [];
  return hidden
    .filter(
      ({ kind, excerpt }) => kind !== 'HTML comment' || !(origin.bot === true ? marker : frame).test(excerpt),
    )
    .map((found) => ({ ...found, ...origin }));
}

/**
 * Removes hidden text that comes from the repository's own templates on the base branch. Such
 * comments are in every description and mean nothing.
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
