import { describe, expect, test } from 'vitest';
import { globFilter, pathPattern } from '../../../src/tools/search/match-glob.ts';

/** Which of some paths a glob lets through. */
const through = (glob: string, paths: readonly string[], root = '.', top = '') =>
  paths.filter(globFilter(glob, root, top));
const paths = ['a.ts', 'b.md', 'src/a.ts', 'src/lib/a.ts', 'src/lib/b.md', '.hid/c.ts', 'vendor/d.ts'];

describe('a glob', () => {
  test.for([
    ['a.ts', ['a.ts', 'src/a.ts', 'src/lib/a.ts']],
    ['*.md', ['b.md', 'src/lib/b.md']],
    ['*.ts', ['a.ts', 'src/a.ts', 'src/lib/a.ts', '.hid/c.ts', 'vendor/d.ts']],
    ['src/*.ts', ['src/a.ts']],
    ['./src/*.ts', ['src/a.ts']],
    ['src/', ['src/a.ts', 'src/lib/a.ts', 'src/lib/b.md']],
    ['**/lib/*', ['src/lib/a.ts', 'src/lib/b.md']],
    ['*.{md,rb}', ['b.md', 'src/lib/b.md']],
    ['!src', ['a.ts', 'b.md', '.hid/c.ts', 'vendor/d.ts']],
    ['!src/', ['a.ts', 'b.md', '.hid/c.ts', 'vendor/d.ts']],
    ['!src/lib', ['a.ts', 'b.md', 'src/a.ts', '.hid/c.ts', 'vendor/d.ts']],
    ['!src/*.ts', ['a.ts', 'b.md', 'src/lib/a.ts', 'src/lib/b.md', '.hid/c.ts', 'vendor/d.ts']],
    ['!*.ts', ['b.md', 'src/lib/b.md']],
    ['*.md,vendor/**', ['b.md', 'src/lib/b.md', 'vendor/d.ts']],
    ['*.ts,!src,!vendor', ['a.ts', '.hid/c.ts']],
    ['!src,!vendor', ['a.ts', 'b.md', '.hid/c.ts']],
  ] as const)('%s matches %j', ([glob, found]) => {
    expect(through(glob, paths)).toEqual(found);
  });

  test('is matched with the path from the folder and from the top of its repository', () => {
    const below = ['src/lib/a.ts', 'src/lib/in/a.ts'];
    expect([
      through('lib/*.ts', below, 'src'),
      through('src/lib/*.ts', below, 'src'),
      through('!in', below, 'src/lib'),
      through('!lib/in', below, 'src'),
      through('src/*', ['../shared/src/a', '../shared/src/b/c'], '../shared/src', '../shared/'),
      through('!shared', ['../shared/a'], '../shared', '../shared/'),
    ]).toEqual([
      ['src/lib/a.ts'],
      ['src/lib/a.ts'],
      ['src/lib/a.ts'],
      ['src/lib/a.ts'],
      ['../shared/src/a'],
      ['../shared/a'],
    ]);
  });

  test('may have a comma in a name', () => {
    expect([through('a,b', ['a,b', 'a', 'b', 'c']), through('a,!b', ['a', 'b', 'a,!b'])]).toEqual([
      ['a,b', 'a', 'b'],
      ['a'],
    ]);
  });

  test('is refused if it is invalid', () => {
    expect(() => through('a[', ['a'])).toThrow(/^"a\[" is not a valid glob: /);
  });
});

test('a path pattern is matched with the whole path, of hidden files if requested', () => {
  const all = ['a.ts', 'src/a.ts', '.hid/c.ts', 'a,b'];
  const found = (pattern: string, hidden = false, root = '.') =>
    all.filter(pathPattern(pattern, root, { hidden }));
  expect([
    found('*.ts'),
    found('./*.ts'),
    found('**/*.ts'),
    found('**/*.ts', true),
    found('.hid/*'),
    found('a.ts,.hid/*'),
    found('a,b'),
    ['src/a.ts', 'src/b/a.ts'].filter(pathPattern('*.ts', 'src', { hidden: false })),
  ]).toEqual([
    ['a.ts'],
    ['a.ts'],
    ['a.ts', 'src/a.ts'],
    ['a.ts', 'src/a.ts', '.hid/c.ts'],
    ['.hid/c.ts'],
    ['a.ts', '.hid/c.ts'],
    ['a,b'],
    ['src/a.ts'],
  ]);
});

test('a very long or deeply nested glob is refused', () => {
  for (const glob of ['@('.repeat(20_000) + ')'.repeat(20_000), '{a,'.repeat(300), 'a'.repeat(10_001)])
    expect(() => globFilter(glob, '.')).toThrow(
      `"${glob.slice(0, 80)}…" is too long for a glob: 10000 characters and 200 brackets at most. Give several globs, or a folder.`,
    );
});
