import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { CheckedDiff } from '../../src/checks/changed-file.ts';
import { collectDiff } from '../../src/checks/collect-diff.ts';
import type { OwnGit } from '../../src/workspace/own-git.ts';

/** Files by path: text or bytes, null for one that goes, `{link}` for a link to there. */
export type Tree = Readonly<Record<string, string | Buffer | null | { readonly link: string }>>;

const person = {
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@e.x',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@e.x',
};

/** A repository in a temporary folder with a commit for each state; a later state changes what it names. */
export function repositoryOf(...states: readonly Tree[]): { root: string; git: OwnGit; commits: string[] } {
  const root = mkdtempSync(path.join(os.tmpdir(), 'checked-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'commit.gpgsign=false', ...args], {
      cwd: root,
      env: { ...process.env, ...person },
    }).toString();
  git('init', '-q', '-b', 'main');
  const commits = states.map((state) => {
    for (const [name, content] of Object.entries(state)) write(path.join(root, name), content);
    git('add', '-A', '-f');
    git('commit', '-q', '--allow-empty', '-m', 'A change');
    return git('rev-parse', 'HEAD').trim();
  });
  return { root, git: { cwd: root, gitDirectory: path.join(root, '.git') }, commits };
}

function write(file: string, content: Tree[string] | undefined): void {
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  if (content === null || content === undefined) return;
  if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file);
  else writeFileSync(file, content);
  if (file.endsWith('.sh')) chmodSync(file, 0o755);
}

/** The diff between two states of a repository, as the checks get it. */
export async function diffOf(before: Tree, after: Tree): Promise<CheckedDiff> {
  const { git, commits } = repositoryOf(before, after);
  return collectDiff(git, commits[0] ?? '', commits[1] ?? '');
}
