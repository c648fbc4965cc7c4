import type { Workspace } from '../../workspace/workspace.ts';
import { ripgrepBase, ripgrepPath } from './ripgrep-path.ts';
import { runFirst } from './run-search.ts';
import type { SearchRoot } from './search-root.ts';

/** Paths of a big repository take more than matches do. */
const listingBytes = 16 * 1024 * 1024;

/**
 * Paths of the files under a folder, relative to the workspace and sorted; ignored files left out.
 * `truncated` tells that there were more than 16 MiB of names.
 */
export async function listFiles(
  workspace: Workspace,
  root: SearchRoot,
  options: { readonly hidden: boolean; readonly signal: AbortSignal },
): Promise<{ paths: string[]; truncated: boolean }> {
  const common = {
    cwd: workspace.root,
    signal: options.signal,
    separator: '\0' as const,
    maxBytes: listingBytes,
  };
  const output = await runFirst([
    {
      ...common,
      program: await ripgrepPath(),
      arguments: [
        ...ripgrepBase,
        ...(options.hidden ? ['--hidden'] : []),
        '--files',
        '--null',
        '--',
        root.path,
      ],
    },
    {
      ...common,
      program: 'git',
      arguments: [
        ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'],
        ...['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', root.path],
      ],
    },
    {
      ...common,
      program: 'find',
      arguments: [`./${root.path}`, ...'-name .git -prune -o -type f -print0'.split(' ')],
    },
  ]);
  const paths = output.stdout
    .split('\0')
    .map((path) => path.replace(/^(?:\.\/)+/, ''))
    .filter((path) => path !== '' && (options.hidden || !isHidden(path, root.path)));
  return { paths: [...new Set(paths)].sort(), truncated: output.truncated };
}

function isHidden(path: string, root: string): boolean {
  const below = root === '.' ? path : path.slice(root.length + 1);
  return below.split('/').some((part) => part.startsWith('.'));
}
