import { expect, test } from 'vitest';
import { numbered, textSource } from '../../../src/reporting/findings/text-source.ts';

test('lines of the head are those of its files, else those that the diff shows', async () => {
  const asked: unknown[] = [];
  const readText = async (path: string, sha: string) => {
    asked.push([path, sha]);
    return path === 'a' ? 'x\ny' : null;
  };
  const map = { lines: (path: string, side: string) => new Map([[7, `${path} ${side}`]]) };
  const source = await textSource(['a', 'b', 'a'], 'sha', map as never, { readText } as never);
  const lines = (path: string, side: 'LEFT' | 'RIGHT') => [...(source.lines(path, side) ?? [])];
  expect([lines('a', 'RIGHT'), lines('a', 'LEFT'), lines('b', 'RIGHT'), lines('c', 'RIGHT'), asked]).toEqual([
    [
      [1, 'x'],
      [2, 'y'],
    ],
    [[7, 'a LEFT']],
    [[7, 'b RIGHT']],
    [[7, 'c RIGHT']],
    [
      ['a', 'sha'],
      ['b', 'sha'],
    ],
  ]);
  expect([...numbered('')]).toEqual([[1, '']]);
});
