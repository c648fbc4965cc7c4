import { normaliseWords } from '../../contract/normalise-words.ts';
import type { Walkthrough } from '../../contract/walkthrough.ts';

interface MergeFacts {
  /** The walkthrough so far; null for none. */
  readonly before: Walkthrough | null;
  /** The walkthrough by this run, of the files that it reviewed; null for none. */
  readonly now: Walkthrough | null;
  /** True if the run looked only at what is new since the review before. */
  readonly incremental: boolean;
  /** The changed files of the pull request. */
  readonly files: readonly string[];
}

/**
 * Returns the walkthrough of the whole pull request. A review of new changes, or one that states
 * only an overview, replaces the overview and the text on the files that it names, and that of a
 * part of the same title. It keeps the rest with its picture. Files that the pull request no longer
 * changes are dropped, and parts without files with them. Pure.
 */
export function mergeWalkthrough({ before, now, incremental, files }: MergeFacts): Walkthrough | null {
  const changed = new Set(files);
  const isWhole = now !== null && !incremental && now.groups.length > 0;
  if (before === null || isWhole) return now && withFiles(now, changed);
  if (now === null) return withFiles(before, changed);
  const replaced = new Set(now.groups.flatMap((group) => group.files));
  const kept = new Set([...changed].filter((file) => !replaced.has(file)));
  const groups = [...withFiles(before, kept).groups, ...withFiles(now, changed).groups];
  return {
    overview: now.overview,
    groups: joinedGroups(groups).slice(0, mostGroups),
    diagram: now.diagram ?? before.diagram,
  };
}

const [mostGroups, mostFiles] = [12, 60];

/** Joins parts of one title: the text is the newest, the files are those of all. */
function joinedGroups(groups: Walkthrough['groups']): Walkthrough['groups'] {
  const joined = new Map<string, Walkthrough['groups'][number]>();
  for (const group of groups) {
    const title = normaliseWords(group.title);
    const files = [...(joined.get(title)?.files ?? []), ...group.files];
    joined.set(title, { ...group, files: files.slice(0, mostFiles) });
  }
  return [...joined.values()];
}

/** Returns the walkthrough with these files only. A part is dropped once all of its files are. */
function withFiles(walkthrough: Walkthrough, files: ReadonlySet<string>): Walkthrough {
  const groups = walkthrough.groups.flatMap((group) => {
    const left = group.files.filter((file) => files.has(file));
    return left.length === 0 && group.files.length > 0 ? [] : [{ ...group, files: left }];
  });
  return { ...walkthrough, groups };
}
