import type { Walkthrough } from '../../contract/walkthrough.ts';
import { codeBlock, listed, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** Fewer parts need no picture. */
const fewestParts = 3;

/**
 * Renders what a pull request changes, for a reader in a hurry: the reason, the parts by meaning
 * with their files, and a small picture. `hosts` are those that its text may link to.
 */
export function renderWalkthrough(
  { overview, groups, diagram = [] }: Walkthrough,
  hosts: readonly string[],
): string {
  const text = publicCut(overview.trim(), 1_500, '…', hosts);
  const parts = groups.map(({ title, files, what }) => {
    const names = files.length === 0 ? '' : ` (${listed(files, 400)})`;
    return `- **${publicCut(oneLine(title), 150, '…', hosts)}**${names}: ${publicCut(oneLine(what), 600, '…', hosts)}`;
  });
  return [text, parts.join('\n'), renderDiagram(diagram)].filter((part) => part !== '').join('\n\n');
}

/**
 * Renders arrows as a Mermaid flowchart; '' for fewer than three parts. The syntax is ours alone:
 * the model's names are reduced to letters, numbers and a few signs.
 */
export function renderDiagram(arrows: NonNullable<Walkthrough['diagram']>): string {
  const plain = arrows
    .map(({ from, to, label = '' }) => ({
      from: plainName(from),
      to: plainName(to),
      label: plainName(label),
    }))
    .filter(({ from, to }) => from !== '' && to !== '');
  const names = [...new Set(plain.flatMap(({ from, to }) => [from, to]))];
  if (names.length < fewestParts) return '';
  const idOf = (name: string) => `p${names.indexOf(name)}`;
  const nodes = names.map((name) => `  ${idOf(name)}["${name}"]`);
  const edges = plain.map(({ from, to, label }) => {
    const arrow = label === '' ? '-->' : `-->|"${label}"|`;
    return `  ${idOf(from)} ${arrow} ${idOf(to)}`;
  });
  return codeBlock(['flowchart LR', ...nodes, ...edges].join('\n'), 'mermaid');
}

/** Keeps what means nothing to Mermaid within quotes, and forms no address or command. */
function plainName(text: string): string {
  return oneLine(text.normalize('NFKC').replaceAll(/[^\p{L}\p{M}\p{N} ._/()-]+/gu, ' '))
    .replaceAll(/\/{2,}/g, '/')
    .slice(0, 40)
    .trim();
}
