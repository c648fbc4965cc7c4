/** Returns the clone URL of a repository without credentials; `serverUrl` has no trailing slash. */
export function cloneUrl(serverUrl: string, owner: string, repository: string): string {
  return `${serverUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}.git`;
}
