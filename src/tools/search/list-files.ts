import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { ripgrepBase, ripgrepPath } from './ripgrep-path.ts';
import { runSearch } from './run-search.ts';
import type { SearchRoot } from './search-root.ts';

/** Paths of a big repository take more than matches do. */
const listingBytes = 16 * 1024 * 1024;

/** A program that can list files, ending each path with a NUL. */
export interface Listing {
  readonly program: () => Promise<string>;
  readonly arguments: (root: SearchRoot) => string[];
}

/** The programs that list files, best first; only the last one shows ignored files too. */
export const listings: readonly Listing[] = [
  {
    program: ripgrepPath,
    arguments: (root) => [...ripgrepBase, '--hidden', '--files', '--null', '--', root.path],
  },
  {
    program: async () => 'git',
    arguments: (root) => [
      ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'],
      ...['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', root.path],
    ],
  },
  {
    program: async () => 'find',
    arguments: (root) => [`./${root.path}`, ...'-name .git -prune -o -type f -print0'.split(' ')],
  },
];

/**
 * Paths of the files under a folder, relative to the workspace and sorted; ignored files left out.
 * `truncated` tells that there were more than 16 MiB of names.
 */
export async function listFiles(
  workspace: Workspace,
  root: SearchRoot,
  options: { readonly hidden: boolean; readonly signal: AbortSignal },
  programs: readonly Listing[] = listings,
): Promise<{ paths: string[]; truncated: boolean }> {
  for (const listing of programs) {
    const program = await listing.program();
    const paths = new Set<string>();
    let bytes = 0;
    const output = await runSearch({
      program,
      arguments: listing.arguments(root),
      cwd: workspace.root,
      signal: options.signal,
      separator: '\0',
      onRecord: (record) => {
        bytes += record.length + 1;
        if (bytes > listingBytes) return false;
        const path = record.replace(/^(?:\.\/)+/, '');
        if (path !== '' && !path.endsWith('/') && (options.hidden || !isHidden(path, root.path)))
          paths.add(path);
        return true;
      },
    });
    if (output === null || (program === 'git' && output.exitCode === 128)) continue;
    return { paths: [...paths].sort(), truncated: bytes > listingBytes };
  }
  throw new ToolError(
    'unavailable',
    'No program that lists files is installed here. Use read on files you know.',
  );
}

function isHidden(path: string, root: string): boolean {
  const below = root === '.' ? path : path.slice(root.length + 1);
  return below.split('/').some((part) => part.startsWith('.'));
}
