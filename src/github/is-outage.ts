/** Whether an error of Octokit says that GitHub is down or turns everybody away, so that the same request may do later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return false;
  return error.status >= 500 || error.status === 429;
}
