import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeFetch } from '../../../src/agent/models/node-fetch.ts';
import { ProviderError } from '../../../src/agent/models/provider-error.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      return closed;
    }),
  );
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fetchOf = (baseUrl: string, idleTimeoutMs = 5_000, environment: Record<string, string> = {}) =>
  createNodeFetch({ baseUrl, idleTimeoutMs, environment });

async function problem(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof ProviderError ? `${error.problem}: ${error.message}` : String(error);
}

describe('createNodeFetch', () => {
  it('sends method, headers and body, and returns the parts of a response that clients read', async () => {
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method, url: path, headers } = request;
      response.writeHead(201, { 'x-list': ['a', 'b'], 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ method, path, key: headers['x-key'], length: headers['content-length'], body }),
      );
    });
    const fetch = await fetchOf(url);
    const response = await fetch(`${url}/v1/x?y=1`, {
      method: 'POST',
      headers: new Headers({ 'X-Key': 'k' }),
      body: 'größe',
    });
    const { status, ok, url: from } = response;
    expect({ status, ok, url: from, list: response.headers.get('x-list') }).toEqual({
      status: 201,
      ok: true,
      url: `${url}/v1/x?y=1`,
      list: 'a, b',
    });
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/v1/x?y=1',
      key: 'k',
      length: '7',
      body: 'größe',
    });
  });

  it('returns the body as it arrives', async () => {
    let finish = () => {};
    const url = await serve((_request, response) => {
      response.write('first');
      finish = () => response.end('second');
    });
    const response = await (await fetchOf(url))(url);
    const reader = response.body?.[Symbol.asyncIterator]();
    expect(Buffer.from((await reader?.next())?.value ?? []).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader?.next())?.value ?? []).toString()).toBe('second');
    expect((await reader?.next())?.done).toBe(true);
  });

  it('uses one socket for consecutive requests', async () => {
    const sockets = new Set<Socket>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const fetch = await fetchOf(url);
    for (let turn = 0; turn < 3; turn += 1) expect(await (await fetch(url)).text()).toBe('ok');
    expect(sockets.size).toBe(1);
  });

  it('retries once on a new socket if the reused one was closed', async () => {
    const seen = new Map<Socket, number>();
    const url = await serve((request, response) => {
      const requests = (seen.get(request.socket) ?? 0) + 1;
      seen.set(request.socket, requests);
      if (requests > 1) request.socket.resetAndDestroy();
      else response.end('ok');
    });
    const fetch = await fetchOf(url);
    for (let turn = 0; turn < 2; turn += 1) expect(await (await fetch(url)).text()).toBe('ok');
    expect([...seen.values()]).toEqual([2, 1]);
  });

  it('does not retry when a new socket is reset', async () => {
    let requests = 0;
    const url = await serve((request) => {
      requests += 1;
      request.socket.resetAndDestroy();
    });
    expect(await problem((await fetchOf(url))(url))).toBe('unreachable: the connection failed (ECONNRESET)');
    expect(requests).toBe(1);
  });

  it('ends at silence, before and within the response', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/within') response.write('some');
    });
    const fetch = await fetchOf(url, 100);
    expect(await problem(fetch(`${url}/before`))).toBe('idle: nothing came for 0 seconds');
    const response = await fetch(`${url}/within`);
    expect(await problem(response.text())).toBe('idle: nothing came for 0 seconds');
  });

  it('ends an endless response, by line length and total size', async () => {
    const mebibyte = 1024 * 1024;
    const url = await serve((request, response) => {
      const chunk = Buffer.alloc(mebibyte, request.url === '/line' ? 'a' : `${'a'.repeat(1_023)}\n`);
      const write = () => void response.write(chunk, (error) => error ?? write());
      write();
    });
    const fetch = await fetchOf(url);
    const read = async (at: string) => {
      let bytes = 0;
      const { body } = await fetch(`${url}${at}`);
      const ended = await problem(
        (async () => {
          for await (const chunk of body ?? []) bytes += chunk.length;
        })(),
      );
      return { ended, mebibytes: Math.round(bytes / mebibyte) };
    };
    expect([await read('/line'), await read('/whole')]).toEqual([
      { ended: 'endless: its answer has a line of more than 16 MiB', mebibytes: 16 },
      { ended: 'endless: its answer is longer than 128 MiB', mebibytes: 128 },
    ]);
  });

  it('separates a truncated body from a complete one', async () => {
    const url = await serve((_request, response) => {
      response.write('half', () => response.destroy());
    });
    const response = await (await fetchOf(url))(url);
    expect(await problem(response.text())).toBe(
      'broken: the connection broke off in the middle of the answer',
    );
  });

  it('rejects with the reason of an abort and closes the socket, before and within the response', async () => {
    const closed: Promise<unknown>[] = [];
    let arrived = () => {};
    const url = await serve((request, response) => {
      closed.push(once(request.socket, 'close'));
      if (request.url === '/within') response.write('some');
      arrived();
    });
    const reason = new Error('enough');
    const fetch = await fetchOf(url);
    const before = new AbortController();
    arrived = () => before.abort(reason);
    await expect(fetch(`${url}/before`, { signal: before.signal })).rejects.toBe(reason);
    arrived = () => {};
    const within = new AbortController();
    const response = await fetch(`${url}/within`, { signal: within.signal });
    within.abort(reason);
    await expect(response.text()).rejects.toBe(reason);
    await expect(fetch(url, { signal: within.signal })).rejects.toBe(reason);
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  it('keeps a socket whose reader stopped just before the end', async () => {
    const sockets = new Set<Socket>();
    let finish = () => {};
    const url = await serve((request, response) => {
      if (request.url === '/other') return response.end('ok');
      sockets.add(request.socket);
      response.write('data: [DONE]\n\n');
      finish = () => response.end();
    });
    const fetch = await fetchOf(url);
    for (let turn = 0; turn < 3; turn += 1) {
      const reader = (await fetch(url)).body?.[Symbol.asyncIterator]();
      await reader?.next();
      await reader?.return?.();
      finish();
      // A round trip on a socket of its own: by then the end of the first answer has been read, too.
      await (await (await fetchOf(url))(`${url}/other`)).text();
    }
    expect(sockets.size).toBe(1);
  });

  it('follows no redirects', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    });
    expect((await (await fetchOf(url))(url)).status).toBe(302);
  });

  it('calls no host other than its own', async () => {
    const url = await serve((_request, response) => response.end('ok'));
    const fetch = await fetchOf('https://model.example/v1');
    await expect(fetch(url)).rejects.toThrow('this fetch only asks https://model.example');
  });

  it('survives an invalid HTTP response', async () => {
    const url = await serve((request) => {
      request.socket.end('HTTP/1.1 999 What\r\n\r\n');
    });
    expect(await problem((await fetchOf(url))(url))).toBe('broken: the answer is not valid HTTP');
    const other = await serve((request) => {
      request.socket.end('SSH-2.0-OpenSSH_9.6\r\n');
    });
    expect(await problem((await fetchOf(other))(other))).toMatch(
      /^unreachable: the connection failed \(HPE_/,
    );
  });

  it("uses the environment's proxy, except for hosts in NO_PROXY", async () => {
    const proxied: (string | undefined)[] = [];
    const proxy = await serve((request, response) => {
      proxied.push(request.url);
      response.end('by proxy');
    });
    const direct = await serve((_request, response) => response.end('direct'));
    const environment = { HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' };
    const url = 'http://model.example/v1';
    const answers = [
      await (await fetchOf(url, 5_000, environment))(url),
      await (await fetchOf(direct, 5_000, environment))(direct),
    ];
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['by proxy', 'direct']);
    expect(proxied).toEqual(['http://model.example/v1']);
  });
});
