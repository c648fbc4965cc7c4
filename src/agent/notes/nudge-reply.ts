import type { ModelReply } from '../models/model.ts';

/**
 * What the model is told after a turn without a call that is no whole answer; null for an answer. `nudges`: how often it was
 * told so in a row.
 */
export function nudgeReply(
  { stop, problem }: Pick<ModelReply, 'stop' | 'problem'>,
  text: string,
  nudges: number,
): string | null {
  if (stop === 'unread_call')
    return `The provider could not read your tool call${problem === undefined ? '' : ` (${problem.replace(/\.$/, '')})`}, so nothing was run. Call a tool that you have, with arguments as its schema asks; or answer in words.`;
  if (stop === 'length')
    return 'Your answer was cut off at the output limit. Go on exactly where it stopped.';
  if (text.trim() === '')
    return 'Your answer was empty. Go on with the task, or say in words what you did and found.';
  // Text without a word is an answer by the protocol, so it is asked about once only.
  if (stop === 'unclear' && nudges === 0)
    return 'No action word was found. Start a line with BASH:, TOOL: or ANSWER:.';
  return null;
}
