import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { parseRepositoryConfig } from '../../src/config/parse-repository-config.ts';
import { ConfigError } from '../../src/contract/errors.ts';

const file = '.github/anode.yml';

/** The failure as a whole: its words and the place it names. */
function failure(act: () => unknown): { message: string; file: string | undefined; key: string | undefined } {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return { message: error.message, file: error.file, key: error.key };
    throw error;
  }
  throw new Error('It did not fail.');
}

describe('parseConfig', () => {
  it('reads YAML and JSON alike, and nothing as an empty configuration', () => {
    const config = {
      model: 'anthropic/x',
      permissions: { preset: 'strict', rules: [{ tool: 'bash', action: 'reject' }] },
    };
    const read = (source: string) => ({
      ...config,
      permissions: { preset: 'strict', rules: [{ tool: 'bash', action: 'reject', source }] },
    });
    const yaml =
      'model: anthropic/x\npermissions:\n  preset: strict\n  rules:\n    - {tool: bash, action: reject}\n';
    expect([
      parseConfig(yaml, file),
      parseConfig(JSON.stringify(config), file),
      parseConfig('', file),
    ]).toEqual([read(`${file}:5`), read(file), {}]);
  });

  it.each([
    ['permissions:\n  presett: strict', '2:3', 'permissions.presett', 'Did you mean permissions.preset?'],
    ['sandbx: off', '1:1', 'sandbx', 'Did you mean sandbox?'],
    [
      '{"permissions": {\n  "presett": "strict"}}',
      '2:3',
      'permissions.presett',
      'Did you mean permissions.preset?',
    ],
    [
      'providers:\n  mine:\n    baseurl: https://x.test',
      '3:5',
      'providers.mine.baseurl',
      'Did you mean providers.mine.baseUrl?',
    ],
    ['branch:\n  colour: red', '2:3', 'branch.colour', 'Known here: base, prefix, template'],
  ])('refuses an unknown key and names the nearest known one (%#)', (text, place, key, cure) => {
    expect(failure(() => parseConfig(text, file))).toEqual({
      message: `${file}:${place}: unknown key ${key}. ${cure}`,
      file,
      key,
    });
  });

  it('names the key whose value has the wrong type', () => {
    expect(failure(() => parseConfig('limits:\n  maxTurns: many', file))).toEqual({
      message: `${file}:2:13: limits.maxTurns: Invalid input: expected number, received string.`,
      file,
      key: 'limits.maxTurns',
    });
    expect(failure(() => parseConfig('- a list', file))).toEqual({
      message: `${file}:1:1: Invalid input: expected object, received array.`,
      file,
      key: undefined,
    });
  });

  it.each([
    [
      'lsp: { servers: { pyright: { command: pyright-langserver } } }',
      '1:39: lsp.servers.pyright.command: Invalid input: expected array, received string.',
    ],
    [
      'review: { requestChanges: often }',
      '1:27: review.requestChanges: Invalid option: expected one of "info"|"low"|"medium"|"high"|"critical".',
    ],
  ])('names the fault within the intended one of several forms (%#)', (text, message) => {
    expect(failure(() => parseConfig(text, file))).toMatchObject({ message: `${file}:${message}` });
  });

  it.each([
    ['model: "open', /^\.github\/anode\.yml:1:13: Missing closing "quote\.$/],
    ['model: a\nmodel: b', /^\.github\/anode\.yml:2:1: Map keys must be unique\.$/],
    ['a: &x 1\nb: *x', /aliases \(\*name\) are not supported/],
  ])('names the line of broken syntax (%#)', (text, message) => {
    expect(failure(() => parseConfig(text, file))).toEqual({
      message: expect.stringMatching(message),
      file,
      key: undefined,
    });
  });
});

describe('parseRepositoryConfig', () => {
  const provider = 'providers:\n  openai:\n    baseUrl: https://evil.test/v1';
  it.each([
    ['app', provider, 'providers'],
    ['action', provider, 'providers'],
    ['app', 'sandbox: off', 'sandbox'],
    ['app', 'workspace:\n  repos: [../lib]', 'workspace.repos.0'],
    ['app', 'env: { pass: { "hook:lint": [LINT_TOKEN] } }', 'env'],
    ['app', 'network: { programs: { "toolbox:db": ["localhost:5432"] } }', 'network.programs'],
    [
      'app',
      'mcp: { servers: { in: { url: "https://mcp.example.com", privateAddress: true } } }',
      'mcp.servers.in.privateAddress',
    ],
    ['app', 'tools: { toolboxDirs: [.tools, /srv/tools] }', 'tools.toolboxDirs.1'],
    ['app', 'tools: { web: true }', 'tools.web'],
    ['action', 'tools: { web: { url: "https://search.test" } }', 'tools.web.url'],
    ['action', 'tools: { toolboxDirs: [~/tools] }', 'tools.toolboxDirs.0'],
    ['action', 'plugins: { db: { command: [node, /srv/db.mjs] } }', 'plugins.db.command.1'],
    ['app', 'plugins: { db: { command: [/usr/bin/../../srv/db] } }', 'plugins.db.command.0'],
    [
      'app',
      'a2a: { agents: { a: { url: "https://a", privateAddress: true } } }',
      'a2a.agents.a.privateAddress',
    ],
    ['action', 'workspace:\n  repos: [../lib, /srv/lib]', 'workspace.repos.1'],
    ['action', 'workspace:\n  repos: [{ name: lib, path: ~/lib }]', 'workspace.repos.0'],
  ] as const)('in the %s refuses the operator’s settings (%#)', (host, text, key) => {
    expect(failure(() => parseRepositoryConfig(text, file, host))).toEqual({
      message: expect.stringContaining(`${file}: ${key} cannot be set in a repository's file`),
      file,
      key,
    });
  });
  it('lets the command line and the Action set theirs', () => {
    expect([
      parseRepositoryConfig(provider, file, 'cli'),
      parseRepositoryConfig('sandbox: off', file, 'action'),
      parseRepositoryConfig('sandbox: preferred', file, 'app'),
      parseRepositoryConfig('workspace:\n  repos: [../lib]', file, 'action'),
      parseRepositoryConfig('workspace:\n  repos: [{ name: lib, path: /srv/lib }]', file, 'cli'),
    ]).toEqual([
      { providers: { openai: { baseUrl: 'https://evil.test/v1' } } },
      { sandbox: 'off' },
      { sandbox: 'preferred' },
      { workspace: { repos: ['../lib'] } },
      { workspace: { repos: [{ name: 'lib', path: '/srv/lib' }] } },
    ]);
  });
});

describe('hooks and env.pass', () => {
  const hooks = (line: string) => `hooks:\n  before:\n    - ${line}\n`;

  it('are parsed with the position of each hook', () => {
    const text = `${hooks('{ name: lint, tool: bash, run: python3 ci/lint.py -q, files: [ci/lint.toml], timeoutSeconds: 5 }')}  after: [{ tool: "*", run: "true" }]\nenv: { pass: { "hook:lint": [LINT_TOKEN] } }`;
    expect(parseConfig(text, file)).toEqual({
      hooks: {
        before: [
          {
            name: 'lint',
            tool: 'bash',
            run: 'python3 ci/lint.py -q',
            files: ['ci/lint.toml'],
            timeoutSeconds: 5,
            source: `${file}:3`,
          },
        ],
        after: [{ tool: '*', run: 'true', source: `${file}:4` }],
      },
      env: { pass: { 'hook:lint': ['LINT_TOKEN'] } },
    });
  });

  it.each([
    [hooks('{ tool: bash, run: "sh -c \'true\'" }'), 'hooks.before.0.run'],
    [hooks('{ tool: bash, run: "ci/a.sh | tee x" }'), 'hooks.before.0.run'],
    [hooks('{ tool: bash, run: ci/../../a.sh }'), 'hooks.before.0.run'],
    [hooks('{ tool: bash, run: sh, files: [../a] }'), 'hooks.before.0.files.0'],
    [hooks('{ tool: bash, run: sh, files: [/etc/passwd] }'), 'hooks.before.0.files.0'],
    [hooks('{ tool: "/(/", run: sh }'), 'hooks.before.0.tool'],
    [hooks('{ name: "a b", tool: bash, run: sh }'), 'hooks.before.0.name'],
    [hooks('{ tool: bash, run: sh, timeoutSeconds: 0 }'), 'hooks.before.0.timeoutSeconds'],
    ['env: { pass: { "hook:a": ["A=b"] } }', 'env.pass.hook:a.0'],
    ['permissions: { rules: [{ tool: bash, action: delegate, to: "a; b" }] }', 'permissions.rules.0.to'],
  ])('are refused if they are impossible (%#)', (text, key) => {
    expect(failure(() => parseConfig(text, file))).toMatchObject({ file, key });
  });
});
