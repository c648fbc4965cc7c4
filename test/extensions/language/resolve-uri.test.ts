import { describe, expect, test } from 'vitest';
import {
  renderLocations,
  renderPosition,
  resolveUri,
  sourceLines,
} from '../../../src/extensions/language/resolve-uri.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

describe('the file for an address', () => {
  test.each([
    ['file:///w/src/a.ts', { shown: 'src/a.ts', path: 'src/a.ts' }],
    ['file:///w/src/../b%20c.ts', { shown: 'b c.ts', path: 'b c.ts' }],
    ['file:///w/../etc/passwd', { shown: '/etc/passwd', path: null }],
    ['file:///w', { shown: '/w', path: null }],
    ['file:///wide/a.ts', { shown: '/wide/a.ts', path: null }],
    ['file://host/w/a.ts', { shown: 'file://host/w/a.ts', path: null }],
    ['jdt://w/a.class', { shown: 'jdt://w/a.class', path: null }],
    ['http:///w/a.ts', { shown: 'http:///w/a.ts', path: null }],
    ['no address', { shown: 'no address', path: null }],
    ['file:///w/a%2Fb', { shown: 'file:///w/a%2Fb', path: null }],
  ])('%s', (uri, placed) => {
    expect(resolveUri(uri, '/w')).toEqual(placed);
  });

  test('is displayed in one line of 300 characters, and read by its full name', () => {
    const long = 'x'.repeat(301);
    const { shown, path } = resolveUri(`file:///w/${long}`, '/w');
    expect([shown.startsWith('x'.repeat(299)), shown.length < 310, path]).toEqual([true, true, long]);
    expect(resolveUri('file:///w/a%0Ab', '/w').shown).not.toContain('\n');
  });
});

/** Files of the workspace by path, and which of them were read. */
function workspace(files: Readonly<Record<string, string>>) {
  const read: string[] = [];
  const at = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`${path} cannot be read`);
    return Buffer.from(text);
  };
  const played = {
    root: '/w',
    files: {
      relative: (path: string) => path,
      stat: async (path: string) => ({ kind: 'file', size: at(path).length, mode: 0o644 }),
      read: async (path: string) => {
        read.push(path);
        return { bytes: at(path), size: at(path).length, mode: 0o644 };
      },
    },
  } as unknown as Pick<Workspace, 'root' | 'files'>;
  return { played, read };
}
const inside = (path: string) => ({ shown: path, path });

describe('lines of source', () => {
  test('are read once per file, and displayed trimmed or whole', async () => {
    const { played, read } = workspace({ 'a.ts': 'one\r\n  two  \nthree', '.netrc': 'secret' });
    const lines = sourceLines(played);
    expect([
      await lines.whole(inside('a.ts'), 1),
      await lines.at(inside('a.ts'), 1),
      await lines.at(inside('a.ts'), 2),
      await lines.at(inside('a.ts'), 3),
      await lines.at(inside('gone.ts'), 0),
      await lines.at(inside('gone.ts'), 0),
      await lines.at({ shown: '/etc/x', path: null }, 0),
      await lines.at(inside('.netrc'), 0),
    ]).toEqual(['  two  ', 'two', 'three', '', '', '', '', '']);
    expect(read).toEqual(['a.ts', 'gone.ts']);
  });

  test('are cut after 200 characters, and read from 300 files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 301 }, (_, index) => [`f${index}`, 'x'.repeat(300)]),
    );
    const { played, read } = workspace(files);
    const lines = sourceLines(played);
    const displayed: string[] = [];
    for (const file of Object.keys(files)) displayed.push(await lines.at(inside(file), 0));
    expect([read.length, displayed[299]?.startsWith('x'.repeat(199)), displayed[300]]).toEqual([
      300,
      true,
      '',
    ]);
    expect(displayed[0]?.length).toBeLessThan(210);
    expect(await lines.at(inside('f0'), 0)).toBe(displayed[0]);
  });
});

describe('locations', () => {
  const position = (line: number, character: number) => ({ line, character });
  const place = (uri: string, line: number, character: number) => ({
    uri,
    range: { start: position(line, character), end: position(line, character + 1) },
  });
  const given = [
    place('file:///etc/z', 0, 0),
    place('file:///w/b.ts', 1, 4),
    place('file:///w/b.ts', 0, 0),
    place('file:///w/b.ts', 1, 2),
    place('file:///w/a.ts', 5, 0),
    place('file:///w/b.ts', 1, 4),
  ];
  const render = (more: { limit?: number; sorted?: boolean }) =>
    renderLocations(given, {
      root: '/w',
      lines: sourceLines(workspace({ 'a.ts': 'x', 'b.ts': 'first\n  second' }).played),
      limit: 10,
      sorted: true,
      ...more,
    });

  test('are displayed with numbers from 1', () => {
    expect(renderPosition({ shown: 'a.ts', path: null }, position(0, 3))).toBe('a.ts:1:4');
  });

  test('are listed once each, sorted by file and line, those outside last', async () => {
    expect(await render({})).toEqual({
      text: [
        'a.ts:6:1',
        'b.ts:1:1  first',
        'b.ts:2:3  second',
        'b.ts:2:5  second',
        '/etc/z:1:1  [outside the workspace]',
      ],
      shown: 5,
      total: 5,
      places: [
        { path: 'a.ts', line: 5, character: 0 },
        { path: 'b.ts', line: 0, character: 0 },
        { path: 'b.ts', line: 1, character: 2 },
        { path: 'b.ts', line: 1, character: 4 },
        { path: '/etc/z', line: 0, character: 0 },
      ],
    });
  });

  test('keep a meaningful original order, up to a limit', async () => {
    const { text, ...counts } = await render({ limit: 2, sorted: false });
    expect([text, counts]).toEqual([
      ['/etc/z:1:1  [outside the workspace]', 'b.ts:2:5  second'],
      {
        shown: 2,
        total: 5,
        places: [
          { path: '/etc/z', line: 0, character: 0 },
          { path: 'b.ts', line: 1, character: 4 },
        ],
      },
    ]);
  });
});
