import * as path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { confinePath, isInside } from '../../../src/workspace/files/confine-path.ts';

const part = fc.constantFrom('..', '.', '', 'a', 'tree', 'tree2', '/', '~', ' ', '\\', '...', 'é');

test('any path either resolves inside the root or is refused', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
      const given = (absolute ? '/srv/' : '') + parts.join('/');
      try {
        const { root, relative, displayPath: shown } = confinePath(given, '/srv/tree', []);
        expect(root).toBe('/srv/tree');
        expect(shown).toBe(relative);
        expect(isInside(root, path.join(root, relative))).toBe(true);
        expect(relative.split('/')).not.toContain('..');
        expect(confinePath(relative, root, []).relative).toBe(relative);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolError);
        expect(isInside('/srv/tree', path.resolve('/srv/tree', given))).toBe(false);
      }
    }),
  );
});
