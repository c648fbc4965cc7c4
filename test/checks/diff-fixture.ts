import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { CheckedDiff } from '../../src/checks/changed-file.ts';
import { collectDiff } from '../../src/checks/collect-diff.ts';
import type { OwnGit } from '../../src/workspace/git/own-git.ts';

type Content = string | Buffer | null | { readonly link: string };

/** Files by path: text or bytes, null for one that goes, `{link}` for a link to there. */
export type Tree = Readonly<Record<string, Content>>;

/** A repository in a temporary folder with a commit for each state; a later state changes what it names. */
export function repositoryOf(...states: readonly Tree[]): { root: string; git: OwnGit; commits: string[] } {
  const root = mkdtempSync(path.join(os.tmpdir(), 'checked-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (args: readonly string[], input?: Buffer) =>
    execFileSync('git', args, { cwd: root, ...(input === undefined ? {} : { input }) }).toString();
  git(['init', '-q', '-b', 'main']);
  // One process for all commits: git add and commit would be two each.
  git(['fast-import', '--quiet'], Buffer.concat(states.flatMap((state, index) => commitOf(state, index))));
  for (const [name, content] of states.flatMap((state) => Object.entries(state)))
    write(path.join(root, name), content);
  const commits = git(['rev-list', '--reverse', 'main']).trim().split('\n');
  return { root, git: { cwd: root, gitDirectory: path.join(root, '.git') }, commits };
}

/** A commit as git-fast-import reads it. */
function commitOf(state: Tree, index: number): Buffer[] {
  const head = `commit refs/heads/main\ncommitter T <t@e.x> ${index + 1} +0000\ndata 1\nx\n`;
  return [
    Buffer.from(head),
    ...Object.entries(state).flatMap(([name, content]) => {
      if (content === null) return [Buffer.from(`D ${name}\n`)];
      const isLink = typeof content === 'object' && 'link' in content;
      const bytes = Buffer.from(isLink ? content.link : content);
      const mode = isLink ? '120000' : '100644';
      return [Buffer.from(`M ${mode} inline ${name}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')];
    }),
    Buffer.from('\n'),
  ];
}

function write(file: string, content: Content): void {
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  if (content === null) return;
  if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file);
  else writeFileSync(file, content);
}

/** The diff between two states of a repository, as the checks get it. */
export async function diffOf(before: Tree, after: Tree): Promise<CheckedDiff> {
  const { git, commits } = repositoryOf(before, after);
  return collectDiff(git, commits[0] ?? '', commits[1] ?? '');
}
