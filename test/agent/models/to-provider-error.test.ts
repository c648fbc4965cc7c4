import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/agent/models/provider-error.ts';
import {
  problemOfCodes,
  problemOfStatus,
  retryAfter,
  toProviderError,
} from '../../../src/agent/models/to-provider-error.ts';

class ApiError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly code: string | null;

  constructor(status: number | undefined, code: string | null, message: string, headers?: Headers) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

describe('problemOfStatus', () => {
  it('derives the problem from the status, and an exhausted quota from the type', () => {
    const statuses = [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529];
    expect(Object.fromEntries(statuses.map((status) => [status, problemOfStatus(status, [])]))).toEqual({
      400: 'rejected',
      401: 'unauthorized',
      402: 'quota',
      403: 'forbidden',
      404: 'not_found',
      408: 'server_error',
      413: 'too_long',
      422: 'rejected',
      429: 'rate_limited',
      500: 'server_error',
      502: 'server_error',
      503: 'overloaded',
      529: 'overloaded',
    });
    expect(problemOfStatus(429, ['insufficient_quota'])).toBe('quota');
  });
});

describe('retryAfter', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  it.each([
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '12' }, 250],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('converts %j to %j ms', (headers, expected) => {
    expect(retryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});

describe('toProviderError', () => {
  const about = (error: unknown) => {
    const { problem, status, retryAfterMs, message } = toProviderError(error, ApiError);
    return { problem, status, retryAfterMs, message };
  };

  it("finds our own error inside an SDK's wrappers", () => {
    const own = new ProviderError('idle', 'nothing came');
    expect(toProviderError(new Error('Connection error.', { cause: own }), ApiError)).toBe(own);
  });

  it('reads status, type and wait from an API error', () => {
    const headers = new Headers({ 'retry-after': '3' });
    expect(about(new ApiError(429, 'rate_limit_exceeded', '429 slow down', headers))).toEqual({
      problem: 'rate_limited',
      status: 429,
      retryAfterMs: 3_000,
      message: '429 slow down',
    });
  });

  it('reads the type of an error inside a stream', () => {
    expect(problemOfCodes(['overloaded_error'])).toBe('overloaded');
    expect(about(new ApiError(undefined, 'rate_limit_exceeded', 'slow down'))).toEqual({
      problem: 'rate_limited',
      status: null,
      retryAfterMs: null,
      message: 'slow down',
    });
  });

  it.each([
    [400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'],
    [400, 'context_length_exceeded', 'no'],
    [400, null, "This endpoint's maximum context length is 8192 tokens. However, you requested more"],
    [400, null, 'The input token count (1196265) exceeds the maximum number of tokens allowed'],
    [413, 'request_too_large', 'Request exceeds the maximum size'],
  ])('recognises a request longer than the window: %i %s %s', (status, type, message) => {
    expect(about(new ApiError(status, type, message)).problem).toBe('too_long');
  });

  it.each([
    [400, 'content_filter', 'refused'],
    [429, 'insufficient_quota', 'quota'],
    [429, '1113', 'quota'],
    [500, 'overloaded_error', 'overloaded'],
    [429, 'too_many', 'rate_limited'],
    [undefined, 'throttlingException', 'rate_limited'],
    [undefined, 'serviceUnavailableException', 'overloaded'],
  ])("prefers the provider's type to the status: %s %s", (status, type, problem) => {
    expect(about(new ApiError(status, type, 'no')).problem).toBe(problem);
  });

  it('treats every other error as a broken stream', () => {
    expect(about(new SyntaxError('Unexpected token <'))).toEqual({
      problem: 'broken',
      status: null,
      retryAfterMs: null,
      message: 'what came is not a valid event stream (Unexpected token <)',
    });
  });
});
