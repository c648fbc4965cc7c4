import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { downloadTool } from '../../../src/extensions/web/download-tool.ts';
import { fetchTool } from '../../../src/extensions/web/fetch-tool.ts';
import type { WebAnswer, WebRequest } from '../../../src/extensions/web/web-access.ts';
import { createWebCache } from '../../../src/extensions/web/web-cache.ts';
import { webFetchTool } from '../../../src/extensions/web/web-fetch-tool.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';

let harness: ToolHarness;
beforeAll(async () => {
  harness = await openTools({ 'kept.bin': 'old', 'seen.bin': 'old' }, { git: true });
});
afterAll(() => harness.close());

interface Given {
  readonly status?: number;
  readonly type?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly urls?: readonly string[];
  readonly elsewhere?: string | null;
}

/** A tool over a web that gives this answer to all that is asked, with what was asked. */
function over(make: (web: Parameters<typeof fetchTool>[0]) => Tool, given: Given = {}) {
  const asked: WebRequest[] = [];
  const type = given.type === undefined ? 'text/plain' : given.type;
  const ask = async (request: WebRequest): Promise<WebAnswer> => {
    asked.push(request);
    return {
      urls: given.urls ?? [request.url],
      status: given.status ?? 200,
      headers: new Headers({ ...(type === null ? {} : { 'content-type': type }), ...given.headers }),
      bytes: Buffer.from(given.body ?? 'words'),
      elsewhere: given.elsewhere ?? null,
    };
  };
  const access = { ask, close: async () => undefined };
  const tool = make({ access, answers: createWebCache<WebAnswer>(() => 0), pageProgram: '' });
  const call = async (input: object) => {
    try {
      return await tool.execute(tool.input.parse(input), harness.context, undefined);
    } catch (error) {
      if (error instanceof ToolError) return `${error.kind}: ${error.message}`;
      throw error;
    }
  };
  return { tool, asked, call };
}

const url = 'https://a.test/x';
const fence = (text: string, from = url) => `<untrusted source="web" url="${from}">\n${text}\n</untrusted>`;
const plainHead = `${url}: 200 OK, text/plain, 5 bytes\n`;

describe('fetch', () => {
  it('sends the given request within its limits', async () => {
    const { tool, asked, call } = over(fetchTool);
    await call({ url: 'a.test/x' });
    const all = { method: 'HEAD', headers: { Accept: 'a', range: 'b' }, timeout_seconds: 1 };
    await call({ ...all, url, timeout: 120, max_size: 9 });
    const allowed = { 'accept-language': '', 'if-modified-since': '~', 'if-none-match': 'x'.repeat(500) };
    await call({ url, headers: allowed });
    expect(asked).toEqual([
      { url, method: 'GET', headers: {}, timeoutSeconds: 30, mostBytes: 1_048_576 },
      { url, method: 'HEAD', headers: { Accept: 'a', range: 'b' }, timeoutSeconds: 120, mostBytes: 9 },
      { url, method: 'GET', headers: allowed, timeoutSeconds: 30, mostBytes: 1_048_576 },
    ]);
    expect([
      tool.targets(tool.input.parse({ url })),
      tool.targets(tool.input.parse({ url, method: 'HEAD' })),
      { level: tool.level, reads: tool.readOnly, exposure: tool.exposure, other: tool.argumentAliases },
    ]).toEqual([
      { what: url, urls: [url] },
      { what: `HEAD ${url}`, urls: [url] },
      { level: 'external_read', reads: true, exposure: 'deferred', other: { timeout_seconds: 'timeout' } },
    ]);
  });

  it.each([
    [{ url, timeout: 121 }],
    [{ url, timeout: 0 }],
    [{ url, max_size: 5 * 1024 ** 2 + 1 }],
    [{ url, max_size: 0 }],
    [{ url, method: 'POST' }],
    [{ url, format: 'xml' }],
    [{ url, headers: { accept: 'a'.repeat(501) } }],
    [{ url, headers: { accept: 'a\nb' } }],
    [{ url, headers: { accept: 'é' } }],
  ])('does not accept %j', (input) => {
    expect(over(fetchTool).tool.input.safeParse(input).success).toBe(false);
  });

  it('accepts its maximum values', () => {
    const { tool } = over(fetchTool);
    const input = { url, max_size: 5 * 1024 ** 2, headers: { accept: ' ~' } };
    expect(tool.input.safeParse(input).success).toBe(true);
  });

  it('sends no header that could represent a user', async () => {
    const { asked, call } = over(fetchTool);
    expect([await call({ url, headers: { Cookie: 'a', accept: 'b', 'x-a': 'c' } }), asked]).toEqual([
      'invalid_input: headers may only be accept, accept-language, if-modified-since, if-none-match, range; leave out Cookie, x-a.',
      [],
    ]);
    expect(await call({ url, headers: { ['y'.repeat(300)]: 'c' } })).toBe(
      `invalid_input: headers may only be accept, accept-language, if-modified-since, if-none-match, range; leave out ${'y'.repeat(200)}.`,
    );
  });

  it('displays status, informative headers and body for any status', async () => {
    const headers = {
      ...{
        'content-length': '5',
        'content-range': 'bytes 0-4/9',
        'content-disposition': 'inline',
        etag: '"a"',
      },
      ...{ 'last-modified': 'today', link: '</b>', 'retry-after': '2', 'x-ratelimit-remaining': '3' },
      ...{ 'x-ratelimit-reset': '4', 'set-cookie': 'secret', server: 'x', date: 'now', 'x-long': 'a' },
    };
    const { call } = over(fetchTool, {
      status: 429,
      headers,
      urls: [url, 'https://a.test/y', 'https://a.test/z'],
    });
    expect(await call({ url })).toEqual({
      content: `${url} (redirected to https://a.test/y, then https://a.test/z): 429 Too Many Requests, text/plain, 5 bytes\n${fence(
        [
          'content-disposition: inline\ncontent-length: 5\ncontent-range: bytes 0-4/9\ncontent-type: text/plain',
          'etag: "a"\nlast-modified: today\nlink: </b>\nretry-after: 2\nx-ratelimit-remaining: 3',
          'x-ratelimit-reset: 4\n\nwords',
        ].join('\n'),
        'https://a.test/z',
      )}`,
      data: { url: 'https://a.test/z', status: 429, type: 'text/plain', bytes: 5 },
    });
    const long = over(fetchTool, { headers: { etag: 'e'.repeat(501) } });
    expect(await long.call({ url })).toEqual({
      content: `${plainHead}${fence(`content-type: text/plain\netag: ${'e'.repeat(500)}\n\nwords`)}`,
      data: { url, status: 200, type: 'text/plain', bytes: 5 },
    });
  });

  const json = { type: 'application/json', body: '{"a":1}' };
  const page = { type: 'text/html', body: '<p>a<script>x</script><p>b' };
  it.each<[Given, string, string]>([
    [json, 'auto', '{\n  "a": 1\n}'],
    [json, 'json', '{\n  "a": 1\n}'],
    [json, 'text', '{"a":1}'],
    [json, 'raw', '{"a":1}'],
    [json, 'html', '{"a":1}'],
    [{ ...json, body: '{a' }, 'auto', '{a'],
    [{ body: '{"a":1}' }, 'auto', '{"a":1}'],
    [{ body: '{"a":1}' }, 'json', '{\n  "a": 1\n}'],
    [page, 'auto', 'a\nb'],
    [page, 'text', 'a\nb'],
    [page, 'html', page.body],
    [page, 'raw', page.body],
    [{ body: 'a', type: 'image/png' }, 'auto', '[image/png, 1 bytes, not shown as it is no text]'],
    [{ body: Buffer.alloc(1024), type: 'a/b' }, 'auto', '[a/b, 1.0 KiB, not shown as it is no text]'],
  ])('displays %j as %s', async (given, format, displayed) => {
    const output = await over(fetchTool, given).call({ url, format });
    const text = typeof output === 'object' && typeof output.content === 'string' ? output.content : output;
    expect(text).toContain(`content-type: ${given.type ?? 'text/plain'}\n\n${displayed}\n</untrusted>`);
  });

  it('reports a body that is not JSON', async () => {
    expect(await over(fetchTool).call({ url, format: 'json' })).toBe(
      'invalid_json: The body is no JSON. Ask with format raw to see it as it is.',
    );
  });

  it('reports a redirect elsewhere', async () => {
    expect(await over(fetchTool, { status: 302, elsewhere: 'https://b.test/' }).call({ url })).toEqual({
      content: `${url} redirects elsewhere, which was not followed, because each address is checked separately. Call fetch with it if you want it:\n${fence('https://b.test/')}`,
      data: { status: 302 },
    });
  });
});

describe('web_fetch', () => {
  const accept =
    'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1';

  it('requests readable types', async () => {
    const { tool, asked, call } = over(webFetchTool);
    expect(await call({ url })).toEqual({
      content: `${plainHead}${fence('words')}`,
      data: { url, status: 200, type: 'text/plain', bytes: 5 },
    });
    await call({ url: 'https://a.test/y', timeout: 120 });
    const mostBytes = 5 * 1024 ** 2;
    expect(asked).toEqual([
      { url, headers: { accept }, timeoutSeconds: 30, mostBytes },
      { url: 'https://a.test/y', headers: { accept }, timeoutSeconds: 120, mostBytes },
    ]);
    expect([
      tool.targets(tool.input.parse({ url })),
      tool.input.safeParse({ url, timeout: 121 }).success,
      { level: tool.level, reads: tool.readOnly, exposure: tool.exposure, other: tool.argumentAliases },
    ]).toEqual([
      { what: url, urls: [url] },
      false,
      { level: 'external_read', reads: true, exposure: 'deferred', other: { timeout_seconds: 'timeout' } },
    ]);
  });

  it('returns a page as text or unchanged if requested', async () => {
    const { call } = over(webFetchTool, {
      type: 'text/html',
      body: '<p>a<p>b',
      urls: [url, 'https://a.test/y'],
    });
    const head = `${url} (redirected to https://a.test/y): 200 OK, text/html, 8 bytes\n`;
    const data = { url: 'https://a.test/y', status: 200, type: 'text/html', bytes: 8 };
    expect([await call({ url, format: 'text' }), await call({ url, format: 'html' })]).toEqual([
      { content: `${head}${fence('a\nb', 'https://a.test/y')}`, data },
      { content: `${head}${fence('<p>a<p>b', 'https://a.test/y')}`, data },
    ]);
  });

  it.each<[Given, string]>([
    [
      { status: 404, body: ' gone ' },
      `failed: ${url} was answered with 404 Not Found. Look for the page by web_search or from a page above it.\n${fence('gone')}`,
    ],
    [
      { status: 410, body: ' ' },
      `failed: ${url} was answered with 410 Gone. Look for the page by web_search or from a page above it.`,
    ],
    [
      { status: 429, body: '' },
      `failed: ${url} was answered with 429 Too Many Requests. Try again later, or another source.`,
    ],
    [
      { status: 500, body: 'a'.repeat(501) },
      `failed: ${url} was answered with 500 Internal Server Error. Try again later, or another source.\n${fence('a'.repeat(500))}`,
    ],
    [{ status: 499, body: '' }, `failed: ${url} was answered with 499. Try another source.`],
    [{ status: 300, body: '' }, `failed: ${url} was answered with 300 Multiple Choices. Try another source.`],
    [
      { status: 403, type: 'text/html', body: '<p>no<script>x</script>' },
      `failed: ${url} was answered with 403 Forbidden. Try another source.\n${fence('no')}`,
    ],
    [
      { type: 'application/pdf', body: Buffer.alloc(1024 ** 2) },
      `binary: ${url} is application/pdf (1.0 MiB), which cannot be read as text. Look for a page or a text with the same; where this run has download, that keeps the file.`,
    ],
    [
      { type: 'application/pdf', body: Buffer.alloc(1024 ** 2 - 1024) },
      `binary: ${url} is application/pdf (1023.0 KiB), which cannot be read as text. Look for a page or a text with the same; where this run has download, that keeps the file.`,
    ],
    [
      { type: 'application/pdf', body: Buffer.alloc(1023) },
      `binary: ${url} is application/pdf (1023 bytes), which cannot be read as text. Look for a page or a text with the same; where this run has download, that keeps the file.`,
    ],
  ])('gives a remedy for %j', async (given, words) => {
    expect(await over(webFetchTool, given).call({ url })).toBe(words);
  });

  it('accepts every success, and reports a redirect elsewhere', async () => {
    const created = await over(webFetchTool, { status: 299 }).call({ url });
    expect([created, await over(webFetchTool, { status: 301, elsewhere: 'b' }).call({ url })]).toEqual([
      {
        content: `${url}: 299, text/plain, 5 bytes\n${fence('words')}`,
        data: { url, status: 299, type: 'text/plain', bytes: 5 },
      },
      {
        content: `${url} redirects elsewhere, which was not followed, because each address is checked separately. Call web_fetch with it if you want it:\n${fence('b')}`,
        data: { status: 301 },
      },
    ]);
  });
});

describe('download', () => {
  const digest = 'fc6018b7085673f6480df3e5541b4a8dfc6eac81b42e3b1a0fd86f2a61d59a07';
  const stored = (name: string) => readFileSync(path.join(harness.root, name), 'utf8');

  it('stores the response byte for byte and reports its digest', async () => {
    const { tool, asked, call } = over(downloadTool, { body: 'words' });
    const output = await call({ url, path: 'new/a.bin' });
    expect({ output, file: stored('new/a.bin'), asked }).toMatchObject({
      output: { data: { url, path: 'new/a.bin', bytes: 5 } },
      file: 'words',
      asked: [{ url, timeoutSeconds: 60, mostBytes: 50 * 1024 ** 2 }],
    });
    expect([
      tool.targets(tool.input.parse({ url, path: 'a' })),
      { level: tool.level, reads: tool.readOnly, exposure: tool.exposure, other: tool.argumentAliases },
      tool.input.safeParse({ url, path: 'a', timeout: 600 }).success,
      tool.input.safeParse({ url, path: 'a', timeout: 601 }).success,
      tool.input.safeParse({ url, path: '' }).success,
      tool.input.safeParse({ url, path: 'a', sha256: digest.slice(1) }).success,
      tool.input.safeParse({ url, path: 'a', sha256: `${digest}0` }).success,
      tool.input.safeParse({ url, path: 'a', sha256: digest.toUpperCase() }).success,
    ]).toEqual([
      { what: `${url} to a`, urls: [url], paths: [{ path: 'a', access: 'write' }] },
      {
        ...{ level: 'confirm_write', reads: false, exposure: 'deferred' },
        other: { file_path: 'path', output: 'path', timeout_seconds: 'timeout' },
      },
      ...[true, false, false, false, false, true],
    ]);
  });

  it('stores it only with the expected digest, in either letter case', async () => {
    const { call } = over(downloadTool, { body: 'words' });
    const wrong = await call({ url, path: 'b.bin', sha256: '0'.repeat(64) });
    const actual = /digest ([0-9a-f]{64}),/.exec(String(wrong))?.[1] ?? '';
    expect(wrong).toBe(
      `wrong_digest: ${url} has the SHA-256 digest ${actual}, not the one that was given. Nothing was saved.`,
    );
    expect(() => stored('b.bin')).toThrow('ENOENT');
    expect(await call({ url, path: 'b.bin', sha256: actual.toUpperCase() })).toMatchObject({
      data: { url, path: 'b.bin', bytes: 5, sha256: actual },
    });
    expect(stored('b.bin')).toBe('words');
  });

  it('overwrites a file only if requested and if it is unchanged since it was read', async () => {
    const { asked, call } = over(downloadTool);
    expect([await call({ url, path: 'kept.bin' }), asked]).toEqual([
      'file_exists: kept.bin exists already. Choose another path, or set overwrite.',
      [],
    ]);
    expect(await call({ url, path: './kept.bin', overwrite: true })).toMatchObject({
      data: { path: 'kept.bin' },
    });
    expect(stored('kept.bin')).toBe('words');
    await harness.call('read', { path: 'seen.bin' });
    harness.write('seen.bin', 'changed');
    expect(String(await call({ url, path: 'seen.bin', overwrite: true }))).toMatch(
      /^changed_since_read: seen\.bin /,
    );
    expect(stored('seen.bin')).toBe('changed');
  });

  it('stores nothing of a failed response', async () => {
    const gone = over(downloadTool, { status: 404, body: 'a'.repeat(2_001) });
    expect([
      await gone.call({ url, path: 'c.bin' }),
      await over(downloadTool, { status: 302, elsewhere: 'b' }).call({ url, path: 'c.bin' }),
    ]).toEqual([
      `failed: ${url} was answered with 404 Not Found. Look for the page by web_search or from a page above it.\n${fence('a'.repeat(500))}`,
      {
        content: `${url} redirects elsewhere, which was not followed, because each address is checked separately. Call download with it if you want it:\n${fence('b')}`,
        data: { status: 302 },
      },
    ]);
    expect(() => stored('c.bin')).toThrow('ENOENT');
  });

  it('is neither formatted nor checked', async () => {
    const { tool } = over(downloadTool, { body: '{"a" :1' });
    const editChecks = { ...harness.context.editChecks, format: true, verify: true };
    const output = await tool.execute(
      tool.input.parse({ url, path: 'd.json' }),
      { ...harness.context, editChecks },
      undefined,
    );
    expect({ said: String(output.content).split('\n')[0], file: stored('d.json') }).toEqual({
      said: expect.stringMatching(
        /^Saved https:\/\/a\.test\/x as d\.json \(7 bytes, SHA-256 [0-9a-f]{64}\)\.$/,
      ),
      file: '{"a" :1',
    });
  });
});
