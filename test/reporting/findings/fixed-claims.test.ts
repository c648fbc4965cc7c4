import { expect, test } from 'vitest';
import { splitClaims } from '../../../src/reporting/findings/fixed-claims.ts';

const [one, two] = ['0123456789abcdef', 'fedcba9876543210-2'];

test('takes the last line of fixed findings out of an answer', () => {
  const split = (answer: string) => {
    const { answer: rest, claimed } = splitClaims(answer);
    return [rest, claimed === null ? null : [...claimed]];
  };
  expect([
    split(`Done.\n\nFixed: ${one}, \`${two}\``),
    split(`Done.\n**Fixed:** ${one}\n`),
    split(`Fixed: ${two}\nIn words.\nFixed: none.`),
    split('Fixed: the loop'),
    split(`It is not Fixed: ${one}`),
    split(''),
  ]).toEqual([
    ['Done.', [one, two]],
    ['Done.', [one]],
    [`Fixed: ${two}\nIn words.`, []],
    ['Fixed: the loop', null],
    [`It is not Fixed: ${one}`, null],
    ['', null],
  ]);
});
