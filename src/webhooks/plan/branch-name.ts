import type { BranchPlaceholder } from '../../config/outlet-settings.ts';

/** Values of the placeholders in a branch name. */
export type BranchFacts = Readonly<Record<BranchPlaceholder, string>>;

/** Maximum characters, far below the file system's 255 bytes for one path part. */
const longest = 120;

/**
 * Fills a branch name template and removes everything that git (git-check-ref-format), GitHub or a
 * shell would not accept. Never empty, and never the `taken` name.
 */
export function branchName(template: string, facts: BranchFacts, taken: string): string {
  const filled = template.replaceAll(/\{\{\s*(\w+)\s*\}\}/gu, (whole, name: string) =>
    Object.hasOwn(facts, name) ? facts[name as BranchPlaceholder] : whole,
  );
  const parts = plain(filled).split('/');
  const name = parts
    .map(safePart)
    .filter((part) => part !== '')
    .join('/')
    .slice(0, longest)
    .replace(/(?:[./-]|\.lock)+$/giu, '');
  const usable = name === '' || name === 'HEAD' ? `anode-${facts.run}` : name;
  return usable.toLowerCase() === taken.toLowerCase() ? `${usable}-${facts.timestamp}` : usable;
}

function safePart(part: string): string {
  return part
    .replace(/[^\w.]+/gu, '-')
    .replace(/\.{2,}/gu, '.')
    .replace(/^[.-]+|(?:[.-]|\.lock)+$/giu, '');
}

/** Removes accents from letters. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/ß/gu, 'ss');
}

/** Returns the first words of a title as part of a name: `support-week-numbers`. */
export function slugOf(title: string): string {
  const words = plain(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  const cut = words.slice(0, 40);
  return words.length > cut.length && cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut;
}
