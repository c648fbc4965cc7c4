import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import type { PluginFailure } from '../../../src/extensions/plugin/line-connection.ts';
import { readToolList } from '../../../src/extensions/plugin/open-plugin.ts';
import { readPluginResult } from '../../../src/extensions/plugin/plugin-tool.ts';
import { png as pngOf } from '../../support/images.ts';

const hide = (text: string) => text.replaceAll('s3cret', '[hidden]');

describe('the result of a plug-in', () => {
  const read = (result: Json): unknown => {
    try {
      return readPluginResult(result, hide);
    } catch (error) {
      const { kind, message } = error as PluginFailure;
      return `${kind}: ${message}`;
    }
  };
  const png = pngOf({ width: 2, height: 3 }).toString('base64');
  const text = (one: string) => ({ type: 'text', text: one });

  test.each([
    ['s3cret\u0007', { content: '[hidden]␇' }],
    ['', { content: '(no output)' }],
    [{ content: 'a' }, { content: 'a' }],
    [
      { content: 'a', data: 1 },
      { content: 'a', data: 1 },
    ],
    [{ content: [] }, { content: '(no output)' }],
    [
      { content: [], data: null },
      { content: '(no output)', data: null },
    ],
    [{ content: [text('a')], isError: false }, { content: [text('a')] }],
    [
      { content: [text('a'), { type: 'image', data: png }] },
      { content: [text('a'), { type: 'image', media_type: 'image/png', data: png }] },
    ],
    [{ content: 'bad s3cret', isError: true }, 'answered: bad [hidden]'],
    [{ content: [text('a'), { type: 'image', data: '' }, text('b')], isError: true }, 'answered: a\nb'],
    [{ content: '', isError: true }, 'answered: answered with an error without words'],
    [7, 'unusable: answered with neither a text nor {content: …}: "7"'],
    [
      { text: `s3cret${'x'.repeat(300)}` },
      `unusable: answered with neither a text nor {content: …}: ${JSON.stringify(`{"text":"[hidden]${'x'.repeat(183)}`)}`,
    ],
  ] as [Json, unknown][])('is parsed from %j', (result, expected) => {
    expect(read(result)).toEqual(expected);
  });

  test('has a hundred parts and 64 KiB of data at most', () => {
    const parts = (count: number) => read({ content: Array.from({ length: count }, () => text('a')) });
    const most = 64 * 1024 - 2;
    const data = (length: number) => Object.keys(read({ content: 'a', data: 'x'.repeat(length) }) as object);
    expect([
      (parts(100) as { content: unknown[] }).content.length,
      String(parts(101)).slice(0, 60),
      data(most),
      data(most + 1),
    ]).toEqual([
      100,
      'unusable: answered with neither a text nor {content: …}: "{\\',
      ['content', 'data'],
      ['content'],
    ]);
  });

  test('names an invalid image', () => {
    expect(read({ content: [text('a'), { type: 'image', data: 'bm90' }] })).toMatch(
      /^\w+: Image 2 of the result /,
    );
  });
});

describe('the list of tools of a plug-in', () => {
  const read = (answer: Json) => {
    const { tools, problems } = readToolList(answer, { name: 'db', hide });
    return [tools.map(({ name }) => name), problems];
  };
  const tool = (name: string) => ({ name, description: 'Works.' });

  test('has its tools, and a problem for each invalid one', () => {
    expect([
      read({ tools: [tool('a'), tool('a!'), tool('b'), 7, { name: 's3cret' }] }),
      read({ tools: {} }),
      read([]),
    ]).toEqual([
      [
        ['plugin__db__a', 'plugin__db__b'],
        [
          'has two tools plugin__db__a; the second is left out',
          expect.stringMatching(/^has a tool 4 that is declared wrongly: .*; it is left out$/),
          expect.stringMatching(
            /^has a tool "\[hidden\]" that is declared wrongly at description: .*; it is left out$/,
          ),
        ],
      ],
      [[], ['lists no tools: {tools: [...]} was to be its answer']],
      [[], ['lists no tools: {tools: [...]} was to be its answer']],
    ]);
  });

  test('is read up to 256', () => {
    const many = (count: number) => {
      const [names, problems] = read({
        tools: Array.from({ length: count }, (_, index) => tool(`t${index}`)),
      });
      return [names?.length, problems];
    };
    expect([many(256), many(257)]).toEqual([
      [256, []],
      [256, ['lists 257 tools; the first 256 are looked at']],
    ]);
  });
});
