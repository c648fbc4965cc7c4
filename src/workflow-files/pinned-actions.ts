/** Commits and versions of the actions of others that our workflows use. */
const pinned = {
  'actions/cache': '0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0',
  'actions/checkout': '08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  'actions/create-github-app-token': '67018539274d69449ef7c02e8e71183d1719ab42 # v2.1.4',
  'actions/upload-artifact': 'ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  'github/codeql-action/upload-sarif': '0d579ffd059c29b07949a3cce3983f0780820c98 # v4.32.6',
} as const;

/** Returns a `uses:` value with the full commit, and the version as a comment. */
export const pinnedAction = (name: keyof typeof pinned): string => `${name}@${pinned[name]}`;

/** Returns the pin of an action that we use too; null for another action, or a newer version. */
export function knownPin(uses: string): { readonly reference: string; readonly version: string } | null {
  const [name = '', asked = ''] = uses.split('@');
  const [commit, version] = (Object.entries(pinned).find(([action]) => action === name)?.[1] ?? '').split(
    ' # ',
  );
  const isNewer = Number.parseInt(asked.slice(1), 10) > Number.parseInt(version?.slice(1) ?? '', 10);
  return commit && version && !isNewer ? { reference: `${name}@${commit}`, version } : null;
}

/** Returns a `uses:` value with the full commit of an action; a pattern for an unknown one. */
export function pinnedInstead(uses: string): string {
  const [name = '', version = 'version'] = uses.split('@');
  const known = Object.entries(pinned).find(([action]) => action === name)?.[1];
  return `${name}@${known ?? `<full commit> # ${version}`}`;
}
