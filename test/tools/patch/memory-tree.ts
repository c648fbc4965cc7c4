import { ToolError } from '../../../src/contract/errors.ts';
import { parsePatch } from '../../../src/tools/patch/parse-patch.ts';
import { planPatch } from '../../../src/tools/patch/plan-patch.ts';
import { confinePath, refuseProtected } from '../../../src/workspace/files/confine-path.ts';
import type { ConfinedFiles } from '../../../src/workspace/files/confined-files.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

export interface MemoryFile {
  readonly content: Buffer;
  readonly mode: number;
}
export type MemoryTree = ReadonlyMap<string, MemoryFile>;

const root = '/srv/tree';

/** A work tree in memory, confined by the same rules, so ten thousand patches take seconds. */
export function memoryWorkspace(tree: MemoryTree): Workspace {
  const at = (given: string): string => {
    const { relative } = confinePath(given, root, []);
    refuseProtected(relative, 'read');
    return relative;
  };
  const files: Pick<ConfinedFiles, 'relative' | 'stat' | 'read' | 'missing'> = {
    relative: (given) => confinePath(given, root, []).displayPath,
    async stat(given) {
      const path = at(given);
      const file = tree.get(path);
      if (file !== undefined) return { kind: 'file', size: file.content.length, mode: file.mode };
      const folder = path === '' || [...tree.keys()].some((one) => one.startsWith(`${path}/`));
      return folder ? { kind: 'directory', size: 0, mode: 0o755 } : null;
    },
    missing: (given) => new ToolError('not_found', `${given} does not exist.`),
    async read(given) {
      const file = tree.get(at(given));
      if (file === undefined) throw new Error(`${given} is read but was not found`);
      return { bytes: file.content, size: file.content.length, mode: file.mode };
    },
  };
  return { root, start: '', files, memory: { saw() {}, check() {} } } as unknown as Workspace;
}

/** The tree after a patch, which is refused with what `planPatch` throws. */
export async function applied(tree: MemoryTree, patch: string): Promise<Map<string, MemoryFile>> {
  const { files } = await planPatch(memoryWorkspace(tree), parsePatch(patch));
  const after = new Map(tree);
  for (const file of files) {
    refuseProtected(confinePath(file.path, root, []).relative, 'write');
    if (file.after === null) after.delete(file.path);
    else after.set(file.path, { content: Buffer.from(file.after.content), mode: file.after.mode });
  }
  return after;
}

/** A tree as plain data: what two trees are compared by. */
export function plain(tree: MemoryTree): Record<string, string> {
  const entries = [...tree].map(([path, { content, mode }]): [string, string] => [
    path,
    `${(mode & 0o100) === 0 ? 644 : 755} ${content.toString('utf8')}`,
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
