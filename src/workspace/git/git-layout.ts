import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { errorCode } from '../files/open-confined.ts';

/** Paths of a checked-out repository (gitrepository-layout). */
export interface GitLayout {
  /** Holds HEAD and the index of this work tree. */
  readonly directory: string;
  /** Holds refs, objects and all that work trees share; the same folder in a plain clone. */
  readonly common: string;
}

/** Reads synchronously: for dozens of small files the thread pool costs more than the reads. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw error;
  }
}

/**
 * Finds the repository of a work tree without starting git. `.git` is a folder, or a file in linked
 * work trees and submodules. Null without a repository; `root` must be the top of the work tree.
 */
export function findGit(root: string): GitLayout | null {
  const dotGit = path.join(root, '.git');
  const pointer = textOf(dotGit);
  const target = pointer === null ? null : /^gitdir: (.+)$/m.exec(pointer)?.[1];
  if (target === undefined) return null;
  const directory = target === null ? dotGit : path.resolve(root, target);
  if (textOf(path.join(directory, 'HEAD')) === null) return null;
  const common = textOf(path.join(directory, 'commondir'));
  return { directory, common: common === null ? directory : path.resolve(directory, common.trim()) };
}

/** Reads HEAD: the branch's full ref, null when detached; and the commit, null before the first. */
export function readHead(layout: GitLayout): { ref: string | null; sha: string | null } {
  const head = (textOf(path.join(layout.directory, 'HEAD')) ?? '').trim();
  const ref = /^ref: (.+)$/.exec(head)?.[1] ?? null;
  if (ref === null) return { ref, sha: isSha(head) ? head : null };
  const loose = (
    textOf(path.join(layout.directory, ref)) ??
    textOf(path.join(layout.common, ref)) ??
    ''
  ).trim();
  if (isSha(loose)) return { ref, sha: loose };
  const packed = textOf(path.join(layout.common, 'packed-refs')) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`));
  const sha = line?.slice(0, line.indexOf(' ')) ?? '';
  return { ref, sha: isSha(sha) ? sha : null };
}

/** True for a full object name of SHA-1 or SHA-256. */
export function isSha(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
