import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall, ScriptedRequest } from '../support/model/script.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal, type Tree } from '../uses/support/start-local.ts';

vi.setConfig({ maxConcurrency: 3 });

const servers = ['everything', 'filesystem', 'memory'];

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** A checkout with the reference servers installed, each in one file. */
async function checkout(files: Tree): Promise<string> {
  const folder = await local.checkout({ '.gitignore': 'node_modules\n', ...files });
  const installed = path.join(folder, 'node_modules/servers');
  await mkdir(installed, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(
      servers.map((name) => [
        name,
        path.resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`),
      ]),
    ),
    outdir: installed,
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: {
      js: "import{createRequire as __node}from'node:module';const require=__node(import.meta.url);",
    },
  });
  return folder;
}

/** The server that has everything, over HTTP on this machine. */
async function startHttp(folder: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const file = path.join(folder, 'node_modules/servers/everything.mjs');
  const child = spawn(process.execPath, [file, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const chunk of child.stderr ?? []) if (String(chunk).includes('listening on port')) break;
  return { url: `http://127.0.0.1:${port}/mcp`, child };
}

/** The servers that a request has told of so far. */
const toldOf = (request: ScriptedRequest): string[] => [
  ...new Set(allTextOf(request).match(/(?<=mcp__)\w+?(?=__)/g)),
];

/** A run that makes these calls in one turn each, once it was told of `servers` servers, which are started beside it. */
async function run(
  name: string,
  folder: string,
  { servers, environment }: { servers: number; environment: Readonly<Record<string, string>> },
  ...turns: (readonly ScriptedCall[])[]
) {
  const results: string[] = [];
  let told: string[] = [];
  let begun = 0;
  local.learn(name, (turn, request) => {
    if (begun === 0 && toldOf(request).length < servers && turn < 15)
      // A search waits for what is still to come: turns alone may pass faster than servers start.
      return { calls: [call('tool_search', { query: 'nothing' })] };
    if (begun === 0) told = toldOf(request);
    else results.push(lastResults(request));
    const calls = turns[begun];
    begun += 1;
    return calls === undefined ? { text: 'Done.' } : { calls };
  });
  const { stdout, stderr } = await local.anode(
    folder,
    ['run', '--prompt', name, '--config', '.github/anode.yml', '--sandbox', 'required', '--output', 'json'],
    { environment },
  );
  const report = JSON.parse(stdout) as { changes: { path: string; kind: string }[] };
  return { results, stderr, told: told.sort(), report };
}

describe.skipIf(!available)('the MCP servers of a run', () => {
  test('include the reference servers, over pipes and HTTP, through gate and sandbox', async () => {
    const program = (name: string) => `{ command: node, args: [node_modules/servers/${name}.mjs`;
    const folder = await checkout({
      '.mcp.json': JSON.stringify({
        mcpServers: {
          memory: {
            command: 'node',
            args: ['node_modules/servers/memory.mjs'],
            env: { MEMORY_FILE_PATH: `\${workspaceFolder}/\${NOWHERE:-memory}.jsonl` },
          },
        },
      }),
    });
    const { url, child } = await startHttp(folder);
    await mkdir(path.join(folder, '.github'), { recursive: true });
    await writeFile(
      path.join(folder, '.github/anode.yml'),
      `mcp:
  servers:
    every: ${program('everything')}], tools: { allow: [get-*, echo, list_resources, read_resource, get_prompt] } }
    files: ${program('filesystem')}, '.'], tools: { deny: ['*directory*'] } }
    web: { url: '${url}', trustAnnotations: true, tools: { allow: [get-sum, echo, read_resource] } }
    gone: { command: no-such-server }
permissions: { rules: [{ tool: mcp__web__echo, action: reject }] }
`,
    );
    try {
      const { results, told, stderr, report } = await run(
        'use the servers',
        folder,
        { servers: 4, environment: { ANODE_WORKSPACE_MCP: '1' } },
        [call('tool_search', { query: 'sum of two numbers' })],
        [call('mcp__every__get-sum', { a: 2, b: 3 }), call('mcp__web__get-sum', { a: 20, b: 3 })],
        [call('mcp__every__get-structured-content', { location: 'Chicago' })],
        [call('mcp__every__read_resource', { uri: 'demo://resource/dynamic/text/1' })],
        [call('mcp__every__get_prompt', { name: 'args-prompt', arguments: { city: 'Oslo' } })],
        [call('mcp__files__write_file', { path: 'made.txt', content: 'by a server\n' })],
        [call('mcp__files__read_text_file', { path: '/etc/hostname' })],
        [
          call('mcp__memory__create_entities', {
            entities: [{ name: 'A', entityType: 'x', observations: [] }],
          }),
        ],
        [call('mcp__web__echo', { message: 'no' })],
        [call('mcp__every__get-env', {})],
      );
      const environmentOf = JSON.parse(results[9] ?? '{}') as object;
      expect({
        told,
        found: results[0]?.includes('"name":"mcp__every__get-sum"'),
        results: results.slice(1, 9),
        keys: Object.keys(environmentOf).filter((name) => /KEY|TOKEN|SECRET|ANODE/.test(name)),
        problems: stderr.split('\n').filter((line) => line.includes('MCP')),
        changes: report.changes.map(({ path: file, kind }) => [file, kind]),
      }).toEqual({
        told: ['every', 'files', 'memory', 'web'],
        found: true,
        results: [
          expect.stringMatching(
            /^The sum of 2 and 3 is 5\.\n\[instructions of the MCP server every: .*\]\nThe sum of 20 and 3 is 23\.\n\[instructions/,
          ),
          '{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}',
          expect.stringMatching(
            /^\[resource demo:\/\/resource\/dynamic\/text\/1, text\/plain\]\nResource 1: /,
          ),
          "What's weather in Oslo?",
          'Successfully wrote to made.txt',
          `mcp__files__read_text_file failed: Access denied - path outside allowed directories: /etc/hostname not in ${folder}`,
          expect.stringContaining('"name": "A"'),
          expect.stringContaining('is rejected by rule 1 (mcp__web__echo)'),
        ],
        keys: [],
        problems: [
          '! The MCP server gone could not be loaded, so its tools are missing: it ended with exit code 127; it had said: bash: line 1: exec: no-such-server: not found.',
        ],
        changes: [
          ['made.txt', 'add'],
          ['memory.jsonl', 'add'],
        ],
      });
    } finally {
      child.kill();
    }
  });

  test('are listed, called and diagnosed by the command line', async () => {
    const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  if (method === 'tools/list') say({ tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'string' } } } }] });
  if (method === 'tools/call') say({ content: [{ type: 'text', text: 'at ' + params.arguments.at }] });
});
`;
    const folder = await local.checkout({
      'srv.cjs': server,
      '.github/anode.yml':
        'mcp: { servers: { own: { command: node, args: [srv.cjs], readOnly: true }, writes: { command: node, args: [srv.cjs] }, gone: { command: node, args: [none.cjs] } } }\n',
    });
    const config = ['--config', '.github/anode.yml'];
    const [listed, craft, used, doctor] = await Promise.all([
      local.anode(folder, ['tools', 'list', '--json', '--profile', 'review', ...config]),
      local.anode(folder, ['tools', 'show', 'mcp__writes__look', ...config]),
      local.anode(folder, ['tools', 'use', 'mcp__own__look', '--arg', 'at=a', ...config]),
      local.anode(folder, ['doctor', ...config]),
    ]);
    const tools = JSON.parse(listed.stdout) as { name: string; permission: string; source: string }[];
    expect({
      listed: tools.flatMap(({ name, permission, source }) =>
        source === 'mcp' ? [`${name} ${permission}`] : [],
      ),
      craft: /^level.*/m.exec(craft.stdout)?.[0],
      used: used.stdout,
      doctor: doctor.stdout.match(/^.*other tools.*\n.*\n/m)?.[0],
    }).toEqual({
      // A profile that only reads holds every server to it.
      listed: ['mcp__own__look auto_read', 'mcp__writes__look auto_read'],
      craft: 'level     confirm_execute',
      used: 'at a\n',
      doctor: expect.stringMatching(
        /other tools: mcp__own__look, mcp__writes__look.*\n +The MCP server gone could not be loaded, so its tools are missing: it cannot be run: .* has no file none\.cjs/,
      ),
    });
  });
});
