import { expect, test } from 'vitest';
import type { Message } from '../../src/contract/message.ts';
import { redactMessage, redactValue } from '../../src/redaction/redact-value.ts';

const redact = (text: string) => text.replaceAll('secret', '***');

test('every text of a value is redacted, including names of fields', () => {
  const value = { a: ['secret', 1, null, true, { secret: 'x' }], b: 'a secret', c: { d: 'x' } };
  const done = redactValue(value, redact);
  expect(done).toEqual({ a: ['***', 1, null, true, { '***': 'x' }], b: 'a ***', c: { d: 'x' } });
  expect(done.c).toBe(value.c);
});

test('a value without a secret stays the same object', () => {
  const values = [{ a: ['x', { b: 1 }] }, ['x'], 'x', null, 3];
  expect(values.map((value) => redactValue(value, redact) === value)).toEqual(values.map(() => true));
});

const image = { type: 'image', media_type: 'image/png', data: 'secret' };
const opaque = { type: 'opaque', data: 'secret' };
const message = (...parts: readonly object[]) => ({ role: 'user', parts }) as unknown as Message;

test('texts of a message are redacted, while images are not', () => {
  const given = message({ type: 'text', text: 'secret' }, image, opaque, {
    type: 'tool_result',
    call_id: 'secret',
    content: [{ type: 'text', text: 'secret' }, image],
  });
  const result = { type: 'tool_result', call_id: 'secret', content: [{ type: 'text', text: '***' }, image] };
  expect([redactMessage(given, redact, 'keep'), redactMessage(given, redact, 'redact')]).toEqual([
    message({ type: 'text', text: '***' }, image, opaque, result),
    message({ type: 'text', text: '***' }, image, { type: 'opaque', data: '***' }, result),
  ]);
});

test('a message without a secret is the same object', () => {
  const given = message(
    { type: 'text', text: 'x' },
    { type: 'tool_result', call_id: 'c', content: [{ type: 'text', text: 'x' }, image] },
  );
  expect(redactMessage(given, redact, 'redact')).toBe(given);
});
