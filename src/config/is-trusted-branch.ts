/**
 * True where a branch is one of those that the default branch trusts to steer runs: by its name, or by its beginning
 * where the pattern ends in `*`.
 */
export function isTrustedBranch(branch: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? branch.startsWith(pattern.slice(0, -1)) : branch === pattern,
  );
}
