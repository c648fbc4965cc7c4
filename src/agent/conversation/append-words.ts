import type { Message, ToolResultPart } from '../../contract/message.ts';

/**
 * A conversation with words of a person or a parent behind it, in the message that its end allows for: no two of one role follow each
 * other, and a call that nobody made gets a result that says `notMade`.
 */
export function appendWords(messages: readonly Message[], words: string, notMade: string): Message[] {
  const said = { type: 'text' as const, text: words };
  const last = messages.at(-1);
  if (last?.role === 'user')
    return [...messages.slice(0, -1), { role: 'user', parts: [...last.parts, said] }];
  const results = (last?.parts ?? []).flatMap((part): ToolResultPart[] =>
    part.type !== 'tool_call'
      ? []
      : [
          {
            type: 'tool_result',
            call_id: part.id,
            content: [{ type: 'text', text: notMade }],
            is_error: true,
          },
        ],
  );
  return [...messages, { role: 'user', parts: [...results, said] }];
}
