import type { Message } from '../../../src/contract/message.ts';
import type { ScriptedCall, ScriptedRequest } from '../../support/model/script.ts';

/** A call as a script writes it. */
export const call = (name: string, input: ScriptedCall['input']): ScriptedCall => ({ name, input });

/** All text that a message holds, results of tools included. */
export function textOf(message: Message | undefined): string {
  return (message?.parts ?? [])
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      if (part.type !== 'tool_result') return [];
      return part.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
    })
    .join('\n');
}

/** The task itself, which is last in the first message, after the thread and the repository. */
export function taskOf(request: ScriptedRequest): string {
  const first = textOf(request.messages[0]);
  return first.slice(Math.max(0, first.lastIndexOf('<task>')));
}

/** The turn that a request asks for, from 1. */
export function turnOf(request: ScriptedRequest): number {
  return request.messages.filter(({ role }) => role === 'assistant').length + 1;
}

/** Everything a request lets the model see, as one text. */
export function allTextOf(request: ScriptedRequest): string {
  return [request.system, ...request.messages.map(textOf)].join('\n');
}

/** The text of the newest tool results in a request. */
export function lastResults(request: ScriptedRequest): string {
  return textOf(request.messages.at(-1));
}
