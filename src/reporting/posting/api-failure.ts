/** An answer of GitHub's API that is no success, or none at all. */
export interface ApiFailure {
  /** The HTTP status; 500 stands for a broken connection too, 200 for errors in a GraphQL answer. */
  readonly status: number;
  readonly message: string;
  /** The types of GraphQL errors: `STALE_DATA`, `FORBIDDEN`. */
  readonly types: readonly string[];
}

/**
 * Reads an error that Octokit threw: its `RequestError` carries a `status`, its `GraphqlResponseError` the
 * `errors` of the answer. Null for any other error, which is a defect and not ours to handle.
 */
export function readApiFailure(error: unknown): ApiFailure | null {
  if (!(error instanceof Error)) return null;
  if ('status' in error && typeof error.status === 'number') {
    return { status: error.status, message: error.message, types: [] };
  }
  if (error.name === 'GraphqlResponseError' && 'errors' in error && Array.isArray(error.errors)) {
    const types = error.errors.flatMap((one: unknown) =>
      typeof one === 'object' && one !== null && 'type' in one && typeof one.type === 'string'
        ? [one.type]
        : [],
    );
    return { status: 200, message: error.message, types };
  }
  return null;
}
