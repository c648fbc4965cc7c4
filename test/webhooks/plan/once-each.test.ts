import { expect, test } from 'vitest';
import { onceEach } from '../../../src/webhooks/plan/once-each.ts';

test('each text is processed once for each place, even if the result is empty', () => {
  const done: unknown[] = [];
  const work = onceEach({
    sanitise(text, origin) {
      done.push([text, origin]);
      return text.trim();
    },
    markImages(text, place) {
      done.push([text, place]);
      return `${text}!`;
    },
  });
  const origin = { where: 'a comment', author: 'ada' } as never;
  const place = { kind: 'comment', id: 1 } as never;
  const texts = [
    ...[work.sanitise(' a '), work.sanitise(' a '), work.sanitise(' a ', origin), work.sanitise(' ')],
    ...[work.sanitise(' '), work.markImages?.(' a ', place), work.markImages?.(' a ', place)],
  ];
  expect([texts, done]).toEqual([
    ['a', 'a', 'a', '', '', ' a !', ' a !'],
    [
      [' a ', undefined],
      [' a ', origin],
      [' ', undefined],
      [' a ', place],
    ],
  ]);
});
