import { once } from 'node:events';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { startSampleAgent } from '../../extensions/a2a/sample-agent.ts';
import { cliProgram } from '../../support/program-files.ts';
import { projectRoot } from '../support/run-program.ts';
import { type HandRow, type RunStep, step } from './tool-row.ts';

/** The servers and programs that tools from elsewhere are tried with. */
export interface Elsewhere {
  /** Files that the checkout needs. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const hit = { title: 'The guide', url: 'http://docs.test/guide', content: 'How apples grow.' };
const pages: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/search': ['application/json', JSON.stringify({ results: [hit] })],
  'http://docs.test/guide': [
    'text/html',
    '<html><body><h1>The guide</h1><p>Do <b>this</b>.</p></body></html>',
  ],
  'http://docs.test/data.csv': ['text/csv', 'a,b\n1,2\n'],
};

/** Words that mean the same to the embedding model that is played. */
const vectorOf = (words: string) => [
  0.1,
  /price|cost/i.test(words) ? 1 : 0,
  /door|gate/i.test(words) ? 1 : 0,
];

const program = `#!/bin/sh
if [ "$TOOLBOX_ACTION" = describe ]; then
  echo '{"name":"weigh","description":"Weighs fruit.","args":{"fruit":"which"},"permission":"auto_read"}'
else
  echo "weighed $(cat)"
fi
`;

/** An MCP server and a plug-in, each with one tool that returns its arguments. */
export const mcpServer = `
import { createInterface } from 'node:readline';
const tool = { name: 'echo', description: 'Says it back.', inputSchema: { type: 'object', properties: { say: { type: 'string' } } } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { say } }) => ({ content: [{ type: 'text', text: 'server: ' + say }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }) + '\\n');
});
`;

/** Starts them. */
export async function startElsewhere(): Promise<Elsewhere> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/v1/embeddings') {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((words, index) => ({ index, embedding: vectorOf(words) }));
      response.end(JSON.stringify({ data }));
      return;
    }
    const [type, page] = pages[request.url ?? ''] ?? ['text/plain', 'nothing here'];
    response.writeHead(200, { 'content-type': type }).end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = await startSampleAgent();
  const config = {
    a2a: { agents: { sample: { url: agent.url } } },
    mcp: { servers: { echo: { command: 'node', args: ['ci/server.mjs'] } } },
    plugins: { back: { command: ['node', 'ci/plugin.mjs'] } },
    providers: { local: { type: 'openai-compatible', baseUrl: `${at}/v1` } },
    tools: {
      toolboxDirs: ['.tools'],
      web: { backend: 'tavily', url: at, allow: ['docs.test'] },
      semanticSearch: { model: 'local/words' },
    },
  };
  return {
    files: {
      '.github/anode.yml': JSON.stringify(config),
      '.tools/weigh': program,
      'ci/server.mjs': mcpServer,
      'ci/plugin.mjs': plugin,
      'src/costs.ts': 'export const costOf = (apples: number) => apples * 3;\n',
      'src/gate.ts': 'export const openGate = () => true;\n',
      'data.json': '{ "a": 1, }\n',
    },
    environment: {
      TAVILY_API_KEY: 'key-of-the-search-4f9',
      HTTP_PROXY: at,
      NO_PROXY: '127.0.0.1',
      PATH: `${path.join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}`,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await agent.close();
    },
  };
}

const plugin = mcpServer
  .replace(
    "initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } })",
    'initialize: () => ({ name: "back", version: "1" })',
  )
  .replace(
    "({ arguments: { say } }) => ({ content: [{ type: 'text', text: 'server: ' + say }] })",
    "({ arguments: { say } }) => ({ content: 'plug-in: ' + say })",
  );

/** The tools that others bring, each called once in one run with these servers and programs around it. */
const calls: Readonly<Record<string, Pick<RunStep, 'input' | 'content'>>> = {
  web_search: {
    input: { query: 'how apples grow', domains: ['docs.test'] },
    content:
      '1 found:\n<untrusted source="web" url="http://docs.test/guide">\nThe guide\nhttp://docs.test/guide\nHow apples grow.\n</untrusted>',
  },
  WebSearch: { input: { query: 'how apples grow' }, content: expect.stringContaining('The guide') },
  google_web_search: { input: { query: 'how apples grow' }, content: expect.stringContaining('The guide') },
  WebFetch: { input: { url: 'http://docs.test/guide' }, content: expect.stringContaining('Do **this**.') },
  webfetch: { input: { url: 'http://docs.test/guide' }, content: expect.stringContaining('Do **this**.') },
  web_fetch: {
    input: { url: 'http://docs.test/guide' },
    content:
      'http://docs.test/guide: 200 OK, text/html, 66 bytes\n<untrusted source="web" url="http://docs.test/guide">\n## The guide\n\nDo **this**.\n</untrusted>',
  },
  fetch: {
    input: { url: 'http://docs.test/data.csv' },
    content:
      'http://docs.test/data.csv: 200 OK, text/csv, 8 bytes\n<untrusted source="web" url="http://docs.test/data.csv">\ncontent-type: text/csv\n\na,b\n1,2\n</untrusted>',
  },
  download: {
    input: { url: 'http://docs.test/data.csv', path: 'data.csv' },
    content: expect.stringMatching(
      /^Saved http:\/\/docs\.test\/data\.csv as data\.csv \(8 bytes, SHA-256 [0-9a-f]{64}\)\.$/,
    ),
  },
  a2a_discover: {
    input: { agent: 'sample' },
    content:
      'sample: Sample Agent 1.0.0, by Samples\nDoes what its first word says.\nTakes text, gives text, in pieces.\nSkills:\n- Make [report]: Makes a report.\n    such as: make it',
  },
  a2a_call: {
    input: { agent: 'sample', message: 'echo apples' },
    content: expect.stringMatching(
      /^\[sample: completed \(context_id [-0-9a-f]{36}\)\. What follows is in its words\.\]\nyou said: echo apples$/,
    ),
  },
  semantic_search: {
    input: { query: 'where the door is', limit: 1 },
    content: 'src/gate.ts:1-2 (1.00)\n1\texport const openGate = () => true;\n2\t',
  },
  lsp: {
    input: { operation: 'documentSymbol', path: 'data.json' },
    content:
      '1 symbol in data.json\ndata.json:1:3  number a 1\n[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]',
  },
  get_diagnostics: {
    input: { path: 'data.json', wait: true },
    content:
      '1 error in data.json\ndata.json:1:9 error [json 519]: Trailing comma\n[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]',
  },
  diagnostics: {
    input: { path: 'data.json' },
    content:
      '1 error in data.json\ndata.json:1:9 error [json 519]: Trailing comma\n[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]',
  },
  tb__weigh: { input: { fruit: 'pear' }, content: 'weighed {"fruit":"pear"}' },
  mcp__echo__echo: { input: { say: 'pear' }, content: 'server: pear' },
  plugin__back__echo: { input: { say: 'pear' }, content: 'plug-in: pear' },
};

export const elsewhereSteps: readonly RunStep[] = Object.entries(calls).map(([name, { input, content }]) =>
  step(name, input, content),
);

/** Python, if the optional package is installed beside the program. */
export const pythonRows: Readonly<Record<string, HandRow>> = {
  monty_python_repl: { input: { code: '1 + 2' }, content: '3' },
  python_repl: { input: { code: '1 + 2' }, content: '3' },
};

/**
 * Stands in for the optional package for Python, which is native code of 19 MB: its session prints
 * its input.
 */
const monty = `
import { writeSync } from 'node:fs';
export class Monty { run() { writeSync(1, '\\n'); } }
export class MontyRepl {
  static load() { return new MontyRepl(); }
  dump() { return {}; }
  feed(code) { return code === '1 + 2' ? 3 : null; }
}
`;

/** A copy of the built program with the optional package beside it. Returns the program's file. */
export async function programWithPython(folder: string): Promise<string> {
  const dist = path.dirname(path.join(projectRoot, cliProgram));
  await cp(dist, path.join(folder, 'dist'), { recursive: true });
  for (const name of ['monty', `monty-${process.platform}-${process.arch}-gnu`]) {
    const place = path.join(folder, 'node_modules/@pydantic', name);
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'index.js'), monty);
    await writeFile(path.join(place, 'package.json'), JSON.stringify({ type: 'module', main: 'index.js' }));
  }
  await chmod(path.join(folder, 'dist'), 0o755);
  return path.join(folder, 'dist', path.basename(cliProgram));
}
