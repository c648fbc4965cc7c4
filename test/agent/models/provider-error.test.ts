import { describe, expect, it } from 'vitest';
import {
  ProviderError,
  problemOfStatus,
  problemOfType,
  retryAfter,
  toProviderError,
} from '../../../src/agent/models/provider-error.ts';

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
  it('reads the problem from the status, and a used-up quota from the type', () => {
    const statuses = [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529];
    expect(Object.fromEntries(statuses.map((status) => [status, problemOfStatus(status, '')]))).toEqual({
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
    expect(problemOfStatus(429, 'insufficient_quota')).toBe('quota');
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
  ])('reads %j as %j ms', (headers, expected) => {
    expect(retryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});

describe('toProviderError', () => {
  const about = (error: unknown) => {
    const { problem, status, retryAfterMs, message } = toProviderError(error, ApiError);
    return { problem, status, retryAfterMs, message };
  };

  it('finds our own error under whatever an SDK wrapped around it', () => {
    const own = new ProviderError('idle', 'nothing came');
    expect(toProviderError(new Error('Connection error.', { cause: own }), ApiError)).toBe(own);
  });

  it('takes status, type and wait from an API error', () => {
    const headers = new Headers({ 'retry-after': '3' });
    expect(about(new ApiError(429, 'rate_limit_exceeded', '429 slow down', headers))).toEqual({
      problem: 'rate_limited',
      status: 429,
      retryAfterMs: 3_000,
      message: '429 slow down',
    });
  });

  it('takes the type of an error inside a stream', () => {
    expect(problemOfType('overloaded_error')).toBe('overloaded');
    expect(about(new ApiError(undefined, 'rate_limit_exceeded', 'slow down'))).toEqual({
      problem: 'rate_limited',
      status: null,
      retryAfterMs: null,
      message: 'slow down',
    });
  });

  it('calls everything else a broken stream', () => {
    expect(about(new SyntaxError('Unexpected token <'))).toEqual({
      problem: 'broken',
      status: null,
      retryAfterMs: null,
      message: 'what came is not a valid event stream (Unexpected token <)',
    });
  });
});
