import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEmbedder } from '../../../src/agent/models/embeddings.ts';
import type { Json } from '../../../src/contract/json.ts';
import {
  chunkText,
  createSemanticIndex,
  indexedChunk,
} from '../../../src/extensions/semantic/semantic-index.ts';
import { semanticSearch } from '../../../src/extensions/semantic/semantic-search.ts';
import type { ExternalRun } from '../../../src/run/extensions/external-run.ts';
import { semanticSource } from '../../../src/run/extensions/semantic-source.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';

/** Words that mean the same to the model that is played. */
const meanings = [/summar|shorten|compact/i, /price|cost|dollar/i, /door|gate|lock/i];
const vectorOf = (text: string) => [
  0.1,
  ...meanings.map((words) => (text.match(new RegExp(words, 'gi')) ?? []).length),
];

let server: Server;
let requested: { path: string; key: string | undefined; input: string[] }[] = [];
let answer: ((input: string[]) => { status: number; body: string }) | null = null;
let baseUrl = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString());
      requested.push({ path: request.url ?? '', key: request.headers.authorization, input });
      const data = input
        .map((text: string, index: number) => ({ index, embedding: vectorOf(text) }))
        .reverse();
      const { status, body } = answer?.(input) ?? { status: 200, body: JSON.stringify({ data }) };
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => server.close());

const files = {
  'src/history.ts': 'export function compactTurns() {\n  // shorten what was said\n}\n',
  'src/prices.ts': 'export const costOf = (tokens: number) => tokens * 3; // dollars\n',
  'src/binary.bin': Buffer.from([0, 1, 2]),
  'package-lock.json': '{"compact": "summary"}\n',
  'ignored/summary.ts': 'summary compact\n',
  '.gitignore': 'ignored\n',
  'key.txt': 'the door is sk-secret-0123456789abcdef\n',
};

let tools: ToolHarness;
beforeEach(async () => {
  requested = [];
  answer = null;
  tools = await openTools(files, { git: true });
});
afterEach(() => tools.close());

const store = createMemoryStateStore();
async function open(change: Partial<ExternalRun> = {}) {
  const source = semanticSource(
    {
      config: { providers: { local: { type: 'openai-compatible', baseUrl, apiKey: '{env:KEY}' } } },
      environment: { KEY: 'k-0123456789' },
      secrets: ['sk-secret-0123456789abcdef'],
      store: null,
      readOnly: false,
      ...change,
    } as ExternalRun,
    'local/embed-1',
  );
  const { tools: provided } = await source.load(new AbortController().signal);
  const [tool] = provided;
  if (tool === undefined) throw new Error('the tool is not there');
  return async (input: { readonly [key: string]: Json }) => {
    const { content, data } = await tool.execute(tool.input.parse(input), tools.context, undefined);
    return { content: String(content), data };
  };
}

describe('semantic_search', () => {
  test('finds lines by meaning, except in ignored files, binaries, lock files and secrets', async () => {
    const search = await open();
    const { content, data } = await search({ query: 'where is the conversation summarised', limit: 1 });
    expect(content).toBe(
      'src/history.ts:1-3 (1.00)\n1\texport function compactTurns() {\n2\t  // shorten what was said\n3\t}'
        .replace('1-3', '1-4')
        .concat('\n4\t'),
    );
    expect(data).toMatchObject({ results: [{ path: 'src/history.ts' }], files: 3, parts: 3, not_indexed: 0 });
    expect(requested.map(({ path, key, input }) => [path, key, input.length])).toEqual([
      ['/v1/embeddings', 'Bearer k-0123456789', 3],
      ['/v1/embeddings', 'Bearer k-0123456789', 1],
    ]);
    const sent = requested.flatMap(({ input }) => input).join('\n');
    expect(sent).toContain('key.txt\nthe door is');
    expect(sent).not.toMatch(/sk-secret|"compact"|ignored/);
  });

  test('requests only changed text again, and searches below a path and by a glob', async () => {
    const search = await open();
    await search({ query: 'cost' });
    tools.write('src/prices.ts', 'export const gate = 1;\n');
    requested = [];
    expect((await search({ query: 'lock', glob: '*.ts', path: 'src', limit: 1 })).content).toContain(
      'src/prices.ts:1',
    );
    expect(requested.map(({ input }) => input.length)).toEqual([1, 1]);
    expect(
      (
        await search({ query: 'lock', path: 'nowhere', limit: 1 }).catch((error: Error) => ({
          content: error.message,
        }))
      ).content,
    ).toContain('No text lies in nowhere');
  });

  test('stores vectors for later runs on the repository, except in a read-only run', async () => {
    const stored = store;
    await (await open({ store: stored, readOnly: true }))({ query: 'cost' });
    expect(await store.list('embeddings/')).toEqual([]);
    await (await open({ store: stored }))({ query: 'cost' });
    expect(await store.list('embeddings/')).toEqual(['embeddings/local%2Fembed-1']);
    requested = [];
    await (await open({ store: stored }))({ query: 'cost' });
    expect(requested.map(({ input }) => input)).toEqual([['cost']]);
  });

  test.each([
    [{ status: 401, body: 'no such key k-0123456789' }, 'HTTP 401: no such key ***'],
    [{ status: 200, body: '{"data": [' }, 'the answer is none of the protocol'],
    [
      { status: 200, body: '{"data": [{"index": 0, "embedding": [1]}]}' },
      'the answer is none of the protocol',
    ],
  ])("reports a server's mistake: %j", async (reply, words) => {
    answer = () => reply;
    const search = await open();
    await expect(search({ query: 'cost' })).rejects.toMatchObject({
      kind: 'failed',
      message: `The embeddings of local/embed-1 could not be had: ${words}. Search by grep or code_search instead.`,
    });
  });

  test('a provider without such embeddings is refused with a message', () => {
    expect(() =>
      createEmbedder({ name: 'anthropic/x', providers: {}, environment: { ANTHROPIC_API_KEY: 'k' } }),
    ).toThrow('The provider anthropic has no embeddings: choose one');
  });
});

test('an index stays within its time limit, and continues from there', async () => {
  const embedding = { name: 'x', embed: async (texts: readonly string[]) => texts.map(vectorOf) };
  const index = createSemanticIndex(embedding, null);
  const chunks = Array.from({ length: 150 }, (_, at) =>
    indexedChunk('a', { start: at, end: at, text: `part ${at}` }),
  );
  const { signal } = new AbortController();
  const options = { deadline: 0, now: () => 1, signal };
  expect([
    await index.update(chunks, options),
    await index.update(chunks, options),
    await index.update(chunks, options),
    (await index.nearest('part', chunks, 200, signal)).length,
  ]).toEqual([86, 22, 0, 150]);
});

test('the part of a large repository beyond the limit is counted and reported', async () => {
  const parts = (count: number) => 'x\n'.repeat(50 * count - 1).concat('x');
  const large = await openTools({
    'a-large.txt': 'x'.repeat(300 * 1024),
    'a-large.bin': Buffer.alloc(300 * 1024),
    'b1.txt': parts(2_600),
    'b2.txt': parts(2_600),
    'b3.txt': parts(2_600),
    'b4.txt': parts(300),
    'c.txt': 'c\n',
    'd.txt': 'd\n',
  });
  const index = { update: async () => 0, nearest: async () => [] };
  const tool = semanticSearch(index, { budgetMs: 1, now: () => 0 });
  try {
    expect(await tool.execute(tool.input.parse({ query: 'x' }), large.context, undefined)).toEqual({
      content: [
        '[not searched: 1 text file of more than 256 KiB; use grep there]',
        '[not searched: b4.txt from line 10001 on, as the index is full; use grep there]',
        '[not searched: up to 2 more files, as the index is full; use grep there]',
      ].join('\n'),
      data: {
        ...{ results: [], files: 4, parts: 8_000, not_indexed: 0 },
        ...{ files_left_out: 2, files_too_large: 1, cut: { path: 'b4.txt', line: 10_001 } },
      },
    });
  } finally {
    await large.close();
  }
});

test('a text is cut at blank lines, into parts that a model accepts', () => {
  const lines = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => `line ${from + at}`).join('\n');
  expect(chunkText(`${lines(40)}\n\n${lines(40)}\n`).map(({ start, end }) => [start, end])).toEqual([
    [1, 41],
    [42, 82],
  ]);
  expect(chunkText('\n\n \n')).toEqual([]);
  expect(chunkText('x'.repeat(5_000)).map(({ start, end, text }) => [start, end, text.length])).toEqual([
    [1, 1, 1_600],
  ]);
});
