import { expect, test } from 'vitest';
import { storableEvent } from '../../../src/webhooks/deliveries/queue.ts';

const of = (payload: Record<string, unknown>) =>
  storableEvent({ name: 'issues', delivery_id: 'guid', payload: payload as never }).payload;

test('characters that the database refuses are replaced, in keys and values at any depth', () => {
  expect(of({ 'a\0': ['b\0c', { d: '\ud800' }], e: 'f\udc00g', h: '\ud800\ud800' })).toEqual({
    'a\ufffd': ['b\ufffdc', { d: '\ufffd' }],
    e: 'f\ufffdg',
    h: '\ufffd\ufffd',
  });
});

test('all other text stays unchanged, including pairs, other controls and written escapes', () => {
  const payload = { a: '\u{1f600}', b: '\u0001\n\u001f', c: '\\u0000', d: '\\\\ud800', e: 1, f: null };
  expect(of(payload)).toEqual(payload);
  expect(of({ ...payload, g: '\0' })).toEqual({ ...payload, g: '\ufffd' });
  expect([of({ g: '\0' }), of({ g: '\udfff' }), of({ g: '\u0008' })]).toEqual([
    ...[{ g: '\ufffd' }, { g: '\ufffd' }, { g: '\b' }],
  ]);
});
