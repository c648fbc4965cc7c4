import type { Receipt } from './receipts.ts';

/** A recorded call with its treatment in a replay. */
export interface ReplayStep {
  readonly receipt: Receipt;
  /**
   * `read-only`: may be repeated, as it only read inside the checkout. `inspect-only`: a person has
   * to look at it. `skipped`: nothing to compare.
   */
  readonly kind: 'read-only' | 'inspect-only' | 'skipped';
  readonly reason: string;
}

/**
 * Classifies a recorded call for a replay; runs nothing. `known` has the names of the tools here.
 */
export function classifyForReplay(receipt: Receipt, known: ReadonlySet<string>): ReplayStep {
  const step = (kind: ReplayStep['kind'], reason: string): ReplayStep => ({ receipt, kind, reason });
  const { result, decision } = receipt;
  if (result === null) return step('skipped', 'The run ended before the call did.');
  if (!result.ok) return step('skipped', `The call failed (${result.error_kind ?? 'error'}).`);
  if (decision === null) return step('inspect-only', 'No decision is recorded for it.');
  if (decision.level !== 'auto_read') return step('inspect-only', inspectReasons[decision.level]);
  if (receipt.input_redacted) return step('inspect-only', 'A secret was removed from its arguments.');
  if (result.spill !== null) return step('inspect-only', 'Its output was too long for the record.');
  if (!known.has(receipt.tool)) return step('inspect-only', 'There is no such tool here.');
  return step('read-only', 'It only read inside the checkout.');
}

const inspectReasons: Readonly<Record<NonNullable<Receipt['decision']>['level'], string>> = {
  auto_read: 'It only read.',
  interactive: 'It asked a person.',
  external_read: 'It read from outside, which may have changed.',
  state_write: 'It changed state of the run.',
  confirm_write: 'It changed files.',
  confirm_execute: 'It ran a command.',
  delegated: 'It started another run.',
};
