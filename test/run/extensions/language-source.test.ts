import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import type { Config } from '../../../src/config/schema.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { languageServers } from '../../../src/extensions/language/server-table.ts';
import type { ExternalRun } from '../../../src/run/extensions/external-run.ts';
import { openExternalTools } from '../../../src/run/extensions/external-tools.ts';
import { languagePrograms, mayHaveLanguageServer } from '../../../src/run/extensions/language-programs.ts';
import { decideLanguages, languageSource } from '../../../src/run/extensions/language-source.ts';
import type { ExternalSource } from '../../../src/tools/registry/load-external-tools.ts';
import { available } from '../../sandbox/runner-fixture.ts';
import { openTools } from '../../tools/tool-harness.ts';
import { externalPlace } from './external-place.ts';

const place = externalPlace((name) => /(^|\/)\.?bin\//.test(name));
const { put } = place;
const opened: ExternalSource[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
});

const runOf = (change: Partial<ExternalRun> = {}): ExternalRun => ({
  ...place.runOf(),
  sandboxed: true,
  environment: { PATH: `${place.folder}/bin:/usr/bin:/bin` },
  ...change,
});

/** The tools of a run by language servers, and problems. */
async function load(change: Partial<ExternalRun> = {}) {
  const source = languageSource(runOf(change));
  opened.push(source);
  const { tools, problems } = await source.load(new AbortController().signal);
  return { tools: tools.map(({ name }) => name), problems };
}

const all = ['lsp', 'get_diagnostics', 'diagnostics'];
const fork = { checkout: { fork: true }, requester: { permission: 'read' }, source: {} } as RunPlan;

describe('the tools of language servers are available', () => {
  test('if a server is on PATH and the checkout holds a file of its language at any depth', async () => {
    put({ 'bin/gopls': '#!/bin/sh\n' }, place.folder);
    expect(await load()).toEqual({ tools: [], problems: [] });
    put({ 'services/shop/cmd/main.go': 'package main\n' });
    expect(await load()).toEqual({ tools: all, problems: [] });
    expect(await load({ config: { lsp: { detect: false } } })).toEqual({ tools: [], problems: [] });
    expect(await load({ config: { lsp: { servers: { gopls: false } } } })).toEqual({
      tools: [],
      problems: [],
    });
    expect(await load({ sandboxed: false })).toEqual({ tools: [], problems: [] });
  });

  test('if node_modules has one, except a TypeScript before 7 and except on a fork', async () => {
    put({
      'a.ts': '',
      'node_modules/.bin/tsc': '',
      'node_modules/typescript/package.json': '{"version":"5.9.3"}',
    });
    expect((await load()).tools).toEqual([]);
    put({ 'node_modules/typescript/package.json': '{"version":"7.0.2"}' });
    expect([(await load()).tools, (await load({ plan: fork })).tools]).toEqual([all, []]);
    expect((await load({ plan: fork, config: { lsp: { forks: true } } })).tools).toEqual(all);
    // Files in the checkout are untrusted, even if PATH leads there.
    const environment = { PATH: `${place.root}/node_modules/.bin:${place.folder}/links` };
    mkdirSync(`${place.folder}/links`);
    symlinkSync(`${place.root}/node_modules/.bin/tsc`, `${place.folder}/links/tsc`);
    expect((await load({ plan: fork, environment })).tools).toEqual([]);
  });

  test('if a set-up is to install one that package.json requires', async () => {
    const prepared = { output: () => null, variables: {} };
    put({ 'a.ts': '', 'package.json': '{"devDependencies":{"typescript":"^5.9.3"}}' });
    expect((await load({ prepared })).tools).toEqual([]);
    put({ 'package.json': '{"devDependencies":{"typescript":"^7.0.2"}}' });
    expect([(await load({ prepared })).tools, (await load()).tools]).toEqual([all, []]);
  });

  test('if one is configured, and problems are reported', async () => {
    const servers = {
      vue: { command: ['vue-language-server', '--stdio'], languages: { '.vue': 'vue' } },
      odd: {},
    };
    const problem = 'lsp.servers.odd is left out: it is not a known server, and needs command and languages.';
    expect(await load({ config: { lsp: { servers } } })).toEqual({ tools: all, problems: [problem] });
    expect(await load({ config: { lsp: { servers } }, sandboxed: false })).toEqual({
      tools: [],
      problems: ['The language servers of lsp.servers (vue, odd) do not start: they need a working sandbox.'],
    });
    const config = { lsp: { servers: { vue: servers.vue } }, env: { pass: { 'lsp:vue': ['NPM_TOKEN'] } } };
    const environment = { PATH: '/usr/bin', NPM_TOKEN: 'canary' };
    expect((await load({ config, environment })).problems).toEqual([
      'The language server vue is not given NPM_TOKEN, as its operator has not said in ANODE_ENV_PASS that a program of the repository may have it, so it does not start.',
    ]);
  });

  test('a run without language servers loads none of their code', async () => {
    const look = { root: place.root, path: `${place.folder}/bin:relative`, setUp: false };
    const may = () => mayHaveLanguageServer(look);
    expect([may(), mayHaveLanguageServer({ ...look, setUp: true })]).toEqual([false, false]);
    put({ 'bin/clangd': '' }, place.folder);
    expect(may()).toBe(false);
    put({ 'deep/down/a.c': '' });
    execFileSync('git', ['add', '-A'], { cwd: place.root });
    expect(may()).toBe(true);
    execFileSync('git', ['rm', '-qf', 'deep/down/a.c'], { cwd: place.root });
    expect(may()).toBe(false);
    put({ 'new.cpp': '' });
    expect(may()).toBe(true);
    const { tools } = await openExternalTools(
      runOf({ environment: { PATH: '/nowhere' } }),
      findProfile('craft'),
      async () => [],
    );
    expect(tools).toBeNull();
    const files = new Map<string, string>();
    for (const { command, languages } of languageServers)
      files.set(command[0], Object.keys(languages).join(' '));
    expect(languagePrograms).toEqual(Object.fromEntries(files));
  });
});

describe('the servers that may start', () => {
  const decide = (config: Config, more: { preset?: 'strict'; fork?: boolean } = {}) =>
    decideLanguages({ config, preset: 'careful', sandboxed: true, fork: false, path: '/bin', ...more });

  test.for([
    ['as it is', {}, {}, true],
    ['under strict', {}, { preset: 'strict' }, false],
    ['for a fork', {}, { fork: true }, false],
    ['for a fork, where it is allowed', { lsp: { forks: true } }, { fork: true }, true],
    ['where bash is disabled', { tools: { disabled: ['bash'] } }, {}, false],
    [
      'where a rule keeps commands away',
      { permissions: { rules: [{ tool: 'bash', action: 'reject' }] } },
      {},
      false,
    ],
  ] as const)('%s', ([, config, more, checkout]) => {
    expect(decide(config as Config, more).checkout).toBe(checkout);
  });

  test('a known one can be reconfigured, and with another command it counts as running any program', () => {
    const servers = {
      clangd: { command: ['clangd-20'], env: { A: 'b' } },
      'vscode-css': { settings: { css: { validate: false } } },
    };
    const [clangd, css, next] = decide({ lsp: { servers } }).entries;
    const [known, knownCss] = ['clangd', 'vscode-css'].map((name) =>
      languageServers.find((one) => one.name === name),
    );
    expect([clangd, css, next?.name]).toEqual([
      { ...known, command: ['clangd-20'], runsCheckout: true, env: { A: 'b' } },
      { ...knownCss, settings: { css: { validate: false } }, env: {} },
      'typescript',
    ]);
  });
});

/**
 * Writes the results of its attempts into the text of a hover; it implements only the necessary
 * part of the protocol.
 */
const spy = `#!/bin/sh
exec "${process.execPath}" -e '
const fs = require("fs"), net = require("net"), seen = [];
const tell = (what, act) => { try { act(); seen.push(what); } catch (error) { seen.push("no " + what); } };
tell("write", () => fs.writeFileSync("left-behind", ""));
tell("read", () => fs.readFileSync("a.spy"));
seen.push("token " + process.env.SECRET_TOKEN, "own " + process.env.OWN);
let input = "";
net.connect(PORT, "127.0.0.1", () => listen("network")).on("error", () => listen("no network"));
const listen = (network) => seen.push(network) && process.stdin.on("data", (chunk) => {
  input += chunk;
  for (;;) {
    const head = input.indexOf("\\r\\n\\r\\n"), length = Number((/Content-Length: (\\d+)/.exec(input) || [])[1]);
    if (head < 0 || input.length < head + 4 + length) return;
    const { id, method } = JSON.parse(input.slice(head + 4, head + 4 + length));
    input = input.slice(head + 4 + length);
    if (id === undefined) continue;
    const result = method === "initialize" ? { capabilities: { hoverProvider: true } } : { contents: seen.join(", ") };
    const text = JSON.stringify({ jsonrpc: "2.0", id, result });
    process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
  }
});
'
`;

test.skipIf(!available)(
  'a server runs in its own sandbox: it reads the checkout and has neither network nor secrets',
  async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    put({ 'bin/spy': spy.replace('PORT', String(port)) }, place.folder);
    put({ 'a.spy': 'name\n' });
    const harness = await openTools({ 'a.spy': 'name\n' }, { git: true });
    const source = languageSource(
      runOf({
        root: harness.root,
        config: {
          lsp: { servers: { spy: { command: ['spy'], languages: { '.spy': 'spy' }, env: { OWN: 'word' } } } },
        },
        environment: { PATH: `${place.folder}/bin:${process.env.PATH}`, SECRET_TOKEN: 'canary' },
      }),
    );
    opened.push(source);
    const { tools } = await source.load(new AbortController().signal);
    const lsp = tools.find(({ name }) => name === 'lsp');
    const input = lsp?.input.parse({ operation: 'hover', path: 'a.spy', symbol: 'name' });
    const { content } = (await lsp?.execute(input as never, harness.context, undefined)) ?? {};
    await source.close();
    listener.close();
    const files = Object.keys(harness.tree());
    await harness.close();
    expect([content, files]).toEqual([
      'name at a.spy:1:1 (line 0, character 0 from 0): name\nno write, read, token undefined, own word, no network',
      ['a.spy'],
    ]);
  },
);
