import type { Change } from '../../contract/change.ts';
import type { Finding } from '../../contract/findings.ts';
import { type DiffLine, parseHunks } from '../diff/git-patch.ts';

/**
 * For reviews within one run. Across pushes, `reconcile` decides. Returns the findings that stay
 * open after a change of one file, with their new lines. A finding is fixed if its lines changed,
 * lines were inserted beside it, or its file was deleted. Findings stay if a change has no diff,
 * such as a binary file.
 */
export function afterChange(findings: readonly Finding[], change: Change): Finding[] {
  const before = change.old_path ?? change.path;
  if (!findings.some((finding) => isAbout(finding, before))) return [...findings];
  const edits = editsOf(parseHunks(change.diff).flatMap(({ hunks }) => hunks));
  return findings.flatMap((finding) => {
    if (!isAbout(finding, before)) return [finding];
    if (change.kind === 'delete') return [];
    const { start_line, line } = finding;
    if (isTouched(edits, start_line ?? line, line)) return [];
    const moved = { ...finding, path: change.path, line: movedLine(edits, line) };
    return [start_line === undefined ? moved : { ...moved, start_line: movedLine(edits, start_line) }];
  });
}

const isAbout = (finding: Finding, path: string): boolean =>
  finding.side === 'RIGHT' && finding.path === path;

/** Lines of the old file: those that went, and for each that came the one that it stands before. */
interface Edits {
  readonly deleted: readonly number[];
  readonly added: readonly number[];
}

function editsOf(hunks: readonly (readonly DiffLine[])[]): Edits {
  const deleted: number[] = [];
  const added: number[] = [];
  for (const hunk of hunks) {
    const first = hunk.find(({ oldLine }) => oldLine !== null)?.oldLine ?? 1;
    let next = first;
    for (const { kind, oldLine } of hunk) {
      if (kind === 'added') added.push(next);
      if (kind === 'deleted' && oldLine !== null) deleted.push(oldLine);
      if (oldLine !== null) next = oldLine + 1;
    }
  }
  return { deleted, added };
}

function isTouched({ deleted, added }: Edits, first: number, last: number): boolean {
  return (
    deleted.some((line) => line >= first && line <= last) ||
    added.some((line) => line >= first && line <= last + 1)
  );
}

function movedLine({ deleted, added }: Edits, line: number): number {
  return line + added.filter((at) => at <= line).length - deleted.filter((at) => at < line).length;
}
