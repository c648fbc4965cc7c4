import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import type { ChangeSet } from '../../contract/change.ts';
import type { OwnGit } from '../git/own-git.ts';
import { gitLine, runGit } from '../git/run-git.ts';
import { changesBetween } from './final-changes.ts';

/**
 * Returns the change set that gives existing files of a commit new contents. It is made in git's
 * object store, so no work tree, filter or line-end conversion takes part. Modes stay. Throws for a
 * path that is no regular file in the commit.
 */
export async function changesByTexts(
  git: OwnGit,
  sha: string,
  texts: ReadonlyMap<string, string>,
): Promise<ChangeSet> {
  const modes = await modesAt(git, sha, [...texts.keys()]);
  const entries: string[] = [];
  for (const [file, text] of texts) {
    const mode = modes.get(file);
    if (mode === undefined) throw new Error(`${sha} has no regular file ${file}.`);
    const object = await gitLine(['hash-object', '-w', '--no-filters', '--stdin'], { ...git, stdin: text });
    entries.push(`${mode} ${object}\t${file}\0`);
  }
  const indexFile = path.join(git.gitDirectory, `texts-${randomBytes(6).toString('hex')}.index`);
  const place = { ...git, indexFile };
  try {
    await runGit(['read-tree', sha], place);
    await runGit(['update-index', '-z', '--index-info'], { ...place, stdin: entries.join('') });
    const tree = await gitLine(['write-tree', '--missing-ok'], place);
    return await changesBetween(git, await gitLine(['rev-parse', `${sha}^{tree}`], git), tree, sha);
  } finally {
    await rm(indexFile, { force: true });
  }
}

async function modesAt(git: OwnGit, sha: string, paths: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await runGit(
    ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', sha, '--', ...paths],
    git,
  );
  const entries = stdout.toString('utf8').split('\0');
  return new Map(
    entries.flatMap((entry) => {
      const [, mode, name] = /^(100\d+) blob [0-9a-f]+\t(.*)$/s.exec(entry) ?? [];
      return mode === undefined || name === undefined ? [] : [[name, mode] as const];
    }),
  );
}
