import { ProviderError } from './provider-error.ts';
import type { Wire } from './wire.ts';

/**
 * A wire that gives each try so many milliseconds, from the request to the last byte of the answer; a `ProviderError`
 * (`timeout`) then. An endpoint that sends a byte now and then would hold a run for ever otherwise.
 */
export function withinTime(wire: Wire, milliseconds: number): Wire {
  return async (request, onText) => {
    const late = new ProviderError(
      'timeout',
      `the answer was not whole after ${Math.round(milliseconds / 1000)} seconds`,
    );
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(late), milliseconds);
    try {
      const signal = AbortSignal.any([request.signal, deadline.signal]);
      return await wire({ ...request, signal }, onText);
    } catch (error) {
      // The SDKs make an error of their own of an abort.
      throw deadline.signal.aborted && !request.signal.aborted ? late : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
