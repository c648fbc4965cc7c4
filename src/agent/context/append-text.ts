import type { Message, ToolResultPart } from '../../contract/message.ts';

const noResult =
  'No result: you were stopped before it came. This may have been done, or a part of it: look before you do it again.';

/**
 * Appends text of a person or a parent to a conversation. Extends the last message if it has the
 * user's role, since roles must alternate. A call without a result gets one that says so: it may
 * have been executed in part.
 */
export function appendText(messages: readonly Message[], text: string): Message[] {
  const part = { type: 'text' as const, text };
  const last = messages.at(-1);
  if (last?.role === 'user')
    return [...messages.slice(0, -1), { role: 'user', parts: [...last.parts, part] }];
  const results = (last?.parts ?? []).flatMap((part): ToolResultPart[] =>
    part.type !== 'tool_call'
      ? []
      : [
          {
            type: 'tool_result',
            call_id: part.id,
            content: [{ type: 'text', text: noResult }],
            is_error: true,
          },
        ],
  );
  return [...messages, { role: 'user', parts: [...results, part] }];
}
