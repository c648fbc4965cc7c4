import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

const key = 'canary-key-of-the-search-4f9';
let local: Local;
/** Both the search and the proxy through which pages come. */
let server: Server;
let port = 0;
const asked: string[] = [];

beforeAll(async () => {
  local = await startLocal();
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    const hit = { title: 'The guide', url: 'http://docs.test/guide', content: 'How it is done.' };
    const answers: Readonly<Record<string, readonly [string, string]>> = {
      '/search': ['application/json', JSON.stringify({ results: [hit] })],
      'http://docs.test/guide': [
        'text/html',
        '<html><body><h1>The guide</h1><p>Do <b>this</b>.</p></body></html>',
      ],
      'http://docs.test/data.csv': ['text/csv', 'a,b\n1,2\n'],
    };
    const [type, text] = answers[request.url ?? ''] ?? ['text/plain', 'nothing here'];
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.close().closeAllConnections();
  await local.close();
});

test('a run searches, reads and downloads within its rules and hosts, without the key', async () => {
  const folder = await local.checkout({
    'README.md': '# Shop\n',
    '.github/anode.yml': `tools: { web: { backend: tavily, url: 'http://127.0.0.1:${port}', allow: [docs.test] } }
permissions: { rules: [{ tool: web_fetch, matches: { url: 'http://docs.test/private/*' }, action: reject }] }
`,
  });
  const turns = [
    [call('tool_search', { query: 'search the web' })],
    [call('web_search', { query: 'how it is done', domains: ['docs.test'] })],
    [call('use_tool', { name: 'web_fetch', args: { url: 'http://docs.test/guide#top' } })],
    [call('web_fetch', { url: 'http://docs.test/guide' })],
    [call('web_fetch', { url: 'http://docs.test/%70rivate/keys' })],
    [call('fetch', { url: `http://127.0.0.1:${port}/search` })],
    [call('download', { url: 'http://docs.test/data.csv', path: 'data.csv' })],
  ];
  const results: string[] = [];
  local.learn('look it up', (turn, request) => {
    if (turn > 1) results.push(lastResults(request));
    const calls = turns[turn - 1];
    return calls === undefined ? { text: 'Done.' } : { calls };
  });
  const proxy = `http://127.0.0.1:${port}`;
  const { stdout, stderr } = await local.anode(
    folder,
    [
      'run',
      '--prompt',
      'look it up',
      '--config',
      '.github/anode.yml',
      '--sandbox',
      'off',
      '--output',
      'json',
    ],
    { environment: { TAVILY_API_KEY: key, HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' } },
  );
  const sent = local.requestsFor('look it up').map(allTextOf).join('\n');
  const report = JSON.parse(stdout);
  const [found, searched, page, again, ...rest] = results;
  expect({
    told: sent.match(/^(?:web_|fetch|download).*?(?=:)/gm)?.slice(0, 4),
    found: found?.includes('web_search'),
    searched,
    page,
    again: again === page,
    rest,
    asked,
    changes: report.changes.map(({ path }: { path: string }) => path),
    seen: [sent, stdout, stderr].some((text) => text.includes(key)),
  }).toEqual({
    told: ['web_search', 'web_fetch', 'fetch', 'download'],
    found: true,
    searched:
      '1 found:\n<untrusted source="web" url="http://docs.test/guide">\nThe guide\nhttp://docs.test/guide\nHow it is done.\n</untrusted>',
    page: expect.stringContaining('# The guide\n\nDo **this**.\n</untrusted>'),
    again: true,
    rest: [
      expect.stringMatching(/^Refused: .*web_fetch/),
      expect.stringMatching(/127\.0\.0\.1:\d+, which is not among the allowed hosts/),
      expect.stringMatching(
        /^Saved http:\/\/docs.test\/data.csv as data.csv \(8 bytes, SHA-256 [0-9a-f]{64}\)\.$/,
      ),
    ],
    asked: [`POST /search Bearer ${key}`, 'GET http://docs.test/guide', 'GET http://docs.test/data.csv'],
    changes: ['data.csv'],
    seen: false,
  });
});
