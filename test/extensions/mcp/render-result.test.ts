import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { renderResult } from '../../../src/extensions/mcp/render-result.ts';
import { readWorkspaceServers } from '../../../src/extensions/mcp/workspace-servers.ts';
import { png as pngOf } from '../../support/images.ts';

const hide = (text: string) => text.replaceAll('s3cret', '[redacted]');
const render = (result: JsonObject) => renderResult('mcp__a__b', result, hide);

describe('a result of an MCP server', () => {
  test('consists of its texts and images, the rest as text, without terminal sequences and secrets', async () => {
    const png = pngOf({ width: 2, height: 3 }).toString('base64');
    const { content, data } = await render({
      content: [
        { type: 'text', text: '\u001b[31mred\u001b[0m s3cret\u0007' },
        { type: 'image', mimeType: 'image/png', data: png },
        { type: 'image', mimeType: 'image/png', data: 'bm90IGFuIGltYWdl' },
        { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
        { type: 'resource', resource: { uri: 'x://1', mimeType: 'text/plain', text: 'inside' } },
        { type: 'resource', resource: { uri: 'x://2', blob: 'AAAA' } },
        { type: 'resource', resource: { uri: 'x://4', mimeType: 'text/plain', blob: 'czNjcmV0IHRleHQ=' } },
        { type: 'resource_link', uri: 'x://3', name: 'three', description: 'The\nthird.' },
        { type: 'hologram' },
        7,
      ],
      structuredContent: { key: 's3cret' },
    });
    expect([content, data]).toEqual([
      [
        { type: 'text', text: 'red [redacted]␇' },
        { type: 'text', text: expect.stringMatching(/^\[image: PNG, 2×3 pixels/) },
        { type: 'image', media_type: 'image/png', data: png },
        { type: 'text', text: expect.stringMatching(/^\[left out: an image that cannot be shown\./) },
        { type: 'text', text: '[left out: sound, audio/wav, 3 bytes, which cannot be played here]' },
        { type: 'text', text: '[resource x://1, text/plain]\ninside' },
        { type: 'text', text: '[resource x://2]' },
        { type: 'text', text: '[left out: 3 bytes that are no text]' },
        { type: 'text', text: '[resource x://4, text/plain]\n[redacted] text' },
        { type: 'text', text: '[resource x://3: three, The third.]' },
        { type: 'text', text: '[left out: a part of the unknown kind "hologram"]' },
      ],
      { key: '[redacted]' },
    ]);
  });

  test('is its structured content without other text, unless nested too deep, and an error if marked as one', async () => {
    const deep = JSON.parse(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`) as JsonObject;
    expect([
      await render({ structuredContent: { sum: 5 } }),
      await render({ content: [], structuredContent: deep }),
      await render({}),
      await render({ isError: true, content: [{ type: 'text', text: 'no s3cret' }] }).catch(String),
      await render({ isError: true }).catch(String),
    ]).toEqual([
      { content: '{\n "sum": 5\n}', data: { sum: 5 } },
      { content: '[left out: structured content that is too large or too deep to be shown]' },
      { content: '(no output)' },
      'ToolError: mcp__a__b failed: no [redacted]',
      'ToolError: mcp__a__b failed: it does not say why',
    ]);
  });
});

test('a file of servers is read with or without its key, and an invalid one is reported', () => {
  const read = (text: string) => readWorkspaceServers(text, '.mcp.json');
  expect([
    read('{"mcpServers":{"a":{"command":"x"},"b":1}}'),
    read('{"a":{}}'),
    read('[1'),
    read('{"servers":[]}'),
  ]).toEqual([
    {
      servers: { a: { command: 'x' } },
      problems: ['.mcp.json names the MCP server "b" with a value that is no object; it is left out.'],
    },
    { servers: { a: {} }, problems: [] },
    { servers: {}, problems: ['.mcp.json is no JSON object, so its MCP servers are left out.'] },
    { servers: {}, problems: ['.mcp.json has no object mcpServers, so there are no MCP servers of its.'] },
  ]);
});
