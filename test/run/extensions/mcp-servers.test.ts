import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { operatorConfig } from '../../../src/config/merge-config.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { type ExternalRun, trustedTree } from '../../../src/run/extensions/external-run.ts';
import { mcpSources } from '../../../src/run/extensions/mcp-servers.ts';
import { skillServers } from '../../../src/run/extensions/skill-servers.ts';
import { findSkills } from '../../../src/tools/skills/create-skill-library.ts';
import { available } from '../../sandbox/runner-fixture.ts';
import { externalPlace } from './external-place.ts';

const place = externalPlace(() => false);
const { commit } = place;
const signal = new AbortController().signal;

const runOf = (text: string, change: Partial<ExternalRun> = {}): ExternalRun =>
  place.runOf({ config: parseConfig(text, 'anode.yml'), ...change });

/** The servers of a run, each with its tools or why there are none. */
async function load(text: string, change: Partial<ExternalRun> = {}): Promise<Record<string, unknown>> {
  const sources = await mcpSources(runOf(text, change));
  const loaded = await Promise.all(
    sources.map(async (source) => {
      const result = await source.load(signal).then(
        ({ tools, problems }) => [...tools.map(({ name, level }) => `${name} ${level}`), ...problems],
        (error: Error) => error.message,
      );
      await source.close();
      return [source.name.replace('the MCP server ', ''), result] as const;
    }),
  );
  return Object.fromEntries(loaded);
}

/** A server in a few lines: one tool, which reports how it was started. */
const small = (
  name: string,
) => `const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } });
  if (method === 'tools/list') say({ tools: [{ name: '${name}', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] });
});
`;

const forked = {
  source: { kind: 'action' },
  checkout: { fork: true },
  requester: { permission: 'admin', type: 'User' },
} as unknown as RunPlan;

describe.skipIf(!available)('configured MCP servers', () => {
  test('start from the commit, not the checkout, and their tools have the level that they are trusted with', async () => {
    commit({ 'tools/srv.cjs': `require('./lib/part.cjs');\n`, 'tools/lib/part.cjs': small('committed') });
    writeFileSync(path.join(place.root, 'tools/lib/part.cjs'), small('swapped'));
    const server = '{ command: node, args: [tools/srv.cjs]';
    const text = `mcp: { servers: {
      plain: ${server} }, believed: ${server}, trustAnnotations: true }, reads: ${server}, readOnly: true },
      off: ${server}, enabled: false },
      missing: { command: node, args: [tools/none.cjs] } } }`;
    expect([
      await load(text),
      await load('mcp: { servers: { plain: { command: node, args: [tools/srv.cjs] } } }', { readOnly: true }),
    ]).toEqual([
      {
        plain: ['mcp__plain__committed confirm_execute'],
        believed: ['mcp__believed__committed auto_read'],
        reads: ['mcp__reads__committed auto_read'],
        missing:
          'it cannot be run: the trusted commit has no file tools/none.cjs of up to 262144 bytes; commit it there',
      },
      { plain: ['mcp__plain__committed auto_read'] },
    ]);
  });

  test('of .mcp.json start only from a trusted base, without variables that env.pass does not name', async () => {
    commit({
      'srv.cjs': small('work'),
      '.mcp.json': JSON.stringify({
        mcpServers: {
          'My server!': { command: 'node', args: ['srv.cjs'], env: { A: `\${A:-none}` } },
          named: { command: 'of-the-file' },
          needs: { command: 'node', args: ['srv.cjs'], env: { TOKEN: `\${GH_PAT}` } },
          old: { type: 'sse', url: 'https://example.com/sse' },
          inside: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
          broken: { args: [] },
          off: { command: 'x', disabled: true },
        },
      }),
    });
    const named = 'mcp: { servers: { named: { command: node, args: [srv.cjs] } } }';
    const environment = { PATH: process.env.PATH, GH_PAT: 'a-secret-of-the-operator' };
    expect([
      await load('mcp: { workspace: false }'),
      (await mcpSources(runOf('mcp: { workspace: [My*] }'))).map((source) => source.name),
      await load(named, { environment: { ...environment, ANODE_WORKSPACE_MCP: '1' } }),
    ]).toEqual([
      {},
      ['the MCP server My_server'],
      {
        named: ['mcp__named__work confirm_execute'],
        My_server: ['mcp__My_server__work confirm_execute'],
        needs:
          "it cannot be started: its variable TOKEN names the variable GH_PAT, which it is not given (env.pass: { 'mcp:needs': [GH_PAT] }) or which is not set",
        inside: 'it could not be asked: may not go to 127.0.0.1: it leads to a private address',
        '.mcp.json': [
          '.mcp.json: the MCP server "old" is reached by sse, which is not supported; "type": "http" is streamable HTTP; it is left out.',
          '.mcp.json: the MCP server "broken" needs a command with arguments, or an address that begins with http; it is left out.',
        ],
      },
    ]);
  });

  test('get the variables of env.pass only if that is safe, and never with code of the checkout', async () => {
    commit({ 'srv.cjs': small('work') });
    mkdirSync(path.join(place.root, 'node_modules/srv'), { recursive: true });
    writeFileSync(path.join(place.root, 'node_modules/srv/index.cjs'), small('installed'));
    const text = `mcp: { servers: {
      own: { command: node, args: [srv.cjs] }, installed: { command: node, args: [node_modules/srv/index.cjs] },
      led: { command: node, args: [srv.cjs], env: { NODE_OPTIONS: '--require \${workspaceFolder}/a.cjs' } },
      key: { command: node, args: [srv.cjs] }, web: { url: 'https://mcp.example.com/', headers: { Authorization: 'Bearer {env:GH_PAT}' } } } }
env: { pass: { 'mcp:own': [GH_PAT], 'mcp:installed': [GH_PAT], 'mcp:led': [GH_PAT], 'mcp:key': [ANTHROPIC_API_KEY] } }`;
    const environment = {
      ...{ PATH: process.env.PATH, GH_PAT: 'a-secret-of-the-operator', ANTHROPIC_API_KEY: 'canary-key' },
    };
    const noLeave =
      'it is not given GH_PAT, as its operator has not said in ANODE_ENV_PASS that a program of the repository may have it';
    const ours = 'it is not given ANTHROPIC_API_KEY, as it holds a credential of Anode CI';
    const web =
      "it cannot be started: its header Authorization names the variable GH_PAT, which it is not given (env.pass: { 'mcp:web': [GH_PAT] }) or which is not set";
    expect([
      await load(text, { environment }),
      await load(text, { environment: { ...environment, ANODE_ENV_PASS: 'GH_PAT' } }),
      await load(text, { environment: { ...environment, ANODE_ENV_PASS: 'GH_PAT' }, plan: forked }),
    ]).toEqual([
      {
        own: noLeave,
        installed: noLeave,
        led: noLeave,
        key: ours,
        web,
      },
      {
        own: ['mcp__own__work confirm_execute'],
        installed:
          'it is not started: node_modules/srv/index.cjs is code of the checkout, which a pull request can change, and it would get GH_PAT',
        led: 'it is not started: what NODE_OPTIONS leads to is code of the checkout, which a pull request can change, and it would get GH_PAT',
        key: ours,
        web,
      },
      {
        own: 'it cannot be given GH_PAT in a run for a fork or for a user without write permission',
        installed: 'it cannot be given GH_PAT in a run for a fork or for a user without write permission',
        led: 'it cannot be given GH_PAT in a run for a fork or for a user without write permission',
        key: ours,
        web: 'it cannot be given mcp.example.com in a run for a fork or for a user without write permission',
      },
    ]);
  });

  test('start with the paths of the operator who named them, and never beside keys without a sandbox', async () => {
    const own = path.join(place.folder, 'own');
    mkdirSync(own);
    writeFileSync(path.join(own, 'srv.cjs'), small('mine'));
    const config = operatorConfig(
      parseConfig('mcp: { servers: { own: { command: node, args: [./srv.cjs] } } }', 'x.yml'),
      path.join(own, 'config.yml'),
    );
    const plan = { ...forked, checkout: { fork: false } } as RunPlan;
    expect([
      await load('', { config }),
      await load('', { config, plan, sandboxed: false, sandbox: 'preferred' }),
    ]).toEqual([
      { own: ['mcp__own__mine confirm_execute'] },
      { own: 'it is not started, as without a sandbox it could read keys' },
    ]);
  });

  test('of a skill start once, when it is used, from its folder, if skills.allowMCP names it', async () => {
    const skill = (more = '') => `---\ndescription: Does things.\n${more}---\nDo it.\n`;
    const inHead = 'mcpServers: { headed: { command: node, args: [srv.cjs] } }\n';
    commit({
      '.agents/skills/filed/SKILL.md': skill(),
      '.agents/skills/filed/mcp.json':
        '{"ours":{"command":"node","args":["run/srv.cjs"]},"Named":{"command":"x"},"of_file":{"command":"x"}}',
      // What env.pass gives to a server by its name is for this one.
      '.mcp.json': '{"mcpServers":{"of file":{"command":"z"}}}',
      '.agents/skills/filed/run/srv.cjs': small('filed'),
      '.agents/skills/headed/SKILL.md': skill(inHead),
      '.agents/skills/headed/srv.cjs': small('headed'),
      '.agents/skills/other/SKILL.md': skill(inHead),
      '.agents/skills/plain/SKILL.md': skill(),
    });
    const run = runOf(
      '{ skills: { allowMCP: [fil*, headed] }, mcp: { workspace: true, servers: { named: { command: y } } } }',
    );
    const tree = await trustedTree(run, 'skills')();
    if (tree === null) throw new Error('no commit');
    const displayed = (file: string) => file;
    const { skills } = await findSkills([
      { source: 'workspace', tree, folder: '.agents/skills', singles: true, render: displayed },
    ]);
    const servers = skillServers(run);
    const changes: string[][] = [];
    servers.watch?.(({ tools }) => void changes.push(tools.map(({ name }) => name)));
    const reply: (string | null)[] = [];
    for (const one of [...skills, ...skills]) reply.push(await servers.startPrograms(one));
    await servers.close();
    const reported = [
      'The MCP server ours is started for it: mcp__ours__filed.',
      'The MCP server headed is started for it: mcp__headed__headed.',
      'It brings MCP servers (headed), which this run does not start: skills.allowMCP does not name it.',
      null,
    ];
    expect([reply, changes.at(-1)]).toEqual([
      [...reported, ...reported],
      ['mcp__ours__filed', 'mcp__headed__headed'],
    ]);
  });
});
