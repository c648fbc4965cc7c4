import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { webSource } from '../../../src/run/extensions/web-source.ts';
import { localOrigin } from '../../../src/run/policy/local-plan.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

const hit = { url: 'https://docs.example.com/', title: 'Found', content: 'What was looked for.' };

const server = createServer((_, response) => response.end(JSON.stringify({ results: [hit] })));
server.listen(0, '::1');
const listens = await Promise.race([
  once(server, 'listening').then(() => true),
  once(server, 'error').then(() => false),
]);

test.skipIf(!listens)(
  'a search also works at an IPv6 address, for the operator and for the repository',
  async () => {
    const { port } = server.address() as AddressInfo;
    const signal = new AbortController().signal;
    const source = webSource({
      ...{ config: { tools: { web: { backend: 'searxng' } } }, root: '/', runFolder: '/', sandboxed: false },
      ...{ plan: localOrigin('/'), readOnly: false, store: null, secrets: [], warn: () => undefined, signal },
      environment: { SEARXNG_URL: `http://[::1]:${port}` },
    });
    try {
      const { tools } = await source.load(signal);
      const [search] = tools;
      const output = await search?.execute(
        search.input.parse({ query: 'thing' }),
        { signal } as ToolContext,
        undefined,
      );
      expect([tools.map(({ name }) => name), String(output?.content).includes(hit.url)]).toEqual([
        ['web_search'],
        true,
      ]);
    } finally {
      await source.close();
      server.close().closeAllConnections();
    }
  },
);
