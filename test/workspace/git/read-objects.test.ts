import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchReader, hashObjects, readObjects } from '../../../src/workspace/git/read-objects.ts';
import { repositoryOf } from '../../checks/diff-fixture.ts';
import { git as run } from '../repository.ts';

const printed = Buffer.concat([
  Buffer.from('aa blob 3\none\n'),
  Buffer.from('bb blob 0\n\n'),
  Buffer.from('cc missing\n'),
  Buffer.from('dd blob 10\nee blob 1\n\n'),
  Buffer.from('ff blob 1\nx\n'),
]);

test("each object is parsed from git's output, however it is split", () => {
  const read = (size: number) => {
    const found: Record<string, string> = {};
    const take = batchReader((object, chunk) => {
      found[object] = `${found[object] ?? ''}${chunk}`;
    });
    for (let at = 0; at < printed.length; at += size) take(printed.subarray(at, at + size));
    return found;
  };
  const sizes = Array.from({ length: printed.length }, (_, index) => index + 1);
  expect(sizes.map(read)).toEqual(sizes.map(() => ({ aa: 'one', bb: '', dd: 'ee blob 1\n', ff: 'x' })));
});

test('each object is read and hashed once, and a missing one is omitted', async () => {
  const { root, git } = repositoryOf({ 'a.txt': 'one\n', empty: '', long: 'x'.repeat(200_000) });
  const names = ['a.txt', 'empty', 'long'].map((file) => run(root, 'rev-parse', `HEAD:${file}`));
  const [one = '', empty = '', long = ''] = names;
  const wanted = [one, 'f'.repeat(40), one, empty, long];
  const texts = [...(await readObjects(git, wanted))].map(([name, bytes]) => [name, bytes.toString()]);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  expect([texts, [...(await hashObjects(git, wanted))]]).toEqual([
    [
      [one, 'one\n'],
      [empty, ''],
      [long, 'x'.repeat(200_000)],
    ],
    [
      [one, sha256('one\n')],
      [empty, sha256('')],
      [long, sha256('x'.repeat(200_000))],
    ],
  ]);
  expect([await readObjects({ cwd: '/nowhere' }, []), await hashObjects({ cwd: '/nowhere' }, [])]).toEqual([
    new Map(),
    new Map(),
  ]);
});
