import type { BranchPlaceholder } from '../../config/outlet-settings.ts';

/** What a name is made of. */
export type BranchFacts = Readonly<Record<BranchPlaceholder, string>>;

/** Far below the 255 bytes that file systems take for one part of a path. */
const longest = 120;

/**
 * A branch's name from a template: its placeholders filled, and everything taken out that git (git-check-ref-format) or
 * GitHub does not take, a shell would read or a person could not type. Never empty, and never the `taken` name.
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

/** Letters without their accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/ß/gu, 'ss');
}

/** The first words of a title, as a part of a name: `support-week-numbers`. */
export function slugOf(title: string): string {
  const words = plain(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  const cut = words.slice(0, 40);
  return words.length > cut.length && cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut;
}
