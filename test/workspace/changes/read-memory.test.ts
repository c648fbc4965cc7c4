import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { contentHash } from '../../../src/workspace/changes/before-images.ts';
import { createReadMemory } from '../../../src/workspace/changes/read-memory.ts';

const [seen, own, other] = ['seen', 'own', 'other'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** True for each kind of edit that may change a file with this content. */
function fits(memory: ReturnType<typeof createReadMemory>, content: Buffer | null, path = 'a') {
  return ([undefined, 'place', 'text'] as const).map((by) => {
    try {
      memory.check(path, content, by);
      return true;
    } catch (error) {
      expect(error).toEqual(
        new ToolError('changed_since_read', 'a changed since it was last read. Read it again first.'),
      );
      return false;
    }
  });
}

test('permits changes of seen, unseen and missing files', () => {
  const memory = createReadMemory();
  memory.saw('a', other);
  memory.saw('a', seen);
  expect([fits(memory, seen), fits(memory, null), fits(memory, other, 'b'), fits(memory, other)]).toEqual([
    ...[
      [true, true, true],
      [true, true, true],
      [true, true, true],
      [false, false, false],
    ],
  ]);
});

test("a file changed by the run's own command can be edited by text only", () => {
  const memory = createReadMemory();
  memory.saw('a', seen);
  memory.ownChange('a', contentHash(own));
  memory.ownChange('b', contentHash(other));
  expect([fits(memory, own), fits(memory, other), fits(memory, seen)]).toEqual([
    ...[
      [false, false, true],
      [false, false, false],
      [true, true, true],
    ],
  ]);
});

test('refuses only a file that differs from what was last read', () => {
  const memory = createReadMemory();
  memory.check('unseen.ts', Buffer.from('anything'));
  memory.saw('a.ts', Buffer.from('one'));
  memory.check('a.ts', Buffer.from('one'));
  expect(() => memory.check('a.ts', Buffer.from('two'))).toThrow('a.ts changed since it was last read.');
  memory.check('a.ts', null);
  memory.saw('a.ts', Buffer.from('two'));
  memory.check('a.ts', Buffer.from('two'));
});

test("a file changed by the run's own command cannot be edited by position", () => {
  const memory = createReadMemory();
  const [one, two] = [Buffer.from('one'), Buffer.from('two')];
  memory.saw('a', one);
  memory.ownChange('a', contentHash(two));
  const check = (path: string, content: Buffer | null, ...how: ('text' | 'place')[]) => {
    try {
      return memory.check(path, content, ...how);
    } catch (error) {
      return error instanceof ToolError ? `${error.kind}: ${error.message}` : error;
    }
  };
  const changed = 'changed_since_read: a changed since it was last read. Read it again first.';
  expect([
    check('a', two, 'text'),
    check('a', two, 'place'),
    check('a', two),
    check('a', Buffer.from('three'), 'text'),
    check('b', two),
    check('a', null),
  ]).toEqual([undefined, changed, changed, changed, undefined, undefined]);
});
