import type { ModelStop } from '../models/model.ts';

/**
 * What the model is told after a turn without a call that is no whole answer; null for an answer. `nudges`: how often it was
 * told so in a row.
 */
export function nudgeReply(stop: ModelStop, text: string, nudges: number): string | null {
  if (stop === 'length')
    return 'Your answer was cut off at the output limit. Go on exactly where it stopped.';
  if (text.trim() === '')
    return 'Your answer was empty. Go on with the task, or say in words what you did and found.';
  // Text without a word is an answer by the protocol, so it is asked about once only.
  if (stop === 'unclear' && nudges === 0)
    return 'No action word was found. Start a line with BASH:, TOOL: or ANSWER:.';
  return null;
}
