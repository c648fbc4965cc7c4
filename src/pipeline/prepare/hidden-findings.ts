import type { HiddenFinding, HiddenText } from '../../contract/thread.ts';
import { sanitise } from '../../untrusted-text/sanitise.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import { readFileAt } from '../../workspace/git/files-at.ts';

/** GitHub Docs, "About issue and pull request templates": where templates lie, as most name them. */
const templates = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
  `${folder}ISSUE_TEMPLATE.md`,
  `${folder}ISSUE_TEMPLATE/bug_report.md`,
  `${folder}ISSUE_TEMPLATE/feature_request.md`,
]);

/** The hidden lines by which posts of ours are found again, whole or as far as an excerpt goes. */
const marker = /^<!-- anode:[a-z-]+ v\d+ [^\n>]*(?:-->|…)$/;

/** The lines around our part of a description, which stands under its author's name. They hold no words of anybody. */
const frame = /^<!-- anode:description(?:-end)? v\d+ -->$/;

/**
 * What was hidden in a text on GitHub but for what is ours: under our own name (null: a person's) whatever stands in a post with our marker, and
 * of any other bot the markers themselves, which another way of ours into the repository may have posted.
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
