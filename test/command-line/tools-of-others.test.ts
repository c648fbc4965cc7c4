import { execFile } from 'node:child_process';
import { chmod, copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { cliProgram } from '../support/program-files.ts';
import { type Elsewhere, mcpServer, startElsewhere } from '../uses/every-tool/elsewhere.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let elsewhere: Elsewhere;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  elsewhere = await startElsewhere();
  folder = await local.checkout(elsewhere.files);
  await chmod(path.join(folder, '.tools/weigh'), 0o755);
  await local.git(folder, 'commit', '-q', '-a', '-m', 'A program');
});
afterAll(async () => {
  await elsewhere.close();
  await local.close();
});

const anode = (...args: string[]) => local.anode(folder, args, { environment: elsewhere.environment });
const config = ['--config', '.github/anode.yml'];

test('tools show lists each parameter, and those that no model sees', async () => {
  const [json, text] = await Promise.all([
    anode('tools', 'show', 'task', '--json'),
    anode('tools', 'show', 'task'),
  ]);
  const { input_schema, unadvertised } = JSON.parse(json.stdout);
  const hidden = ['title', 'context', 'tools_allowed', 'max_steps', 'max_tool_calls', 'timeout_seconds'];
  expect({ names: Object.keys(input_schema.properties).toSorted(), unadvertised }).toEqual({
    names: [...hidden, 'goal', 'profile', 'read_only'].toSorted(),
    unadvertised: hidden,
  });
  expect(text.stdout).toContain(`not told  understood, but no model is told: ${hidden.join(', ')}`);
});

test('aggman has web tools besides threads, messages and its list', async () => {
  const { stdout } = await anode('tools', 'list', '--json', '--profile', 'aggman', ...config);
  const listed = JSON.parse(stdout) as { name: string }[];
  expect(listed.map(({ name }) => name).toSorted()).toEqual([
    ...['fetch', 'find_thread', 'read_thread', 'receive_messages', 'todo_read', 'web_fetch', 'web_search'],
  ]);
});

test.skipIf(!available)('policy check and policy test evaluate extension tools', async () => {
  const rules = [{ tool: 'mcp__echo__*', matches: { say: 'pears*' }, action: 'reject', name: 'no pears' }];
  const whole = { ...JSON.parse(elsewhere.files['.github/anode.yml'] ?? ''), permissions: { rules } };
  await writeFile(path.join(folder, 'policy.json'), JSON.stringify(whole));
  const cases: readonly [tool: string, args: object, expect: string][] = [
    ['mcp__echo__echo', { say: 'pears and more' }, 'reject'],
    ['mcp__echo__echo', { say: 'apples' }, 'ask'],
    ['use_tool', { name: 'mcp__echo__echo', args: { say: 'pears' } }, 'reject'],
    ['tb__weigh', { fruit: 'pear' }, 'allow'],
    ['plugin__back__echo', { say: 'x' }, 'ask'],
    ['a2a_call', { agent: 'sample', message: 'echo' }, 'allow'],
    ['web_fetch', { url: 'http://docs.test/guide' }, 'allow'],
  ];
  const tests = cases.map(([tool, args, wanted]) => ({ tool, args, expect: wanted }));
  await writeFile(path.join(folder, 'tests.json'), JSON.stringify({ policy: 'policy.json', tests }));
  const [tested, checked, unknown] = await Promise.all([
    anode('policy', 'test', 'tests.json'),
    anode(
      'policy',
      'check',
      '--tool',
      'mcp__echo__echo',
      '--json',
      '{"say":"pears"}',
      '--policy',
      'policy.json',
    ),
    anode('policy', 'check', '--tool', 'mcp__echo__nothing', '--policy', 'policy.json'),
  ]);
  expect(tested).toEqual({ code: 0, stdout: '7 expectations, all of them met.\n', stderr: '' });
  expect(checked.stdout.split('\n').slice(0, 2)).toEqual(['reject', '  by rule 1 (no pears), policy.json']);
  expect({ code: unknown.code, said: unknown.stderr.split('\n')[0] }).toEqual({
    code: 2,
    said: 'anode policy: There is no tool "mcp__echo__nothing" here. Did you mean plugin__back__echo or mcp__echo__echo?',
  });
});

test.skipIf(!available)('a server starts from packages above the checkout', async () => {
  const outer = await local.plainFolder({
    'node_modules/echoes/dist/server.mjs': `import { prefix } from 'words';\n${mcpServer}`.replace(
      "'server: '",
      'prefix',
    ),
    'node_modules/echoes/package.json': '{"name":"echoes"}',
    'node_modules/words/index.mjs': "export const prefix = 'hoisted: ';\n",
    'node_modules/words/package.json': '{"name":"words","exports":"./index.mjs"}',
  });
  const shop = path.join(outer, 'shop');
  await mkdir(shop);
  await local.git(shop, 'init', '-q');
  const server = { command: 'node', args: [path.join(outer, 'node_modules/echoes/dist/server.mjs')] };
  const file = path.join(local.home, 'hoisted.json');
  await writeFile(file, JSON.stringify({ mcp: { servers: { up: server } } }));
  const given = ['--allow-non-read', '--sandbox', 'required', '--config', file];
  expect(await local.anode(shop, ['tools', 'use', 'mcp__up__echo', '--arg', 'say=pears', ...given])).toEqual({
    code: 0,
    stdout: 'hoisted: pears\n',
    stderr: '',
  });
});

test.skipIf(!available)("policy check evaluates the tools of a skill's server", async () => {
  const shop = await local.checkout({
    '.agents/skills/till/SKILL.md': '---\nname: till\ndescription: Counts the till.\n---\nCount it.\n',
    '.agents/skills/till/mcp.json': JSON.stringify({ till: { command: 'node', args: ['server.mjs'] } }),
    '.agents/skills/till/server.mjs': mcpServer,
    'allowed.yml':
      'skills: { allowMCP: true }\npermissions: { rules: [{ tool: mcp__till__echo, action: reject }] }\n',
    'not-allowed.yml': '{}\n',
  });
  const check = async (policy: string) => {
    const { code, stdout, stderr } = await local.anode(shop, [
      ...['policy', 'check', '--tool', 'mcp__till__echo', '--json', '{"say":"x"}', '--policy', policy],
    ]);
    return { code, said: `${stdout}${stderr}`.split('\n')[0] };
  };
  expect([await check('allowed.yml'), await check('not-allowed.yml')]).toEqual([
    { code: 0, said: 'reject' },
    { code: 2, said: 'anode policy: There is no tool "mcp__till__echo" here.' },
  ]);
});

test.skipIf(!available || process.getuid?.() !== 0)(
  "a server with hosts starts as the checkout's owner, who cannot enter the folder of our Node",
  async () => {
    const shop = await local.checkout({ 'server.mjs': mcpServer });
    const closed = await local.plainFolder({});
    await chmod(path.dirname(shop), 0o711);
    const node = path.join(closed, 'node');
    await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
    await chmod(closed, 0o700);
    await promisify(execFile)('chown', ['-R', '4321:4321', shop]);
    const file = path.join(local.home, 'hosts.json');
    const servers = { up: { command: 'node', args: [path.join(shop, 'server.mjs')] } };
    await writeFile(
      file,
      JSON.stringify({ mcp: { servers }, network: { programs: { 'mcp:up': ['db.example.com:5432'] } } }),
    );
    const args = [
      'tools',
      'use',
      'mcp__up__echo',
      '--arg',
      'say=pears',
      '--allow-non-read',
      '--config',
      file,
    ];
    const program = path.join(projectRoot, cliProgram);
    const { stdout } = await promisify(execFile)(node, [program, ...args], {
      cwd: shop,
      env: { HOME: local.home, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    });
    expect(stdout).toBe('server: pears\n');
  },
);

test('env.pass reports every name that does not exist', async () => {
  const holders = [
    'hook:no',
    'toolbox:no',
    'toolbox:weigh',
    'mcp:no',
    'mcp:echo',
    'plugin:no',
    'plugin:back',
  ];
  const more = ['lsp:no', 'lsp:pyright', 'a2a:no', 'a2a:sample', 'nobody'];
  const pass = Object.fromEntries([...holders, ...more].map((holder) => [holder, ['NOTHING_SET']]));
  const whole = {
    ...JSON.parse(elsewhere.files['.github/anode.yml'] ?? ''),
    env: { pass },
    lsp: { detect: false },
  };
  await writeFile(path.join(folder, 'pass.json'), JSON.stringify(whole));
  const told = (holder: string) => `env.pass: there is no ${holder} to give variables to.`;
  const [explained, used] = await Promise.all([
    anode('policy', 'explain', '--policy', 'pass.json', '--output', 'json'),
    local.anode(folder, ['tools', 'use', 'read', '--arg', 'path=data.json', '--config', 'pass.json'], {
      environment: { ...elsewhere.environment, ANODE_ENV_PASS: 'NOTHING_SET' },
    }),
  ]);
  expect({ before: JSON.parse(explained.stdout).warnings, later: used.stderr }).toEqual({
    before: ['hook:no', 'mcp:no', 'plugin:no', 'lsp:no', 'a2a:no', 'nobody'].map(told),
    // A toolbox lists its tools only when it is asked.
    later: `${told('toolbox:no')}\n`,
  });
});
