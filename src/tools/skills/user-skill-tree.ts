import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { append } from '../../contract/lists.ts';
import { createConfinedFiles } from '../../workspace/files/create-confined-files.ts';
import { type SteeringFile, type SteeringTree, steeringIn } from '../../workspace/git/steering-tree.ts';

/**
 * Returns the tree of the operator's own skills. Links to folders directly in it are followed, as
 * people link their settings repositories. Links further down belong to a skill's author and are
 * not.
 */
export function userSkillTree(folder: string): SteeringTree {
  const own = treeOf(folder);
  const linked = new Map(linkedFolders(folder).map(([name, target]) => [name, treeOf(target)]));
  const within = async (name: string, tree: SteeringTree, rest: readonly [string, number, number]) =>
    (await tree.below(...rest)).map((file): SteeringFile => ({ ...file, path: `${name}/${file.path}` }));
  return {
    async below(at, depth, most) {
      const [name = '', ...inner] = at.split('/');
      const other = linked.get(name);
      if (other !== undefined) return within(name, other, [inner.join('/'), depth, most]);
      const found = [...(await own.below(at, depth, most))];
      if (at === '' && depth > 1)
        for (const [link, tree] of linked) append(found, await within(link, tree, ['', depth - 1, most]));
      return found.slice(0, most);
    },
    async read(paths) {
      const texts = new Map<string, Buffer>();
      for (const wanted of paths) {
        const [name = '', ...inner] = wanted.split('/');
        const tree = linked.get(name);
        const at = tree === undefined ? wanted : inner.join('/');
        const bytes = (await (tree ?? own).read([at])).get(at);
        if (bytes !== undefined) texts.set(wanted, bytes);
      }
      return texts;
    },
  };
}

function treeOf(folder: string): SteeringTree {
  return steeringIn(createConfinedFiles({ root: folder, readOnlyRoots: [] }));
}

/** Returns the links of a folder that lead to folders, by name. */
function linkedFolders(folder: string): [string, string][] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .flatMap(({ name }): [string, string][] => {
      const target = path.join(folder, name);
      const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
      return isFolder ? [[name, realpathSync(target)]] : [];
    });
}
