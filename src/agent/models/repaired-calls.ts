import type { AssistantMessage } from '../../contract/message.ts';

/**
 * A reply whose calls have their arguments as an object wherever there is one reading of what the model wrote, so that
 * it does not meet its own call in a shape no schema has. What cannot be read stays the text it is.
 */
export async function withRepairedCalls(message: AssistantMessage): Promise<AssistantMessage> {
  if (!message.parts.some((part) => part.type === 'tool_call' && typeof part.input === 'string'))
    return message;
  const { repairObject } = await import('../json/repair-object.ts');
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call' || typeof part.input !== 'string') return part;
    const repaired = repairObject(part.input);
    return 'object' in repaired ? { ...part, input: repaired.object } : part;
  });
  return { ...message, parts };
}
