import { expect, test } from 'vitest';
import { deepestJson, parseJson } from '../../src/contract/json.ts';

test('JSON with extreme nesting is invalid', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const wide = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  const read = [nested(deepestJson), nested(deepestJson + 2), nested(100_000), wide, '{', 'null', '""'].map(
    (text) => parseJson(text) !== undefined,
  );
  expect(read).toEqual([true, false, false, true, false, true, true]);
});
