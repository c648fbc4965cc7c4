import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';
import type { SearchRoot } from './search-root.ts';

/**
 * True if a `.gitignore` lies above the repository itself. ripgrep would follow it, unlike git, and
 * find nothing in a checkout inside an ignored folder. ripgrep then ignores all rules above the
 * searched folder, and its results are filtered by the repository's own rules.
 */
export function hasOuterRules(workspace: Workspace, root: SearchRoot): boolean {
  const top = root.repository?.root ?? workspace.root;
  for (let folder = path.dirname(top); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.gitignore'))) return true;
    if (folder === '/') return false;
  }
}
