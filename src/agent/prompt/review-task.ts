import type { StructuredPatch, StructuredPatchHunk } from 'diff';
import { parsePatch } from 'diff/lib/patch/parse.js';
import type { Finding } from '../../contract/findings.ts';
import type { NewLines } from '../../contract/review-record.ts';
import { fenced } from '../../contract/untrusted.ts';
import { wholeDiff } from '../../contract/verbs.ts';

/** Maximum number of omitted files that are named. */
const mostNamed = 200;

/** The change under review, and what is known of it. */
interface ShownChange {
  readonly diff: string;
  /** The last commit, if the diff is that one because nothing is uncommitted. Default: null. */
  readonly commit?: string | null;
  /** The lines that are new since the last review. Default: null, it is the first one. */
  readonly newLines?: NewLines | null;
  /** Findings of checks, which the reviewer need not repeat. Default: none. */
  readonly checked?: readonly Finding[];
  /** Maximum bytes of the diff. The rest is named and can be read. Default: those of a review. */
  readonly mostBytes?: number | undefined;
}

/**
 * Renders the task of a review: the diff with the line numbers of findings (`R` new side, `L` old
 * side), with `*` behind the numbers of new lines. Files that do not fit are listed.
 */
export function renderReviewTask(
  request: string,
  { diff, commit = null, newLines = null, checked = [], mostBytes = wholeDiff }: ShownChange,
): string {
  const { rendered, omitted } = fitDiff(diff, newLines, mostBytes);
  const legend = `R: line of the new file, L: line of the old file${newLines === null ? '' : ', *: new'}`;
  const named = omitted.slice(0, mostNamed).map(({ path }) => path.replaceAll(/\s+/g, ' '));
  const more = omitted.length > named.length ? ` and ${omitted.length - named.length} more` : '';
  const rest =
    omitted.length === 0
      ? []
      : [
          `Too large to show here, ${omitted.length} more changed files; read them: ${named.join(', ')}${more}`,
        ];
  const body = [...rendered, ...rest].join('\n\n') || 'The diff is empty.';
  return `${request}\n\n${lastCommit(commit)}The change under review (${legend}):\n${fenced({ kind: 'diff' }, body)}${alreadyFound(checked)}`;
}

function lastCommit(commit: string | null): string {
  return commit === null
    ? ''
    : `Nothing in the checkout is uncommitted. The diff below is the last commit, ${commit}. Judge it only where the request means it; else judge the files that the request names, as they are.\n\n`;
}

/** A changed file that the reviewer's task omits. `alone`: it would fit by itself. */
export interface OmittedFile {
  readonly path: string;
  readonly alone: boolean;
}

/** Returns the files of a diff that the reviewer's task omits: too large, or beyond the budget. */
export function omittedFiles(diff: string, newLines: NewLines | null = null): readonly OmittedFile[] {
  return fitDiff(diff, newLines, wholeDiff).omitted;
}

/**
 * Renders the files that fit the budget, in the order of the diff. A smaller file may be included
 * after a larger one was omitted.
 */
function fitDiff(
  diff: string,
  newLines: NewLines | null,
  mostBytes: number,
): {
  readonly rendered: readonly string[];
  readonly omitted: readonly OmittedFile[];
} {
  const rendered: string[] = [];
  const omitted: OmittedFile[] = [];
  let size = 0;
  for (const file of parsePatch(diff)) {
    // For an empty text the parser gives one patch of nothing.
    if (pathOf(file) === '') continue;
    const text = renderFile(file, newLines?.get(pathOf(file)));
    const bytes = Buffer.byteLength(text);
    if (size + bytes > mostBytes) omitted.push({ path: pathOf(file), alone: bytes <= mostBytes });
    else {
      size += bytes;
      rendered.push(text);
    }
  }
  return { rendered, omitted };
}

/** Maximum findings of checks that are listed. The rest is counted. */
const mostListed = 50;

function alreadyFound(checked: readonly Finding[]): string {
  if (checked.length === 0) return '';
  const lines = checked
    .slice(0, mostListed)
    .map(
      ({ path, line, title, check }) =>
        `- ${JSON.stringify(path)}:${line} ${title.replaceAll(/\s+/g, ' ').slice(0, 200)} (${check ?? 'check'})`,
    );
  const more = checked.length > mostListed ? [`- and ${checked.length - mostListed} more`] : [];
  return `\n\nChecks have found this already, and it is reported without you; do not report it again:\n${[...lines, ...more].join('\n')}`;
}

/** The path a changed file has now, or had when it was deleted. */
function pathOf(file: StructuredPatch): string {
  const name = file.isDelete === true ? file.oldFileName : file.newFileName;
  return (name ?? '').replace(/^[ab]\//, '');
}

function changeOf({ isCreate, isDelete, isRename }: StructuredPatch): string {
  if (isCreate) return 'added';
  if (isDelete) return 'deleted';
  return isRename ? 'renamed' : 'changed';
}

/** Marks new lines one by one, and a file whose change is all new in its headline. */
function renderFile(file: StructuredPatch, fresh: ReadonlySet<string> | 'all' = new Set()): string {
  const from = file.isRename ? ` from ${(file.oldFileName ?? '').replace(/^a\//, '')}` : '';
  const marked = (name: string) => (fresh !== 'all' && fresh.has(name) ? `${name}*` : name);
  const body =
    file.hunks.length === 0
      ? '(no text to show)'
      : file.hunks.map((hunk) => renderHunk(hunk, marked)).join('\n…\n');
  return `## ${pathOf(file)} (${changeOf(file)}${from}${fresh === 'all' ? ', all new' : ''})\n${body}`;
}

function renderHunk(hunk: StructuredPatchHunk, marked: (name: string) => string): string {
  let [before, after] = [hunk.oldStart, hunk.newStart];
  return hunk.lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => {
      if (line.startsWith('-')) return `${marked(`L${before++}`)} ${line}`;
      if (line.startsWith('+')) return `${marked(`R${after++}`)} ${line}`;
      before += 1;
      return `R${after++} ${line}`;
    })
    .join('\n');
}
