import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderProblem } from '../../../src/agent/models/provider-error.ts';
import {
  RetriesExhausted,
  retryDelay,
  systemRetryClock,
  withRetries,
} from '../../../src/agent/models/retry.ts';

const failing = (problem: ProviderProblem, retryAfterMs: number | null = null) => ({ problem, retryAfterMs });

describe('retryDelay', () => {
  it('doubles from half a second to half a minute', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => retryDelay(failing('overloaded'), tries, 1));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, null]);
  });

  it('randomises half of the delay', () => {
    expect([0, 0.5, 0.999].map((random) => retryDelay(failing('overloaded'), 3, random))).toEqual([
      1_000, 1_500, 1_999,
    ]);
  });

  it('never retries before the provider allows it, nor if that is more than two minutes away', () => {
    const after = [0, 100, 90_000, 120_000, 120_001].map((ms) =>
      retryDelay(failing('rate_limited', ms), 1, 1),
    );
    expect(after).toEqual([500, 500, 90_000, 120_000, null]);
  });

  it('retries each problem as often as that can help', () => {
    const problems: ProviderProblem[] = [
      'rate_limited',
      'overloaded',
      'server_error',
      'unreachable',
      'broken',
      'idle',
      'quota',
      'unauthorized',
      'forbidden',
      'not_found',
      'rejected',
    ];
    const tries = problems.map((problem) => {
      let count = 1;
      while (retryDelay(failing(problem), count, 0) !== null) count += 1;
      return [problem, count];
    });
    expect(Object.fromEntries(tries)).toEqual({
      rate_limited: 8,
      overloaded: 8,
      server_error: 5,
      unreachable: 4,
      broken: 4,
      idle: 2,
      quota: 1,
      unauthorized: 1,
      forbidden: 1,
      not_found: 1,
      rejected: 1,
    });
  });
});

describe('withRetries', () => {
  const signal = new AbortController().signal;
  const clock = { sleep: async () => undefined, random: () => 0 };

  it('ends with the last failure and the number of tries', async () => {
    const failures = [new ProviderError('broken', 'first'), new ProviderError('rejected', 'second')];
    const requested = withRetries(() => Promise.reject(failures.shift()), signal, clock);
    await expect(requested).rejects.toBeInstanceOf(RetriesExhausted);
    await expect(requested).rejects.toMatchObject({
      tries: 2,
      last: { problem: 'rejected', message: 'second' },
    });
  });

  it('does not retry after a defect', async () => {
    const defect = new TypeError('a defect');
    let tries = 0;
    const requests = withRetries(
      () => {
        tries += 1;
        return Promise.reject(defect);
      },
      signal,
      clock,
    );
    await expect(requests).rejects.toBe(defect);
    expect(tries).toBe(1);
  });

  it('ends with the reason of an abort during the wait', async () => {
    const controller = new AbortController();
    const reason = new Error('time is up');
    const requestLog = withRetries(
      () => Promise.reject(new ProviderError('broken', 'cut')),
      controller.signal,
      {
        sleep: async () => controller.abort(reason),
        random: () => 0,
      },
    );
    await expect(requestLog).rejects.toBe(reason);
  });
});

describe('systemClock', () => {
  it('rejects at an abort with its reason', async () => {
    const controller = new AbortController();
    const slept = systemRetryClock.sleep(60_000, controller.signal);
    const reason = new Error('time is up');
    controller.abort(reason);
    await expect(slept).rejects.toBe(reason);
  });

  it('waits for the given time', async () => {
    const started = performance.now();
    await systemRetryClock.sleep(20, new AbortController().signal);
    expect(performance.now() - started).toBeGreaterThanOrEqual(19);
  });
});
