import type { FileChange } from '../../contract/change.ts';
import { diffCounts } from '../diff/git-patch.ts';
import { countOf } from '../text/markdown.ts';
import { brief, type Html, html, htmlBytes, joined } from './html.ts';
import type { PageContext } from './page-context.ts';
import { createPageBudget } from './render-text.ts';

const mostFiles = 300;
const bytesOfAll = 1_300_000;
const bytesOfOne = 150_000;
const linesOfOne = 600;
/** Files are open from the start while there are few lines to read in all. */
const openLines = 120;

const kinds = { add: 'added', modify: 'changed', delete: 'deleted', rename: 'renamed' } as const;

/** Renders the run's changes by file. Long diffs are folded. */
export function renderFinalChanges({ outcome, plan, scale }: PageContext): Html | null {
  const { files, left_out: omitted = [] } = outcome.changes;
  if (files.length === 0 && omitted.length === 0) return null;
  const visible = files.slice(0, Math.floor(mostFiles * scale));
  const budget = createPageBudget(bytesOfAll * scale, visible.length);
  let lines = 0;
  let [added, removed] = [0, 0];
  for (const { diff } of files) {
    const counts = diffCounts(diff);
    [added, removed] = [added + counts.added, removed + counts.removed];
  }
  const parts = visible.map((file) => {
    const counts = diffCounts(file.diff);
    lines += counts.added + counts.removed;
    const diff = renderDiff(file.diff, file.diff.length, {
      lines: linesOfOne,
      budget: budget.next(bytesOfOne),
    });
    budget.spend(diff.bytes);
    return html`<details class="file"${lines <= openLines ? openAttribute : null}><summary><span class="badge ${file.kind}">${kinds[file.kind]}</span> <code class="path">${nameOf(file)}</code> <span class="plus">+${counts.added}</span> <span class="minus">−${counts.removed}</span></summary>${
      file.binary ? html`<p class="dim">A binary file; its content is not shown.</p>` : diff.html
    }</details>`;
  });
  const rest = files.length - visible.length;
  const readOnlyNote =
    plan?.read_only === true
      ? html`<p class="dim">The run could not write to the repository; this is what it proposes.</p>`
      : null;
  return html`<section id="changes"><h2>Changes <span class="count">${files.length}</span></h2><p class="dim">${countOf(files.length, 'file')}, <span class="plus">+${added}</span> <span class="minus">−${removed}</span></p>${readOnlyNote}${parts}${rest > 0 ? html`<p class="cut">${countOf(rest, 'more file')} left out here.</p>` : null}${
    omitted.length === 0
      ? null
      : html`<p>Too large to be part of the changes: ${omitted.slice(0, 30).map((name) => html`<code>${brief(name, 200)}</code> `)}</p>`
  }</section>`;
}

const openAttribute: Html = { html: ' open' };

function nameOf({ path, old_path: old, kind }: FileChange): Html {
  const name = kind === 'rename' && old !== undefined ? `${old} → ${path}` : path;
  return brief(name, 300);
}

interface Row {
  readonly kind: 'add' | 'delete' | 'same' | 'hunk' | 'note';
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
}

const classes = { add: 'a', delete: 'd', same: 's', hunk: 'h', note: 'h' } as const;

/** A rendered diff and its size. */
interface RenderedDiff {
  readonly html: Html;
  readonly bytes: number;
}

/**
 * Renders one file's diff as a table with line numbers, differences within lines marked. At most
 * `lines` rows and `budget` bytes; omitted lines are counted.
 */
export function renderDiff(
  diff: string,
  length: number,
  { lines, budget }: { lines: number; budget: number },
): RenderedDiff {
  const rows = rowsOf(diff);
  const marks = changedParts(rows);
  const done: Html[] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const piece = renderRow(row, marks.get(index));
    const size = htmlBytes(piece);
    if (done.length >= lines || bytes + size > budget) break;
    done.push(piece);
    bytes += size;
  }
  const hidden = rows.length - done.length;
  const unseen = length > diff.length ? ' and what follows them' : '';
  const cut =
    hidden > 0 || unseen !== ''
      ? html`<p class="cut">${countOf(hidden, 'more line')}${unseen} left out here.</p>`
      : null;
  const table = html`<table class="diff"><caption class="sr">Changed lines</caption><colgroup><col class="n"><col class="n"><col></colgroup><tbody>${joined(done)}</tbody></table>`;
  return { html: html`${done.length === 0 ? null : table}${cut}`, bytes: bytes + 200 };
}

/** Maximum UTF-16 units displayed per line. */
const longestLine = 2_000;

function rowsOf(diff: string): Row[] {
  const rows: Row[] = [];
  let oldLine = 0;
  let newLine = 0;
  let inside = false;
  for (const full of diff.split('\n')) {
    const text = full.length > longestLine ? `${full.slice(0, longestLine)}…` : full;
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk !== null) [inside, oldLine, newLine] = [true, Number(hunk[1]), Number(hunk[2])];
    const kind = hunk === null ? kindOf(text, inside) : 'hunk';
    if (kind === null) continue;
    rows.push({
      ...{ kind, text },
      old: kind === 'delete' || kind === 'same' ? oldLine++ : null,
      new: kind === 'add' || kind === 'same' ? newLine++ : null,
    });
  }
  return rows;
}

const headerLine =
  /^(old mode|new mode|new file mode|deleted file mode|rename|copy|similarity|Binary|GIT binary)/;
const kindByPrefix: Readonly<Record<string, Row['kind']>> = { '+': 'add', '-': 'delete', ' ': 'same' };

/** Returns the kind of a line; null for one that is not displayed. */
function kindOf(line: string, inside: boolean): Row['kind'] | null {
  if (!inside) return headerLine.test(line) ? 'note' : null;
  return line === '' ? null : (kindByPrefix[line.charAt(0)] ?? 'note');
}

/** Returns where lines that changed one for one differ: start and end of the differing part. */
function changedParts(rows: readonly Row[]): Map<number, readonly [number, number]> {
  const parts = new Map<number, readonly [number, number]>();
  let at = 0;
  while (at < rows.length) {
    const first = at;
    while (rows[at]?.kind === 'delete') at++;
    const count = at - first;
    while (count > 0 && rows[at]?.kind === 'add') at++;
    if (count > 0 && at - first === 2 * count) markPairs(rows, first, count, parts);
    else at++;
  }
  return parts;
}

/** Marks what differs between each of `count` deleted lines and the added line in its place. */
function markPairs(
  rows: readonly Row[],
  first: number,
  count: number,
  parts: Map<number, readonly [number, number]>,
): void {
  for (let index = first; index < first + count; index++) {
    const [before, after] = [rows[index]?.text ?? '', rows[index + count]?.text ?? ''];
    const [start, end] = samePart(before, after);
    // Lines with little in common are easier to read without marks.
    if (start + end < Math.max(before.length, after.length) / 3) continue;
    parts.set(index, [start, before.length - end]);
    parts.set(index + count, [start, after.length - end]);
  }
}

/**
 * Returns the number of units that two lines share at their start, sign included, and at their end.
 */
function samePart(a: string, b: string): [number, number] {
  const most = Math.min(a.length, b.length);
  let start = 1;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  // Neither end between the halves of a pair.
  if (/[\uD800-\uDBFF]/.test(a[start - 1] ?? '')) start--;
  if (/[\uDC00-\uDFFF]/.test(a[a.length - end] ?? '')) end--;
  return [start, end];
}

function renderRow({ kind, old, new: fresh, text }: Row, mark: readonly [number, number] | undefined): Html {
  const content =
    mark === undefined
      ? html`${text}`
      : html`${text.slice(0, mark[0])}<b>${text.slice(mark[0], mark[1])}</b>${text.slice(mark[1])}`;
  return html`<tr class="${classes[kind]}"><td>${old}</td><td>${fresh}</td><td>${content}</td></tr>`;
}
