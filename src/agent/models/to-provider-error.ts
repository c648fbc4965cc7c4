import type { Json } from '../../contract/json.ts';
import { ProviderError, type ProviderProblem } from './provider-error.ts';
import { readProviderRefusal, readRefusalValue } from './read-refusal.ts';

// Loaded when something has failed, and not before.

/** The common part of the SDKs' `APIError` classes. */
export interface ApiErrorLike extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** The body, or its `error`, as parsed. */
  readonly error?: unknown;
  readonly type?: string | null | undefined;
  readonly code?: string | null | undefined;
}
export type ApiErrorClass = abstract new (...args: never[]) => ApiErrorLike;

/**
 * Converts any error of an SDK's request or stream to a `ProviderError`. The kind is read from
 * status codes and the providers' own error types, never from the message.
 */
export function toProviderError(error: unknown, ApiError: ApiErrorClass): ProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderError) return cause;
  }
  if (error instanceof ApiError) {
    const known = readRefusalValue((error.error ?? null) as Json);
    const codes = [...known.codes, error.code ?? '', error.type ?? ''].filter((code) => code !== '');
    const message = known.text === '' ? error.message : known.text;
    const refusal = { ...known, codes };
    if (error.status === undefined)
      return new ProviderError(tooLongOr(problemOfCodes(codes), message), message, { refusal, cause: error });
    return new ProviderError(tooLongOr(problemOfStatus(error.status, codes), message), message, {
      status: error.status,
      retryAfterMs: retryAfter(error.headers ?? new Headers(), Date.now()),
      refusal,
      cause: error,
    });
  }
  const text = error instanceof Error ? error.message : String(error);
  return new ProviderError('broken', `what came is not a valid event stream (${text})`, { cause: error });
}

/** An error that came as an event inside a stream, after status 200. */
export function streamError(error: Json): ProviderError {
  const refusal = readRefusalValue(error);
  const text = refusal.text === '' ? 'an error without a word of why came in the stream' : refusal.text;
  return new ProviderError(tooLongOr(problemOfCodes(refusal.codes), text), text, { refusal });
}

/** A refusal as it came over HTTP: its status, headers and body. */
export function refusalError(status: number, headers: Headers, body: string): ProviderError {
  const known = readProviderRefusal(body);
  // Amazon's services name the kind in a header.
  const kind = headers.get('x-amzn-errortype')?.replace(/[:#].*$/, '');
  const refusal = { ...known, codes: [...known.codes, ...(kind === undefined ? [] : [kind])] };
  const text = known.text === '' ? 'without a word of why' : known.text;
  // An error under a status of success has its own status among its codes, or is about the request.
  const effective = status >= 400 ? status : (refusal.codes.map(Number).find((code) => code >= 400) ?? 400);
  return new ProviderError(tooLongOr(problemOfStatus(effective, refusal.codes), text), `${status} ${text}`, {
    status,
    retryAfterMs: retryAfter(headers, Date.now()),
    refusal,
  });
}

/**
 * The problem behind an HTTP status; `codes` are the error types and codes of the body, the first
 * that is known counts.
 */
export function problemOfStatus(status: number, codes: readonly string[]): ProviderProblem {
  const known = codes.map((code) => certain.get(code)).find((problem) => problem !== undefined);
  if (known !== undefined) return known;
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'quota';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 408 || status === 409 || status === 424) return 'server_error';
  if (status === 413) return 'too_long';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server_error' : 'rejected';
}

/** Types and codes that say more than the status they come with. */
const certain: ReadonlyMap<string, ProviderProblem> = new Map<string, ProviderProblem>([
  ['insufficient_quota', 'quota'],
  ['billing_error', 'quota'],
  ['billing_hard_limit_reached', 'quota'],
  ['credit_balance_too_low', 'quota'],
  // Z.ai: the balance is used up; the period of a plan is; the contents were refused.
  ['1113', 'quota'],
  ['1308', 'quota'],
  ['1301', 'refused'],
  ['overloaded_error', 'overloaded'],
  ['slow_down', 'overloaded'],
  ['context_length_exceeded', 'too_long'],
  ['request_too_large', 'too_long'],
  ['exceed_context_size_error', 'too_long'],
  ['content_filter', 'refused'],
  ['content_policy_violation', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  ['data_inspection_failed', 'refused'],
  ['tool_use_failed', 'unread_call'],
  ['model_not_found', 'not_found'],
  ['invalid_api_key', 'unauthorized'],
  // Google answers a wrong key with 400.
  ['API_KEY_INVALID', 'unauthorized'],
  // Amazon answers a wrong sign-in with 403.
  ['UnrecognizedClientException', 'unauthorized'],
  ['InvalidSignatureException', 'unauthorized'],
  ['ExpiredTokenException', 'unauthorized'],
]);

const typesInStream: ReadonlyMap<string, ProviderProblem> = new Map<string, ProviderProblem>([
  ...certain,
  ['rate_limit_error', 'rate_limited'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['invalid_request_error', 'rejected'],
  ['invalid_prompt', 'rejected'],
  ['authentication_error', 'unauthorized'],
  ['permission_error', 'forbidden'],
  ['not_found_error', 'not_found'],
  // Names of the frames of AWS's event streams (Bedrock's reference,
  // InvokeModelWithResponseStream).
  ['throttlingException', 'rate_limited'],
  ['serviceUnavailableException', 'overloaded'],
  ['validationException', 'rejected'],
  ['accessDeniedException', 'forbidden'],
]);

/**
 * Returns the problem of an error inside a stream, after status 200: the first known code or type,
 * or one that is an HTTP status. Unknown ones may pass.
 */
export function problemOfCodes(codes: readonly string[]): ProviderProblem {
  const known = codes.map((code) => typesInStream.get(code)).find((problem) => problem !== undefined);
  const status = codes.map(Number).find((code) => code >= 400 && code <= 599);
  return known ?? (status === undefined ? 'server_error' : problemOfStatus(status, []));
}

/**
 * The wait in `Retry-After`, in milliseconds: seconds or an HTTP date (RFC 9110, section 10.2.3),
 * or the more precise `retry-after-ms` that both vendors send. Null where there is none or it makes
 * no sense.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number.parseFloat(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Providers' texts for a request that is longer than the window. Only this kind is recognised by
 * its text: most have no code for it. If it counted as malformed, it would end a run that a shorter
 * conversation can save.
 */
const tooLong =
  /prompt is too long|input is too long for|exceeds? the (?:model's )?context window|maximum context length|context[ _]length[ _]exceeded|input token count.{0,40}exceeds|maximum prompt length is|reduce the length of the messages|exceeds the available context size|greater than the context length|exceeded model token limit|too large for model with/i;

function tooLongOr(problem: ProviderProblem, message: string): ProviderProblem {
  return problem === 'rejected' && tooLong.test(message) ? 'too_long' : problem;
}
