import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, parseJson } from '../../contract/json.ts';
import type { AssistantMessage, Message } from '../../contract/message.ts';

/** The ids of all calls of a conversation. */
export function callIds(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'tool_call') ids.add(part.id);
  }
  return ids;
}

/**
 * Creates ids for the calls of one reply, none used before: some servers omit ids, or repeat them
 * in each turn. The returned function maps a received id to the one to use.
 */
export function uniqueIds(used: ReadonlySet<string>): (id: string) => string {
  const seen = new Set(used);
  return (id) => {
    const unique = id === '' || seen.has(id) ? `call_${randomUUID()}` : id;
    seen.add(unique);
    return unique;
  };
}

/**
 * The streamed arguments of a call: their JSON value if they parse and are not nested too deep,
 * else the text. Models write a call without arguments as no text at all.
 */
export function parseCallInput(text: string): Json {
  if (text.trim() === '') return {};
  return (parseJson(text) as Json | undefined) ?? (text.trim() === 'null' ? null : text);
}

/**
 * Returns a call's arguments as every wire accepts them: an object. Other text is wrapped as
 * `{"_raw": "…"}`, because endpoints parse the arguments of earlier turns and reject the whole
 * request for one broken text.
 */
export function callInputObject(input: Json): JsonObject {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return { _raw: typeof input === 'string' ? input : JSON.stringify(input) };
}

/**
 * Returns a called name as every wire accepts it. Models invent names, and an endpoint refuses the
 * whole request for one that does not match `^[a-zA-Z0-9_-]{1,64}$`.
 */
export function callName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}

/**
 * Parses the calls of a reply into objects if there is only one reading. So the model does not see
 * its call in a shape that no schema has. Unreadable arguments stay text.
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
