import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { codeFromCheckout } from '../../../src/extensions/mcp/copy-server.ts';
import { levelOf, type ServerTerms } from '../../../src/extensions/mcp/mcp-tool.ts';
import { mcpName, readDeclaredMcpTool, readPage } from '../../../src/extensions/mcp/read-declared.ts';
import { renderParts, renderResult } from '../../../src/extensions/mcp/render-result.ts';
import { readWorkspaceServers } from '../../../src/extensions/mcp/workspace-servers.ts';

const hide = (text: string) => text.replaceAll('s3cret', '[hidden]');

test('the name of a tool consists of ASCII letters and has at most 64', () => {
  expect([
    mcpName('s', ' get it-now_1 '),
    mcpName('s', 'ä/ö x'),
    mcpName('s', 'ä__-'),
    mcpName('s', ''),
    mcpName('s', 'Z'),
    mcpName('s', 'x'.repeat(56)),
    mcpName('s', 'x'.repeat(57)),
    mcpName('s', `${'x'.repeat(57)}y`),
  ]).toEqual([
    'mcp__s__get_it-now_1',
    'mcp__s___x',
    null,
    null,
    'mcp__s__Z',
    `mcp__s__${'x'.repeat(56)}`,
    `mcp__s__${'x'.repeat(48)}_ae14a25`,
    `mcp__s__${'x'.repeat(48)}_1959a8c`,
  ]);
});

test("a tool has the level of its server's rights", () => {
  const level = (terms: Partial<ServerTerms>, claims: boolean) => levelOf(terms as ServerTerms, claims);
  expect([
    level({ confined: true, outside: true }, false),
    level({ trusted: true }, true),
    level({ trusted: true, outside: true }, true),
    level({ trusted: true }, false),
    level({ trusted: false }, true),
  ]).toEqual(['auto_read', 'auto_read', 'external_read', 'confirm_execute', 'confirm_execute']);
});

describe('code of the checkout', () => {
  test.each(
    'PATH NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE RUBYLIB RUBYOPT GEM_HOME GEM_PATH PERLLIB PERLOPT PERL5LIB PERL5OPT BASH_ENV ENV CLASSPATH JAVA_TOOL_OPTIONS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT LUA_PATH LUA_CPATH LUA_INIT VIRTUAL_ENV npm_config_prefix path'.split(
      ' ',
    ),
  )('runs through %s', (name) => {
    expect([
      codeFromCheckout('/repo', [], { [name]: '/repo/x' }),
      codeFromCheckout('/repo', [], { [`X${name}`]: '/repo/x', [`${name}.`]: '/repo/x' }),
    ]).toEqual([`what ${name} leads to`, null]);
  });

  test.each(
    'js mjs cjs ts mts cts jsx tsx py rb php pl sh bash lua jar so'.split(' '),
  )('is recognised by the file extension .%s', (end) => {
    const word = `-r=/repo/a.${end}`;
    expect([
      codeFromCheckout('/repo', ['x', word], {}),
      codeFromCheckout('/repo', [`${word}1`, `a${word}`, `-r=/other/a.${end}`], {}),
    ]).toEqual([`what ${word} names`, null]);
  });
});

describe('a tool declared by a server', () => {
  const declared = (entry: Json) => {
    const tool = readDeclaredMcpTool('s', entry, hide);
    if ('problem' in tool) return tool.problem;
    const { schema: _, ...rest } = tool;
    return rest;
  };
  const plain = { given: 'a', name: 'mcp__s__a', claimsToRead: false, asTask: false };

  test.each([
    [{ name: 'a' }, { ...plain, description: 'a' }],
    [
      { name: 'a', description: ' s3cret ', title: 't' },
      { ...plain, description: '[hidden]' },
    ],
    [
      { name: 'a', description: ' ', title: 't' },
      { ...plain, description: 't' },
    ],
    [
      { name: 'a', title: 1, annotations: { title: 'u' } },
      { ...plain, description: 'u' },
    ],
    [
      { name: 'a', description: 1, annotations: 1, execution: 1 },
      { ...plain, description: 'a' },
    ],
    [
      { name: 'a', annotations: { readOnlyHint: true } },
      { ...plain, description: 'a', claimsToRead: true },
    ],
    [
      { name: 'a', annotations: { readOnlyHint: 'yes', title: 2 } },
      { ...plain, description: 'a' },
    ],
    [
      { name: 'a', execution: { taskSupport: 'required' } },
      { ...plain, description: 'a', asTask: true },
    ],
    [
      { name: 'a', execution: { taskSupport: 'optional' } },
      { ...plain, description: 'a' },
    ],
    [
      { name: 'a', execution: { taskSupport: 1 } },
      { ...plain, description: 'a' },
    ],
    [{ name: '' }, 'declares a tool without a name'],
    [7, 'declares a tool without a name'],
    [{ name: 'ä' }, 'declares a tool whose name has no letter or digit: "ä"'],
    [{ name: 'a', inputSchema: 1 }, 'declares a tool "a" whose input schema is not an object'],
  ] as [Json, unknown][])('%j', (entry, expected) => {
    expect(declared(entry)).toEqual(expected);
  });

  test('has a schema within the size limit', () => {
    const schema = { enum: Array.from({ length: 5_000 }, () => 1) };
    expect(declared({ name: 'a', inputSchema: schema })).toBe(
      'declares a tool "a" whose input schema is too large or too deep',
    );
  });

  test('is listed in a page', () => {
    expect([
      readPage({ tools: [1, 2], nextCursor: 'n' }, 'tools'),
      readPage({ tools: {}, nextCursor: '' }, 'tools'),
      readPage({ nextCursor: 3 }, 'tools'),
    ]).toEqual([
      { items: [1, 2], next: 'n' },
      { items: [], next: null },
      { items: [], next: null },
    ]);
  });
});

describe('the servers of a file', () => {
  const many = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, {}])));

  test('are fifty at most', () => {
    const read = (count: number) => {
      const { servers, problems } = readWorkspaceServers(many(count), 'm.json');
      return [Object.keys(servers).length, Object.keys(servers).at(-1), problems];
    };
    expect([read(50), read(51)]).toEqual([
      [50, 's49', []],
      [50, 's49', ['m.json names 51 MCP servers; only the first 50 are started.']],
    ]);
  });

  test('are found under either key, after a byte order mark, and a long name is cut', () => {
    const read = (text: string) => readWorkspaceServers(text, 'm.json');
    const long = 'n'.repeat(81);
    expect([
      read('\ufeff{"servers":{"a":{}},"x":{}}'),
      read('{"mcpServers":{"b":{}},"servers":{"a":{}}}'),
      read(`{"${long}":null,"c":{}}`),
    ]).toEqual([
      { servers: { a: {} }, problems: [] },
      { servers: { b: {} }, problems: [] },
      {
        servers: { c: {} },
        problems: [
          `m.json names the MCP server "${'n'.repeat(80)}" with a value that is no object; it is left out.`,
        ],
      },
    ]);
  });
});

describe('the parts of a result', () => {
  const texts = async (content: readonly Json[]) =>
    (await renderParts(content, hide)).map((part) => (part.type === 'text' ? part.text : part.type));

  test('are a thousand at most, with eight images', async () => {
    const image = { type: 'image', data: 'bm90' };
    const parts = await texts(
      Array.from({ length: 1_002 }, (_, index) => ({ type: 'text', text: `${index}` })),
    );
    expect([parts.length, ...parts.slice(-2)]).toEqual([1_001, '999', '[left out: 2 more parts]']);
    expect((await texts([{ type: 'text', text: 'a' }, image])).length).toBe(2);
  });

  test('are described in a line each', async () => {
    expect(
      await texts([
        { type: 'text' },
        { type: 'image' },
        { type: 'audio', mimeType: 's3cret/wav', data: 'AAAAA' },
        { type: 'audio' },
        { type: 'resource', resource: 1 },
        { type: 'resource', resource: { uri: 'x:s3cret' } },
        { type: 'resource', resource: { uri: 'x:1', blob: '' } },
        { type: 'resource', resource: { uri: 'x:2', blob: '/w==' } },
        { type: 'resource_link', uri: 'x:3', title: 't', name: 'n', description: 'd', mimeType: 'text/x' },
        { type: 'resource_link' },
        {},
        null,
      ]),
    ).toEqual([
      '[left out: a part of the unknown kind "text"]',
      '[left out: a part of the unknown kind "image"]',
      '[left out: sound, [hidden]/wav, 3 bytes, which cannot be played here]',
      '[left out: a part of the unknown kind "audio"]',
      '[left out: a part of the unknown kind "resource"]',
      '[resource x:[hidden]]\n(empty)',
      '[resource x:1]',
      '[left out: 0 bytes that are no text]',
      '[resource x:2]',
      '[left out: 3 bytes that are no text]',
      '[resource x:3: t, n, d, text/x]',
      '[resource : ]',
      '[left out: a part of the unknown kind ""]',
    ]);
  });

  test('come with data of 64 KiB at most', async () => {
    const result = (length: number) =>
      renderResult(
        't',
        {
          content: [{ type: 'text', text: 'a' }],
          structuredContent: 'x'.repeat(length),
        } as unknown as JsonObject,
        hide,
      );
    const most = 64 * 1024 - 2;
    expect([(await result(most)).data, (await result(most + 1)).data]).toEqual(['x'.repeat(most), undefined]);
    expect((await result(1)).content).toBe('a');
    expect(
      (
        await renderResult(
          't',
          {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
          hide,
        )
      ).content,
    ).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });
});
