import { expect, test } from 'vitest';
import { withOwnPart } from '../../../src/reporting/thread/publish-description.ts';

const begin = '<!-- anode:description v1 -->';
const end = '<!-- anode:description-end v1 -->';

test('our part goes below or above the words of the author, and later into its own place', () => {
  const below = withOwnPart('By ada.\r\nTwo lines.', 'Ours.', 'below');
  expect(below).toBe(`By ada.\nTwo lines.\n\n${begin}\nOurs.\n${end}`);
  expect(withOwnPart('By ada.', 'Ours.', 'above')).toBe(`${begin}\nOurs.\n${end}\n\nBy ada.`);
  expect(withOwnPart('', 'Ours.', 'below')).toBe(`${begin}\nOurs.\n${end}`);
  expect(withOwnPart(`${below}\n\nMore by ada.`, 'New.', 'above')).toBe(
    `By ada.\nTwo lines.\n\n${begin}\nNew.\n${end}\n\nMore by ada.`,
  );
  expect(withOwnPart(below, 'Ours.', 'below')).toBe(below);
});

test('a begin without an end is the words of the author', () => {
  expect(withOwnPart(`By ada. ${begin} More.`, 'Ours.', 'below')).toBe(
    `By ada. ${begin} More.\n\n${begin}\nOurs.\n${end}`,
  );
});

test('together both fit into what GitHub takes, and only ours is cut', () => {
  const body = withOwnPart('a'.repeat(60_000), 'b'.repeat(20_000), 'below');
  expect([
    body.length <= 65_536,
    body.startsWith('a'.repeat(60_000)),
    body.endsWith(`[cut]\n${end}`),
  ]).toEqual([true, true, true]);
});
