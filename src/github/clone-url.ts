/** Where git clones a repository from, without credentials; `serverUrl` has no slash at its end. */
export function cloneUrl(serverUrl: string, owner: string, repository: string): string {
  return `${serverUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}.git`;
}
