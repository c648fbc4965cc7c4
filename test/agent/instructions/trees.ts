import type { TrustedTree } from '../../../src/workspace/git/trusted-tree.ts';

/** A tree of instruction files from texts, with a log of the files read. */
export interface TextTree extends TrustedTree {
  readonly texts: Record<string, string>;
  readonly asked: string[];
}

/** What a commit would be with these files and no others. */
export function treeOf(texts: Record<string, string>): TextTree {
  const asked: string[] = [];
  return {
    texts,
    asked,
    async below(folder, depth, most) {
      const start = folder === '' ? '' : `${folder}/`;
      return Object.entries(texts)
        .filter(([path]) => path.startsWith(start) && path.slice(start.length).split('/').length <= depth)
        .map(([path, text]) => ({ path, size: text.length, executable: false }))
        .slice(0, most);
    },
    async read(paths) {
      asked.push(...paths);
      return new Map(
        paths.flatMap((path) => (path in texts ? [[path, Buffer.from(texts[path] ?? '')]] : [])),
      );
    },
  };
}
