/** What `branch.template` may name in double braces. */
export const branchPlaceholders = [
  'prefix',
  'entityType',
  'entityNumber',
  'timestamp',
  'date',
  'slug',
  'sha',
  'requester',
  'run',
] as const;
export type BranchPlaceholder = (typeof branchPlaceholders)[number];

/** The first name in double braces that is none of them; null where there is none. */
export function unknownPlaceholder(template: string): string | null {
  const known = new Set<string>(branchPlaceholders);
  const named = [...template.matchAll(/\{\{\s*(.*?)\s*\}\}/gu)].map(([, name]) => name ?? '');
  return named.find((name) => !known.has(name)) ?? null;
}
