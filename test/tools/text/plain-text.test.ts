import { expect, test } from 'vitest';
import { plainText } from '../../../src/tools/text/plain-text.ts';

test('text has no terminal sequences, and incomplete ones are displayed in linear time', () => {
  const link = '\u001b]8;;http://a.test\u001b\\link\u001b]8;;\u001b\\';
  const flood = 200_000;
  expect([
    plainText(`\u001b]0;title\u0007a ${link} \u001b[31mred\u001b[0m`),
    plainText('a \u001b]open \u0000'),
    plainText('a\u009b31m red\u009b0m\u0084\u0090\u009d0;title\u009c\u0080 é\u00a0ß Ā € 日本 😀'),
    // Minutes, where the end of each were looked for in all the rest.
    plainText('\u001b]'.repeat(flood)).length,
  ]).toEqual(['a link red', 'a ␛]open ␀', 'a red0;title é\u00a0ß Ā € 日本 😀', 2 * flood]);
});
