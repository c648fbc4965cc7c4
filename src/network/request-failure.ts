/** Kinds of failed requests. */
export type FailureKind =
  /** Forbidden by scheme, address or redirect. */
  | 'refused'
  /** Its host is not among those that may be asked. */
  | 'not_allowed'
  /** The answer is larger than may be. */
  | 'too_large'
  /** Nothing came in time, or not all. */
  | 'timeout'
  /** There was no connection, or it broke off. */
  | 'unreachable';

/**
 * A failed request. The message is a clause with the request as its subject, without the URL's
 * query.
 */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
