import type { HiddenFinding } from '../../contract/thread.ts';
import { codeSpan, countOf, cutText, foldedSection, oneLine } from '../text/markdown.ts';

const shownParts = 20;

/**
 * What was hidden from readers of the thread and kept from the model, for maintainers to judge: folded, the alarming
 * first, with a short excerpt that is code and nothing else. '' where nothing was.
 */
export function renderHiddenText(hidden: readonly HiddenFinding[]): string {
  if (hidden.length === 0) return '';
  // Bots mark their comments so to find them again, as we do ourselves.
  const usual = hidden.filter(
    ({ kind, bot, alarming: odd }) => bot === true && kind === 'HTML comment' && !odd,
  );
  const told = hidden.filter((found) => !usual.includes(found));
  const alarming = told.filter((found) => found.alarming);
  const all = [...alarming, ...told.filter((found) => !found.alarming)];
  const lines = all.slice(0, shownParts).map((found) => {
    const author = codeSpan(cutText(oneLine(found.author), 60, '…'));
    const excerpt = codeSpan(cutText(oneLine(found.excerpt), 80, '…').replaceAll('<!--', '<! --'));
    const size = countOf(found.length, 'character');
    return `- ${found.kind} in ${codeSpan(cutText(found.where, 120, '…'))} by ${author}, ${size}: ${excerpt}`;
  });
  if (all.length > shownParts) lines.push(`- … and ${all.length - shownParts} more`);
  if (usual.length > 0) {
    const bots = [...new Set(usual.map(({ author }) => codeSpan(cutText(oneLine(author), 60, '…'))))];
    const more = bots.length > 5 ? ' and more' : '';
    lines.push(
      `- ${countOf(usual.length, 'HTML comment')} as bots leave them, by ${bots.slice(0, 5).join(', ')}${more}`,
    );
  }
  const note = 'Readers of this page do not see it, and the model did not get it.';
  const what = all.length === 0 ? 'Hidden text of bots' : `Hidden text in ${countOf(all.length, 'place')}`;
  const summary = alarming.length === 0 ? what : `⚠️ ${what}, ${alarming.length} of them unusual`;
  return foldedSection(summary, [note, '', ...lines].join('\n'));
}
