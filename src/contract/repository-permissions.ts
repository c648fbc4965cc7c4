/** Permissions of an account (GitHub Docs, "Repository roles for an organization"). */
export const repositoryPermissions = ['admin', 'maintain', 'write', 'triage', 'read', 'none'] as const;

const writers: ReadonlySet<string> = new Set(['admin', 'maintain', 'write']);

/** Returns true if an account may push. */
export function canWrite({ permission }: { readonly permission: string }): boolean {
  return writers.has(permission);
}
