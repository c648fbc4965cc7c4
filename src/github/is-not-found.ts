/** Whether an API call failed because there is no such thing, or none that the token may see. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404;
}
