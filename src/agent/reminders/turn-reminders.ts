import type { TextPart, ToolCallPart, ToolResultPart } from '../../contract/message.ts';

/** A turn whose calls were made, as a note may look at it. */
export interface FinishedTurn {
  /** Counted from 1 over the whole session. */
  readonly turn: number;
  /** Turns that this part of the session may still take. */
  readonly turnsLeft: number;
  /** Calls as the model wrote them, with arguments repaired if possible. */
  readonly calls: readonly ToolCallPart[];
  readonly results: readonly ToolResultPart[];
  /**
   * True if the reply ended at the output limit, so that its last call may be cut. Default: false.
   */
  readonly cutOff?: boolean;
}

/**
 * A text for the model between two turns, after the results of the first: one line or a few, or
 * null. Called once a turn, and may store what it returned. Earlier messages never change, so that
 * each request is a prefix of the next.
 */
export type TurnReminder = (turn: FinishedTurn) => string | null | Promise<string | null>;

/** Collects the reminders of one turn, in order. */
export async function takeReminders(
  reminders: readonly TurnReminder[],
  turn: FinishedTurn,
): Promise<TextPart[]> {
  const parts: TextPart[] = [];
  for (const reminder of reminders) {
    const text = await reminder(turn);
    if (text !== null && text !== '') parts.push({ type: 'text', text });
  }
  return parts;
}
