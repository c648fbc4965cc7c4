import { parsePatch } from 'diff';

/** One file's part of a patch: its text as git wrote it, and the paths on both sides (null: not there). */
export interface PatchSection {
  readonly text: string;
  readonly oldPath: string | null;
  readonly newPath: string | null;
}

/**
 * A git patch file by file, in order. Lines of content always start with a space, `+`, `-` or `\` and binary
 * data has no spaces, so `diff --git ` at the start of a line is a header and nothing else.
 */
export function splitPatch(patch: string): PatchSection[] {
  return patch
    .split(/^(?=diff --git )/mu)
    .filter((text) => text.startsWith('diff --git '))
    .map((text) => ({ text, ...pathsOf(text) }));
}

function pathsOf(section: string): { oldPath: string | null; newPath: string | null } {
  // Binary data is not the parser's business, and only the headers matter here.
  const head = section.split(/^(?:@@ |GIT binary patch)/mu)[0] ?? '';
  const parsed = parsePatch(head)[0];
  return {
    oldPath: parsed?.isCreate ? null : strip(parsed?.oldFileName, 'a/'),
    newPath: parsed?.isDelete ? null : strip(parsed?.newFileName, 'b/'),
  };
}

function strip(name: string | undefined, prefix: string): string | null {
  if (name === undefined || name === '/dev/null') return null;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
