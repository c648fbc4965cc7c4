import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';
import type { SearchRoot } from './search-root.ts';

/**
 * True where a `.gitignore` lies above the repository itself. ripgrep would follow it, and find nothing in a checkout
 * that lies in an ignored folder of another; git does not. It is then told to leave everything above the searched folder
 * alone, and what it finds is filtered by the repository's own rules.
 */
export function hasOuterRules(workspace: Workspace, root: SearchRoot): boolean {
  const top = root.repository?.root ?? workspace.root;
  for (let folder = path.dirname(top); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.gitignore'))) return true;
    if (folder === '/') return false;
  }
}
