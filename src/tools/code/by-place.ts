/** Compares locations by path and line; other repositories (`../`) come after the workspace. */
export function byPlace(
  a: { readonly path: string; readonly line: number; readonly column?: number },
  b: { readonly path: string; readonly line: number; readonly column?: number },
): number {
  const outside = Number(a.path.startsWith('../')) - Number(b.path.startsWith('../'));
  if (outside !== 0) return outside;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
