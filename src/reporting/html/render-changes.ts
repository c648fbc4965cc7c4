import type { FileChange } from '../../contract/change.ts';
import { countOf } from '../text/markdown.ts';
import { brief } from './brief.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { createPageRoom } from './page-room.ts';
import { diffCounts, renderDiff } from './render-diff.ts';

const shownFiles = 300;
const bytesOfAll = 1_300_000;
const bytesOfOne = 150_000;
const linesOfOne = 600;
/** Files are open from the start while there are few lines to read in all. */
const openLines = 120;

const kinds = { add: 'added', modify: 'changed', delete: 'deleted', rename: 'renamed' } as const;

/** What the run changed in all, file by file; long diffs are folded. */
export function renderFinalChanges({ outcome, plan, scale }: PageContext): Html | null {
  const { files, left_out: leftOut = [] } = outcome.changes;
  if (files.length === 0 && leftOut.length === 0) return null;
  const shown = files.slice(0, Math.floor(shownFiles * scale));
  const room = createPageRoom(bytesOfAll * scale, shown.length);
  let lines = 0;
  let [added, removed] = [0, 0];
  for (const { diff } of files) {
    const counts = diffCounts(diff);
    [added, removed] = [added + counts.added, removed + counts.removed];
  }
  const parts = shown.map((file) => {
    const counts = diffCounts(file.diff);
    lines += counts.added + counts.removed;
    const diff = renderDiff(file.diff, file.diff.length, { lines: linesOfOne, room: room.next(bytesOfOne) });
    room.spend(diff.bytes);
    return html`<details class="file"${lines <= openLines ? openAttribute : null}><summary><span class="badge ${file.kind}">${kinds[file.kind]}</span> <code class="path">${nameOf(file)}</code> <span class="plus">+${counts.added}</span> <span class="minus">−${counts.removed}</span></summary>${
      file.binary ? html`<p class="dim">A binary file; its content is not shown.</p>` : diff.html
    }</details>`;
  });
  const rest = files.length - shown.length;
  const noted =
    plan?.read_only === true
      ? html`<p class="dim">The run could not write to the repository; this is what it proposes.</p>`
      : null;
  return html`<section id="changes"><h2>Changes <span class="count">${files.length}</span></h2><p class="dim">${countOf(files.length, 'file')}, <span class="plus">+${added}</span> <span class="minus">−${removed}</span></p>${noted}${parts}${rest > 0 ? html`<p class="cut">${countOf(rest, 'more file')} left out here.</p>` : null}${
    leftOut.length === 0
      ? null
      : html`<p>Too large to be part of the changes: ${leftOut.slice(0, 30).map((name) => html`<code>${brief(name, 200)}</code> `)}</p>`
  }</section>`;
}

const openAttribute: Html = { html: ' open' };

function nameOf({ path, old_path: old, kind }: FileChange): Html {
  const name = kind === 'rename' && old !== undefined ? `${old} → ${path}` : path;
  return brief(name, 300);
}
