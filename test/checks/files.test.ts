import { expect, test } from 'vitest';
import { findUnreviewable } from '../../src/checks/files.ts';
import { brief } from './brief.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const found = async (before: Tree, after: Tree, maxKilobytes?: number) =>
  brief((await diffOf(before, after)).files.flatMap((file) => findUnreviewable(file, { maxKilobytes })));

test('large files, programs, binaries and links that lead outside are reported once each', async () => {
  expect(
    await found(
      { 'grown.txt': 'a\n', 'was-large.txt': `${'a'.repeat(1_100_000)}\n` },
      {
        'data.bin': Buffer.alloc(100),
        'dump.bin': Buffer.alloc(2_000_000),
        'grown.txt': 'a\n'.repeat(600_000),
        'lib.so': Buffer.from('7f454c460201010000', 'hex'),
        link: { link: '../../etc/passwd' },
        'inner-link': { link: 'data.bin' },
        'logo.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
        'was-large.txt': `${'a'.repeat(1_100_001)}\n`,
        'yarn.lock': '# lock\n'.repeat(200_000),
      },
    ),
  ).toEqual([
    'data.bin:1 low A binary file',
    'dump.bin:1 medium A large file',
    'grown.txt:1 medium A large file',
    'lib.so:1 high A compiled program',
    'link:1 medium A link that leads out of the repository',
  ]);
});

test('the size that counts as large is configured', async () => {
  const tree = { 'a.txt': 'a'.repeat(3000) };
  expect([await found({}, tree, 2), await found({}, tree, 3)]).toEqual([['a.txt:1 medium A large file'], []]);
});
