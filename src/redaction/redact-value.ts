import type { Json } from '../contract/json.ts';
import type { Message } from '../contract/message.ts';
import { createRedactor } from './redact.ts';

type Redact = (text: string) => string;

/**
 * Redacts every string of a JSON value, field names included, and keeps its shape. Parts without
 * secrets stay the same objects.
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
 * Redacts a message of the conversation. Images are skipped: only their bytes could hide something,
 * and searching megabytes is slow. With `opaque: 'keep'`, parts that only their provider reads are
 * skipped too: it takes them back unchanged or not at all.
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
 * Makes a function that redacts a line of JSON, which stays valid JSON. Other text is redacted as
 * by `createRedactor`.
 */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  const redact = createRedactor(secrets);
  return (line) => {
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
