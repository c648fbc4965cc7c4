/** True if an API call failed because the object is missing or hidden from the token. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404;
}
