import { expect, test } from 'vitest';
import { createReadMemory } from '../../src/workspace/create-read-memory.ts';

test('only a file that is not what was last seen is refused', () => {
  const memory = createReadMemory();
  memory.check('unseen.ts', Buffer.from('anything'));
  memory.saw('a.ts', Buffer.from('one'));
  memory.check('a.ts', Buffer.from('one'));
  expect(() => memory.check('a.ts', Buffer.from('two'))).toThrow('a.ts changed since it was last read.');
  memory.check('a.ts', null);
  memory.saw('a.ts', Buffer.from('two'));
  memory.check('a.ts', Buffer.from('two'));
});
