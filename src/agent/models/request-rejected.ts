import { RunStopped } from '../../contract/errors.ts';
import { ProviderError } from './provider-error.ts';

/**
 * The provider does not take this very request, and will not however often it is tried: it may be too long, which few of them
 * tell apart by more than their words. Ends the run unless a shorter one is taken.
 */
export class RequestRejected extends RunStopped {
  /** Whether the provider is known to have said that it is too long. */
  get tooLong(): boolean {
    return this.cause instanceof ProviderError && this.cause.problem === 'too_long';
  }
}
