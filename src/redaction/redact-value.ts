import type { Json } from '../contract/json.ts';
import type { Message } from '../contract/message.ts';
import { createRedactor } from './redact.ts';

type Redact = (text: string) => string;

/**
 * Redacts every string of a JSON value, names of fields too, each by itself, so that the value keeps its shape. What nothing
 * was taken out of is the same object as before.
 */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  return redactJson(value as Json, redact) as Value;
}

function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, redact));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const fields = Object.entries(value).map(([name, field]) => {
    const done = [redact(name), redactJson(field, redact)] as const;
    changed ||= done[0] !== name || done[1] !== field;
    return done;
  });
  return changed ? Object.fromEntries(fields) : value;
}

/**
 * Redacts a message of the conversation. Images are left as they are, as only their bytes could hide something, and
 * looking through megabytes takes long. With `opaque: 'keep'` so is what only its provider understands, which it takes
 * back unchanged or not at all.
 */
export function redactMessage(message: Message, redact: Redact, opaque: 'keep' | 'redact'): Message {
  const parts = message.parts.map((part) => {
    if (part.type === 'image' || (part.type === 'opaque' && opaque === 'keep')) return part;
    if (part.type !== 'tool_result') return redactValue(part, redact);
    const content = part.content.map((item) => (item.type === 'image' ? item : redactValue(item, redact)));
    return content.some((item, index) => item !== part.content[index]) ? { ...part, content } : part;
  });
  const same = parts.every((part, index) => part === message.parts[index]);
  return same ? message : ({ ...message, parts } as Message);
}

/**
 * Makes a function that takes the secrets out of a line of JSON, which stays one; of any other text as `createRedactor`
 * does. The redactor is made at the first line: many a process writes none.
 */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  let redact: ((text: string) => string) | null = null;
  return (line) => {
    redact ??= createRedactor(secrets);
    const clean = redact(line);
    if (clean === line) return line;
    const value = parse(line);
    return value === null ? clean : `${JSON.stringify(redactValue(value, redact))}\n`;
  };
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
