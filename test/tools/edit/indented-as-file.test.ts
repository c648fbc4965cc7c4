import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { replaceText } from '../../../src/tools/edit/replace-text.ts';

/** The text of a file after one edit of it. */
const edited = (file: string, old: string, next: string): string =>
  replaceText('a.py', file, { old, new: next, occurrence: 0 }).text;

test.each([
  [
    'deeper in the file',
    'if a:\n    b()\n    c()\n',
    'b()\nc()\n',
    '    b(1)\n    c()\n',
    'if a:\n    b(1)\n    c()\n',
  ],
  ['less deep in the file', '  b()\n  c()\n', '      b()\n      c()\n', '  b()\n  d()\n', '  b()\n  d()\n'],
  [
    'with every line new',
    'if a:\n    b()\n    c()\n',
    'b()\nc()\n',
    '    x()\n    if y:\n        z()\n',
    'if a:\n    x()\n    if y:\n        z()\n',
  ],
  [
    'with tabs',
    'if a {\n\tb();\n\t\tc();\n}\n',
    'b();\n\tc();\n',
    '\tb(1);\n\t\tc();\n',
    'if a {\n\tb(1);\n\t\tc();\n}\n',
  ],
])('new text with the indentation of the file stays unchanged: %s', (_, file, old, next, result) => {
  expect(edited(file, old, next)).toBe(result);
});

test.each([
  [
    'as the old text has it',
    'if a:\n    b()\n    c()\n',
    'b()\nc()\n',
    'if x:\n    b()\nc()\n',
    'if a:\n    if x:\n        b()\n    c()\n',
  ],
  [
    'an edit of nothing but indentation',
    'if a:\n    b()\n    c()\n',
    'b()\nc()\n',
    '    b()\n    c()\n',
    'if a:\n        b()\n        c()\n',
  ],
])('new text with the indentation of the old text is moved with it: %s', (_, file, old, next, result) => {
  expect(edited(file, old, next)).toBe(result);
});

/** A block of distinct lines, each at a depth, the first at none. */
const block = fc
  .array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 6 })
  .map((depths) =>
    depths.map((depth, index) => ({ depth: index === 0 ? 0 : depth, text: `call${index}()` })),
  );
const rendered = (lines: readonly { depth: number; text: string }[], base: string): string =>
  lines.map(({ depth, text }) => `${base}${'    '.repeat(depth)}${text}\n`).join('');

it('an edit gives the same result whether its new text is indented as the file or as its old text', () => {
  fc.assert(
    fc.property(
      block,
      fc.constantFrom('', '  ', '        '),
      fc.constantFrom('    ', '\t', '            '),
      fc.nat(),
      fc.constantFrom('change', 'add', 'remove'),
      (lines, inOld, inFile, at, kind) => {
        const index = at % lines.length;
        const change = { change: [{ depth: lines[index]?.depth ?? 0, text: 'changed()' }], remove: [] };
        const added = [
          ...lines.slice(index, index + 1),
          { depth: lines[index]?.depth ?? 0, text: 'added()' },
        ];
        const next = lines.toSpliced(index, 1, ...(kind === 'add' ? added : change[kind]));
        const file = `begin\n${rendered(lines, inFile)}end\n`;
        const wanted = `begin\n${rendered(next, inFile)}end\n`;
        const old = rendered(lines, inOld);
        expect([edited(file, old, rendered(next, inFile)), edited(file, old, rendered(next, inOld))]).toEqual(
          [wanted, wanted],
        );
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['indented as the line', 'if a:\n    b()\n', 'b()', '    x = 1\n    b(x)', 'if a:\n    x = 1\n    b(x)\n'],
  ['indented as the line, which it only ends', 'a: 1\n  b: 2\n', 'b: 2', '  b: 3', 'a: 1\n  b: 3\n'],
  ['at another depth', '  a()\n', 'a()', '    b()', '      b()\n'],
  ['with a later line that is less deep', '  a()\n', 'a()', '  b()\nc()', '    b()\nc()\n'],
  ['with nothing changed but the indentation', '  a()\n', 'a()', '  a()', '    a()\n'],
  ['behind more than indentation', '- a()\n', 'a()', '  b()', '-   b()\n'],
])('an old text without the indentation of its line, and a new one %s', (_, file, old, next, result) => {
  expect(edited(file, old, next)).toBe(result);
});
