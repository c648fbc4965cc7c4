import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { buildBundle, bundles } from '../../scripts/build.ts';
import { createSyntaxParser } from '../../src/tools/code/create-syntax-parser.ts';
import { languages } from '../../src/tools/code/languages.ts';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { readSource, root } from './source-tree.ts';

// A bundle takes some seconds, and several times that while other programs have the cores.
/**
 * Packages that a run must not wait for; a provider's SDK is loaded while the checkout is
 * inspected.
 */
const heavy = ['@anthropic-ai/sdk', 'openai', 'pg-boss', 'probot', '@octokit/webhooks', 'marked', 'pino'];

/** Bytes that every start reads and compiles; 64 KiB more cost it about 4 ms. */
const mostAtStart: Readonly<Record<string, number>> = {
  'dist/cli.js': 544 * 1024,
  'action/dist/index.js': 1_480 * 1024,
};

/** Bytes that a run reads before its first request, the SDK of the provider included. */
const mostBeforeRequest = 760 * 1024;

/**
 * The Action asks GitHub who started it before anything else; a run on this machine knows no
 * GitHub.
 */
const heavyFor: Readonly<Record<string, readonly string[]>> = {
  'dist/cli.js': [...heavy, '@octokit/rest'],
  'action/dist/index.js': heavy,
};

/** Packages that bundled code asks for, and goes on without. */
const requested = new Set(['canvas', 'pg-native', 'supports-color']);

/**
 * Packages that a bundle imports where it runs. For the command line they are those of an
 * installation, except for the parser's, which a separate process finds by its path.
 */
const taken: Readonly<Record<string, readonly string[]>> = {
  'dist/cli.js': Object.keys(
    z.object({ dependencies: z.record(z.string(), z.string()) }).parse(JSON.parse(readSource('package.json')))
      .dependencies,
  ).filter((name) => name !== '@vscode/tree-sitter-wasm'),
  'action/dist/index.js': ['@vscode/ripgrep'],
};

test.for(
  bundles,
)('$file starts a run without modules that its first request and call do not need', async (bundle) => {
  const file = `${bundle.folder}/${bundle.file}`;
  const tooHeavy = heavyFor[file];
  const { startBytes, startPackages, laterBytes, callModules, outsidePackages } = await buildBundle(bundle, {
    write: false,
  });
  expect(tooHeavy).toBeDefined();
  expect(startPackages.filter((name) => tooHeavy?.includes(name))).toEqual([]);
  expect(startBytes).toBeLessThan(mostAtStart[file] ?? 0);
  expect(laterBytes).toBeGreaterThan(0);
  expect(outsidePackages.filter((name) => !requested.has(name))).toEqual(taken[file]);
  // Nor modules that its first call does not need: other tools, and the reader of the ledger at the
  // end.
  const toolFiles = new Set(builtinTools.map(({ name }) => name.replaceAll(/[._]/g, '-')));
  const tools = callModules.flatMap((name) => {
    const base = /^src\/tools\/.*?([^/]+)\.ts$/.exec(name)?.[1] ?? '';
    return toolFiles.has(base) ? [base] : [];
  });
  const atHand = ['bash', 'batch', 'glob', 'grep', 'multi-read', 'read'];
  expect({
    tools: tools.sort(),
    end: callModules.filter((name) => /finish-run|contract\/(outcome|run-ledger)\.ts/.test(name)),
  }).toEqual({ tools: atHand, end: [] });
});

test('the built command line starts from any folder and prints its help', async () => {
  const cli = built('dist/cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [cli, '--help'], { cwd: '/', env: {} });
  for (const command of ['run', 'event', 'resume', 'doctor', 'serve'])
    expect(stdout).toContain(`anode ${command}`);
});

test("a run by Anthropic's SDK does not load Node's own fetch library", async () => {
  const requests: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bundle-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const report = "process.on('exit', () => console.log(process.moduleLoadList.join()))";
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const args = ['run', '--prompt', 'x', '--model', 'anthropic/x', '--sandbox', 'off', '--cwd', folder];
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: url,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', preload, built('dist/cli.js'), ...args],
    { env },
  ).catch((error: { stdout: string }) => error);
  server.close();
  rmSync(folder, { recursive: true });
  expect({
    asked: requests.length,
    http: stdout.split(/[,\n]/).includes('NativeModule http'),
    fetch: stdout.includes('undici'),
  }).toEqual({ asked: 1, http: true, fetch: false });
});

test('the built command line loads no parts of its first call before its first request', async () => {
  const server = createServer((_request, response) => response.writeHead(401).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bundle-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const report = `
    import { registerHooks } from 'node:module';
    import { subscribe } from 'node:diagnostics_channel';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const tell = () => console.log('loaded first: ' + JSON.stringify(loaded));
    subscribe('http.client.request.start', tell);`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const args = ['run', '--prompt', 'x', '--model', 'anthropic/x', '--sandbox', 'off', '--cwd', folder];
  const env = { PATH: process.env.PATH, HOME: folder, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', preload, built('dist/cli.js'), ...args],
    { env },
  ).catch((error: { stdout: string }) => error);
  server.close();
  rmSync(folder, { recursive: true });
  const list = /^loaded first: (.*)$/m.exec(stdout)?.[1] ?? '[]';
  const parts = z.array(z.string()).parse(JSON.parse(list));
  const files = parts.filter((part) => part.startsWith('file:')).map((part) => fileURLToPath(part));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const provider = files.some((file) => path.basename(file).startsWith('anthropic-messages'));
  expect({ provider, few: bytes < mostBeforeRequest }).toEqual({ provider: true, few: true });
});

test("the built command line prints a message for a provider's refusal with a code of an unused API", async () => {
  const details = { error_code: 'organization_not_enrolled_in_beta' };
  const body = JSON.stringify({ error: { type: 'invalid_request_error', message: 'not enrolled', details } });
  const server = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bundle-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ['run', '--prompt', 'x', '--model', 'anthropic/x', '--sandbox', 'off', '--cwd', folder];
  const env = { PATH: process.env.PATH, HOME: folder, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [built('dist/cli.js'), ...args], {
    env,
  }).catch((error: { stdout: string; stderr: string }) => error);
  server.close();
  rmSync(folder, { recursive: true });
  expect(stdout + stderr).toMatch(/failed: 400 .*not enrolled.*Tried once/);
});

test('the packaged Action reads code with only the files next to it', async () => {
  const program = built('action/dist/syntax-process.js');
  const grammars = createRequire(program).resolve('@vscode/tree-sitter-wasm');
  const parser = createSyntaxParser(program);
  const text = 'int main() {}';
  const query = { name: 'main', prefix: false };
  const answers = [...new Set(languages.map(({ grammar }) => grammar))].map((grammar) =>
    parser.analyse({ grammar, text, query }, new AbortController().signal),
  );
  const parsed = (await Promise.all(answers)).map((answer) => typeof answer === 'object' && answer !== null);
  await parser.close();
  expect({ beside: path.relative(path.dirname(program), grammars), parsed: new Set(parsed) }).toEqual({
    beside: 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter.js',
    parsed: new Set([true]),
  });
});

test('the built command line contains the texts of the built-in skills', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bundle-'));
  const args = ['tools', 'use', 'read_skill', '--arg', 'name=simplify'];
  const { stdout } = await promisify(execFile)(process.execPath, [built('dist/cli.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  rmSync(folder, { recursive: true });
  const source = readFileSync(path.join(root, 'src/tools/skills/built-in/simplify.md'), 'utf8');
  expect(stdout.trim()).toBe(`[simplify, built-in: built in]\n${source.trim()}`);
});

test('the built command line calls agents elsewhere with everything that such requests need', async () => {
  const card = {
    ...{ name: 'Sample', description: 'Does it.', capabilities: {} },
    supportedInterfaces: [{ url: 'http://127.0.0.1:9/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  };
  const server = createServer((_, response) => response.end(JSON.stringify(card)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bundle-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = path.join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ a2a: { agents: { sample: { url } } } }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [built('dist/cli.js'), 'tools', 'use', 'a2a_discover', '--config', config],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
  );
  server.close();
  rmSync(folder, { recursive: true });
  expect(stdout).toBe('sample: Sample\nDoes it.\nTakes text, gives text.\n');
});

test('the built command line can be executed', () => {
  expect(readFileSync(built('dist/cli.js'), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
});

/** A built file; `npm test` builds them before it starts. */
function built(file: string): string {
  if (!existsSync(path.join(root, file))) throw new Error(`${file} is not built. Run: npm run build`);
  return path.join(root, file);
}
