import { expect, test } from 'vitest';
import { withOwnPart } from '../../../src/reporting/thread/publish-description.ts';

const begin = '<!-- anode:description v1 -->';
const end = '<!-- anode:description-end v1 -->';

test('puts our part below or above the author’s text, later in its old place', () => {
  const below = withOwnPart('By ada.\r\nTwo lines.', 'Ours.', 'below');
  expect(below).toBe(`By ada.\nTwo lines.\n\n${begin}\nOurs.\n${end}`);
  expect(withOwnPart('By ada.', 'Ours.', 'above')).toBe(`${begin}\nOurs.\n${end}\n\nBy ada.`);
  expect(withOwnPart('', 'Ours.', 'below')).toBe(`${begin}\nOurs.\n${end}`);
  expect(withOwnPart(`${below}\n\nMore by ada.`, 'New.', 'above')).toBe(
    `By ada.\nTwo lines.\n\n${begin}\nNew.\n${end}\n\nMore by ada.`,
  );
  expect(withOwnPart(below, 'Ours.', 'below')).toBe(below);
});

test('treats a begin marker without an end as the author’s text', () => {
  expect(withOwnPart(`By ada. ${begin} More.`, 'Ours.', 'below')).toBe(
    `By ada. ${begin} More.\n\n${begin}\nOurs.\n${end}`,
  );
});

test('cuts only our part to GitHub’s limit', () => {
  const body = withOwnPart('a'.repeat(60_000), 'b'.repeat(20_000), 'below');
  expect([
    body.length <= 65_536,
    body.startsWith('a'.repeat(60_000)),
    body.endsWith(`[cut]\n${end}`),
  ]).toEqual([true, true, true]);
});
