import { apart } from '../../untrusted-text/invisible.ts';

/** The values of a template: Markdown that is safe to post; '' if empty. */
export interface TemplateMaterial {
  readonly summary: string;
  /** `Closes #7`, or where it came from: `For #7`. */
  readonly issue: string;
  /** The run's list of steps. */
  readonly steps: string;
  readonly title: string;
  readonly requester: string;
  /** A link to the run. */
  readonly run: string;
}

/** Fields by heading. The first match wins. */
const headings: readonly (readonly [RegExp, 'issue' | 'steps' | 'summary'])[] = [
  [/\b(?:related|linked|fixes|closes|resolves|issues?|tickets?|references?)\b/iu, 'issue'],
  [/\b(?:description|summary|overview|what|changes?|proposed|about|motivation|why)\b/iu, 'summary'],
  [/\b(?:steps|tasks|details|implementation|notes)\b/iu, 'steps'],
];

/** A keyword of "Linking a pull request to an issue" (GitHub Docs). */
const keyword = '(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)';

/** Matches a line that closes an issue once its number is added: `Fixes #`, `Closes #(issue)`. */
const openClosing = new RegExp(
  String.raw`^\W*${keyword}\s*:?\s*(?:\x60?#\s*(?:\(.*\)|<.*>|\[.*\]|_+|x+|n{1,4}|\d+\x60?|issue\w*)?|issue\s*#?)\s*$`,
  'iu',
);
const closing = new RegExp(
  String.raw`\b(${keyword}(?:\s*:)?\s+)((?:[\w.-]+\/[\w.-]+)?#\d+|GH-\d+|https?:\/\/\S+)`,
  'giu',
);
/** Matches the same before a placeholder, whose text may begin with an issue. */
const closingWhat = new RegExp(String.raw`\b${keyword}(?=[\s:*_]+\{\{\s*(?!issue\b)\w)`, 'giu');

/**
 * Fills a Markdown template as a person would. Replaces placeholders such as `{{summary}}`, if
 * there are any. Otherwise fills sections whose heading asks for a description, the issue or the
 * steps. Check boxes stay, comments go. Only `material.issue` can close an issue. Values without a
 * place go above the template, the issue below.
 */
export function fillTemplate(template: string, material: TemplateMaterial): string {
  const bare = template
    .replaceAll(/\r\n?/gu, '\n')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, '')
    .replaceAll(closing, '$1`$2`')
    .replaceAll(closingWhat, `$&${apart}`);
  const filled = new Set<string>();
  const replaced = bare.replaceAll(placeholder, (whole, name: string) => {
    if (!isMaterial(name, material)) return whole;
    filled.add(name);
    return material[name];
  });
  const text =
    filled.size > 0
      ? replaced
      : sectionsOf(bare)
          .map((section) => fillSection(section, material, filled))
          .join('\n\n');
  return [filled.has('summary') ? '' : material.summary, text, filled.has('issue') ? '' : material.issue]
    .map((part) => part.replaceAll(/\n{3,}/gu, '\n\n').trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/gu;

function isMaterial(name: string, material: TemplateMaterial): name is keyof TemplateMaterial {
  return Object.hasOwn(material, name);
}

interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The parts of a text under their headings, code fences apart. */
function sectionsOf(text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fence = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/u.test(line)) fence = !fence;
    if (!fence && /^#{1,6}\s+\S/u.test(line)) sections.push({ heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.filter(({ heading, lines }) => heading !== '' || lines.join('').trim() !== '');
}

function fillSection(section: Section, material: TemplateMaterial, filled: Set<string>): string {
  const { heading, lines } = section;
  const asks = headings.find(([pattern]) => heading !== '' && pattern.test(heading))?.[1];
  const hasBoxes = lines.some((line) => /^\s*[-*+] \[[ xX]\]/u.test(line));
  // A list of boxes under such a heading is for ticking.
  const takes = asks !== undefined && !filled.has(asks) && !hasBoxes;
  const body = takes ? [material[asks]] : lines.map((line) => (openClosing.test(line) ? '' : line));
  if (takes) filled.add(asks);
  const text = body.join('\n').trim();
  if (heading === '') return text;
  return `${heading}\n\n${text === '' ? 'Nothing to add.' : text}`;
}
