/**
 * Returns the path of ripgrep: the packaged binary, or the system's `rg`. Resolved on first use,
 * because the package throws on import without a binary for the platform.
 */
export async function ripgrepPath(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return 'rg';
  }
}

/**
 * Arguments of every search: no configuration of machine or user, never git's own folder or ours,
 * and `.gitignore` with or without a repository. `.ignore` and `.rgignore` do not count, as a
 * change could hide its files from a reviewer by them. Links are never followed.
 */
export const ripgrepBase = [
  '--no-config',
  '--no-follow',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-dot',
  '--glob=!.git',
  '--glob=!.anode-harness',
] as const;
