import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLocalTools } from '../../src/command-line/local-tools.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { available } from '../sandbox/runner-fixture.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

// Every tool is told of from the first request on, so that the request says which a run has.
const config = `
tools:
  profile: full
  toolboxDirs: [.tools]
  disabled: [write_file, 'workspace_w*', 'tb__off*', Grep]
  semanticSearch: { model: ollama/nomic-embed-text }
  web: { allow: [example.com] }
`;
const program = (name: string, level: string) =>
  `#!/bin/sh\necho '{"name":"${name}","description":"Does it.","permission":"${level}"}'\n`;

describe.skipIf(!available)('anode tools list', () => {
  test.each([
    'craft',
    'review',
  ])('prints for %s exactly the tools of a run, of every kind', async (profile) => {
    const folder = await local.checkout({
      '.github/anode.yml': config,
      '.tools/looks': program('looks', 'auto_read'),
      '.tools/works': program('works', 'confirm_execute'),
      '.tools/off': program('off-1', 'auto_read'),
    });
    for (const name of ['looks', 'works', 'off']) await chmod(path.join(folder, '.tools', name), 0o755);
    await local.git(folder, 'commit', '-q', '-a', '-m', 'Programs');
    const task = `say what ${profile} has`;
    local.learn(task, () => ({ text: 'Done.' }));
    const given = ['--profile', profile, '--config', '.github/anode.yml'];
    const [listed] = await Promise.all([
      local.anode(folder, ['tools', 'list', '--json', ...given]),
      local.anode(folder, ['run', '--prompt', task, ...given, '--sandbox', 'required']),
    ]);
    const tools = JSON.parse(listed.stdout) as { name: string; source: string; exposure: string }[];
    const [first] = local.requestsFor(task);
    expect(tools.map(({ name }) => name.replaceAll('.', '_'))).toEqual(first?.tools.map(({ name }) => name));
    expect(new Set(tools.map(({ exposure }) => exposure))).toEqual(new Set(['advertised']));
    const brought = tools.filter(({ source }) => source !== 'built-in').map(({ name }) => name);
    expect(brought).toEqual(expect.arrayContaining(['tb__looks', 'semantic_search', 'web_fetch']));
    expect(brought.includes('tb__works')).toBe(profile === 'craft');
    const disabled = ['create_file', 'workspace.write_file', 'grep', 'tb__off-1'];
    expect(tools.filter(({ name }) => disabled.includes(name))).toEqual([]);
  });
});

test('a tool is disabled by any of its names or by a glob', async () => {
  const open = async (disabled: string[]) => {
    const { set, close } = await openLocalTools({
      root: await local.plainFolder({}),
      profile: 'craft',
      config: { ...parseConfig('{}', 'anode.yml'), tools: { disabled } },
      sandbox: 'off',
      environment: {},
      signal: new AbortController().signal,
    });
    await close();
    return set.tools.map(({ name }) => name);
  };
  const all = await open([]);
  const missing = async (...disabled: string[]) => {
    const left = await open(disabled);
    return all.filter((name) => !left.includes(name));
  };
  expect([
    await missing('shell'),
    await missing('workspace_commit'),
    await missing('Multi*'),
    await missing('nothing*'),
  ]).toEqual([['bash'], ['workspace.commit'], ['multi_edit'], []]);
});
