import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyHunks } from '../../../src/tools/patch/apply-hunks.ts';
import { parsePatch } from '../../../src/tools/patch/parse-patch.ts';
import { decodeTextFile, encodeTextFile } from '../../../src/tools/text/text-file.ts';
import { unifiedDiff } from '../../../src/workspace/changes/unified-diff.ts';

const line = fc.constantFrom('a', 'b', '', '-- x', '++ y', ' c', '@@ d', '--- e', 'diff --git a/f b/f');
const ending = fc.constantFrom('\n', '');
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 30 }), ending)
  .map(([lines, end]) => lines.join('\n') + end)
  .filter((content) => content !== '');

test('the diff between any two texts, applied to the first, gives the second', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const [old, wanted] = [Buffer.from(before), Buffer.from(after)];
      const diff = unifiedDiff({
        path: 'some file.txt',
        before: { content: old, mode: 0o644 },
        after: { content: wanted, mode: 0o644 },
      });
      const [patch, ...more] = parsePatch(diff);
      expect(more).toEqual([]);
      if (patch?.kind !== 'update') throw new TypeError(`not an update:\n${diff}`);
      const applied = applyHunks('f', decodeTextFile('f', old), patch.hunks);
      expect(encodeTextFile('f', applied).toString()).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test('text that is no patch is refused or gives its changes, and never crashes', () => {
  const piece = fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** Update File: f',
    '--- a/f',
    '+++ b/f',
    '@@',
    '@@ -1 +1 @@',
    '+x',
    '-x',
    ' x',
    '',
    'rename to g',
    'diff --git a/f b/f',
    '\\ No newline',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        expect(parsePatch(pieces.join('\n')).length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ToolError', kind: 'invalid_patch' });
      }
    }),
    { numRuns: 1000 },
  );
});
