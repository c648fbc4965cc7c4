import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openLocalTools } from '../../src/command-line/local-tools.ts';
import { statusLine } from '../../src/command-line/status-line.ts';
import { parseConfig } from '../../src/config/parse-config.ts';

test('the servers that are still loading are displayed together, and removed at the end', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'watched-'));
  const waiting = new Map<string, ServerResponse>();
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    waiting.set(request.url ?? '', response);
    if (waiting.size === 2) asked.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shown: string[] = [];
  const oneIsIn = Promise.withResolvers<void>();
  const terminal = {
    columns: 60,
    write(text: string) {
      shown.push(text);
      if (shown.length === 2) oneIsIn.resolve();
    },
  };
  const open = openLocalTools({
    ...{ root, profile: 'craft', sandbox: 'off', environment: {}, signal: new AbortController().signal },
    config: parseConfig(
      `mcp: { servers: { a: { url: '${address}/a' }, b: { url: '${address}/b' } } }`,
      'x.yml',
    ),
    terminal: () => terminal,
  });
  try {
    // Both, before either has answered.
    await asked.promise;
    waiting.get('/a')?.writeHead(500).end('no a');
    await oneIsIn.promise;
    waiting.get('/b')?.writeHead(500).end('no b');
    const { problems, close } = await open;
    await close();
    expect([shown, problems.length]).toEqual([
      [
        '\r\u001b[2KWaiting for the MCP server a, the MCP server b (60 s at mos',
        '\r\u001b[2KWaiting for the MCP server b (60 s at most) …',
        '\r\u001b[2K',
      ],
      2,
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true });
  }
});

test('a status line fits the terminal and contains no control sequences', () => {
  const shown: string[] = [];
  for (const columns of [5, 0]) {
    const show = statusLine({ columns, write: (text) => shown.push(text) });
    for (const words of [null, '\u001b[31mWait\nfor it', null, null]) show(words);
  }
  const erased = '\r\u001b[2K';
  expect(shown).toEqual([`${erased}Wait`, erased, `${erased}Wait for it`, erased]);
});
