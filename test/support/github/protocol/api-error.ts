/**
 * A refusal in GitHub's wording; the server converts it into `{message, errors,
 * documentation_url}`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    errors?: readonly unknown[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** 404, which GitHub also answers if the token may not know of the object. */
export const notFound = () => new ApiError(404, 'Not Found');

/**
 * 403 as an app's token gets it where a permission is missing: `contents=write` stands in a header (GitHub Docs,
 * "Troubleshooting the REST API").
 */
export const notAccessible = (accepted?: string) =>
  new ApiError(
    403,
    'Resource not accessible by integration',
    undefined,
    accepted === undefined ? {} : { 'x-accepted-github-permissions': accepted },
  );

/** 422 in the form that names resource, field and code. */
export const validationFailed = (resource: string, field: string, code: string, message?: string) =>
  new ApiError(422, 'Validation Failed', [
    { resource, field, code, ...(message === undefined ? {} : { message }) },
  ]);

/** 422 of a request for a token with more than the installation has. Observed, in the recorded refusals. */
export const notGranted = () =>
  new ApiError(422, 'The permissions requested are not granted to this installation.');
