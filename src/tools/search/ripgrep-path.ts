/**
 * Where ripgrep is: the packaged binary, or whatever `rg` the system has. Found on first use, because the
 * package throws on import where its platform binary is missing.
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
 * Arguments that hold for every search: no configuration of the machine or user, git's own folder and ours never,
 * `.gitignore` honoured with or without a repository, `.ignore` and `.rgignore` not, with which a change could hide
 * its files from a reviewer and from nobody else. Links are never followed.
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
