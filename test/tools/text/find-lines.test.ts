import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLines, findPlaces } from '../../../src/tools/text/find-lines.ts';

const few = fc.array(fc.constantFrom('a', 'b'), { maxLength: 40 });

test('consecutive lines are found from a start index', () => {
  const slowly = (lines: readonly string[], wanted: readonly string[], from: number) =>
    [...lines.keys()].filter(
      (at) => at >= from && wanted.length > 0 && wanted.every((line, offset) => lines[at + offset] === line),
    );
  fc.assert(
    fc.property(
      few,
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 5 }),
      fc.nat(5),
      (lines, wanted, from) => {
        expect(findLines(lines, wanted, from)).toEqual(slowly(lines, wanted, from));
      },
    ),
  );
});

test('a text is found at the same positions by both search methods', () => {
  // So long that the search is our own.
  const [far, end] = ['b'.repeat(20_000), `c${'b'.repeat(10_000)}`];
  fc.assert(
    fc.property(few, (letters) => {
      const wanted = letters.join('') + end;
      const content = [wanted, far, wanted.slice(1), wanted, wanted, far].join('');
      expect(findPlaces(content, wanted)).toEqual(slowPlaces(content, wanted));
    }),
    { numRuns: 20 },
  );
  expect([findPlaces('aaaaa', 'aa'), findPlaces('a', 'b')]).toEqual([[0, 2], []]);
});

function slowPlaces(content: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}
