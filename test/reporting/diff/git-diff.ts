import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder's content: text or bytes by path. */
export type Tree = Readonly<Record<string, string | Buffer>>;

/** A real git repository in a temporary folder, to get real diffs from. */
export interface DiffRepository {
  readonly folder: string;
  /** The diff git makes between two trees, renames found, binary files in full. */
  diff(before: Tree, after: Tree): string;
  /** Applies a patch to a tree with `git apply` and gives back the text of one file. */
  apply(before: Tree, patch: string, path: string): string;
  close(): void;
}

export function createDiffRepository(): DiffRepository {
  const folder = mkdtempSync(join(tmpdir(), 'anode-diff-'));
  const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (args: string[], input?: string) =>
    execFileSync('git', args, { cwd: folder, env: environment, input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  git(['init', '--quiet']);
  const known = new Map<Tree, string>();
  const treeOf = (tree: Tree): string => {
    const made = known.get(tree) ?? makeTree(tree);
    known.set(tree, made);
    return made;
  };
  const makeTree = (tree: Tree): string => {
    rmSync(join(folder, '.git/index'), { force: true });
    const entries = Object.entries(tree).map(([path, content]) => {
      const file = join(folder, '.content');
      writeFileSync(file, content);
      return `100644 ${git(['hash-object', '-w', '.content']).trim()}\t${path}\0`;
    });
    git(['update-index', '-z', '--index-info'], entries.join(''));
    return git(['write-tree']).trim();
  };
  return {
    folder,
    diff: (before, after) => git(['diff', '--binary', '-M', treeOf(before), treeOf(after)]),
    apply(before, patch, path) {
      makeTree(before);
      git(['apply', '--cached', '--whitespace=nowarn'], patch);
      return git(['show', `:${path}`]);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
