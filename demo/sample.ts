import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files by their path in the repository. */
export type Tree = Readonly<Record<string, string>>;

/** Replaces the one place where `old` stands in a file. */
export interface Edit {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

/** The repository which the demo and the tests play with: a small real project with one bug and one wish. */
export interface Sample {
  /** The default branch. */
  readonly base: Tree;
  /** A pull request whose code is wrong; its last test fails. `files` are new or changed against `base`. */
  readonly pullRequest: {
    readonly branch: string;
    readonly title: string;
    readonly body: string;
    readonly files: Tree;
  };
  /** What is right in the pull request; `line` counts from 1 in the file as the pull request has it. */
  readonly fix: Edit & { readonly line: number };
  /** A wish for the default branch, and what fulfils it: its tests pass on `base` with `files` and `edits`. */
  readonly issue: {
    readonly title: string;
    readonly body: string;
    readonly files: Tree;
    readonly edits: readonly Edit[];
  };
  readonly testCommand: string;
}

const fix: Edit = {
  path: 'src/merge-ranges.js',
  old: 'last.to = range.to;',
  new: 'last.to = Math.max(last.to, range.to);',
};

/** Reads the sample from `demo/sample/`. Throws when the fix does not stand where it should. */
export function loadSample(): Sample {
  const folder = path.join(import.meta.dirname, 'sample');
  const files = readTree(path.join(folder, 'pull-request'));
  return {
    base: readTree(path.join(folder, 'base')),
    pullRequest: {
      branch: 'merge-ranges',
      title: 'Merge ranges that overlap or touch',
      body: [
        'Adds `mergeRanges`, which turns a list of ranges into the fewest that hold the same days.',
        '',
        'The last test fails and I do not see why: the ranges are sorted by their start.',
      ].join('\n'),
      files,
    },
    fix: { ...fix, line: lineOf(files[fix.path], fix) },
    issue: {
      title: 'List every date of a range',
      body: [
        'I often need the single dates of a range, for the columns of a calendar.',
        '',
        'Could there be an `eachDay(range)` that gives them in order, written like `2026-02-27`? It should not',
        'build the whole list when I only want the first few.',
      ].join('\n'),
      files: readTree(path.join(folder, 'issue')),
      edits: [
        {
          path: 'src/index.js',
          old: "export { contains, countDays, createRange } from './range.js';",
          new: "export { eachDay } from './each-day.js';\nexport { contains, countDays, createRange } from './range.js';",
        },
      ],
    },
    testCommand: 'node --test',
  };
}

/** The tree with one edit made. Throws when `old` does not stand in the file exactly once. */
export function applyEdit(tree: Tree, edit: Edit): Tree {
  lineOf(tree[edit.path], edit);
  return { ...tree, [edit.path]: (tree[edit.path] ?? '').replace(edit.old, () => edit.new) };
}

function lineOf(text: string | undefined, edit: Edit): number {
  const parts = text?.split(edit.old) ?? [];
  if (parts.length !== 2) {
    throw new Error(
      `${edit.path}: ${JSON.stringify(edit.old)} has to stand there once, not ${Math.max(0, parts.length - 1)} times`,
    );
  }
  return (parts[0] ?? '').split('\n').length;
}

function readTree(folder: string): Tree {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
