import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { operatorConfig } from '../../../src/config/merge-config.ts';
import type { Config } from '../../../src/config/schema.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import type { ExternalRun } from '../../../src/run/extensions/external-run.ts';
import { pluginSources } from '../../../src/run/extensions/plugin-source.ts';
import type { ExternalSource } from '../../../src/tools/registry/load-external-tools.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { available } from '../../sandbox/runner-fixture.ts';
import { externalPlace } from './external-place.ts';

const place = externalPlace(() => true);
const { commit, put, runOf } = place;
const opened: ExternalSource[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((source) => source.close()));
});

const [python = '', javascript = ''] = [
  ...readFileSync(path.join(import.meta.dirname, '../../../docs/plugins.md'), 'utf8').matchAll(
    /^```(?:python|js)\n([\s\S]*?)^```$/gm,
  ),
].map(([, text]) => text ?? '');

/** The text that the example searches for, split so that it is not found in this file. */
const mark = ['TO', 'DO'].join('');

/** A plug-in that reports its location and its view, in minimal shell. */
const looks = `#!/bin/sh
while read -r line; do
  id=$(echo "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  [ -z "$id" ] && continue
  result='{}'
  case "$line" in
    *tools/list*) result='{"tools":[{"name":"look","description":"Looks."}]}' ;;
    *tools/call*) touch "$PLUGIN_WORKSPACE/made" 2>/dev/null && wrote=yes || wrote=no
      result="\\"beside: $(echo *), token: $TOKEN, wrote: $wrote\\"" ;;
  esac
  echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,\\"result\\":$result}"
  case "$line" in *shutdown*) exit 0 ;; esac
done
`;

/**
 * The plug-ins of a run: the result of calling each tool, with problems instead of missing ones.
 */
async function load(config: Config, change: Partial<ExternalRun> = {}) {
  const sources = pluginSources(runOf({ config, ...change }));
  opened.push(...sources);
  const signal = new AbortController().signal;
  const loaded = await Promise.all(
    sources.map((source) =>
      source.load(signal).catch((error: Error) => ({ tools: [], problems: [error.message] })),
    ),
  );
  const tools = loaded.flatMap((one) => one.tools);
  const context = {
    ...{ signal, callId: 'call_1', record: () => undefined },
    workspace: { changes: { observe: async () => [] } },
  } as unknown as ToolContext;
  const call = async (name: string, args: object = {}) => {
    const tool = tools.find((one) => one.name === name);
    return tool === undefined
      ? `no ${name}`
      : (await tool.execute(tool.input.parse(args), context, undefined)).content;
  };
  return { tools, problems: loaded.flatMap(({ problems }) => problems), call };
}

describe.skipIf(!available)('the plug-ins of a run', () => {
  test('work as documented, in Python and in JavaScript', async () => {
    commit({
      'ci/todo.py': python,
      'ci/words.mjs': javascript,
      'src/a.ts': ['one();', `// ${mark}: two`, ''].join('\n'),
      'README.md': 'Three more words.\n',
    });
    const { tools, problems, call } = await load({
      plugins: {
        todo: { command: ['python3', 'ci/todo.py'], readOnly: true },
        words: { command: ['node', 'ci/words.mjs'], readOnly: true },
      },
    });
    expect([
      problems,
      tools.map(({ name, level, readOnly }) => `${name} ${level} ${readOnly}`),
      await call('plugin__todo__scan'),
      await call('plugin__todo__scan', { path: 'ci' }),
      await call('plugin__words__count', { file: 'README.md' }),
      await call('plugin__words__count', { file: 'src/a.ts' }),
      await call('plugin__words__count', { file: 'missing' }).catch((error: Error) => error.message),
    ]).toEqual([
      [],
      ['plugin__todo__scan auto_read true', 'plugin__words__count auto_read true'],
      `src/a.ts:2 // ${mark}: two`,
      'Nothing to do.',
      'README.md has 3 words; 1 files have 3.',
      'src/a.ts has 4 words; 2 files have 7.',
      expect.stringMatching(/^plugin__words__count: ENOENT: no such file/),
    ]);
  });

  test('come from the commit with the files next to them, run separately, and get the variables of env.pass', async () => {
    commit({ 'ci/look.sh': looks, 'ci/lib/more.txt': 'more', 'data/table.csv': 'a,b', 'top.sh': looks });
    put({ 'ci/look.sh': 'exit 1\n', 'ci/new.sh': '' });
    const own = path.join(place.folder, 'own');
    put({ 'look/look.sh': looks }, own);
    const plugins = {
      beside: { command: ['sh', 'ci/look.sh'], files: ['data/'] },
      top: { command: ['./top.sh'], readOnly: true },
      missing: { command: ['sh', 'ci/new.sh'] },
    };
    const operator = operatorConfig(
      { plugins: { own: { command: ['sh', 'look/look.sh'] } } },
      path.join(own, 'config.json'),
    );
    const config = {
      plugins: { ...plugins, ...operator.plugins },
      env: { pass: { 'plugin:own': ['TOKEN'], 'plugin:top': ['TOKEN'] } },
    };
    const environment = { PATH: process.env.PATH, TOKEN: 'tok-4711-of-a-plug-in' };
    const { call, problems } = await load(config, { environment });
    expect([
      problems,
      await call('plugin__beside__look'),
      await call('plugin__own__look'),
      await call('plugin__top__look'),
    ]).toEqual([
      [
        'it is not given TOKEN, as its operator has not said in ANODE_ENV_PASS that a program of the repository may have it',
        'it cannot be run: the trusted commit has no file ci/new.sh of up to 262144 bytes; commit it there',
      ],
      'beside: ci data, token: , wrote: yes',
      'beside: *, token: [redacted], wrote: yes',
      'no plugin__top__look',
    ]);
  });

  test('cannot write in a read-only run, and do not start with variables in a run with text from a stranger', async () => {
    commit({ 'ci/look.sh': looks });
    const plan = {
      ...{ source: { kind: 'action' }, checkout: { fork: true } },
      requester: { permission: 'admin', type: 'User' },
    } as unknown as RunPlan;
    const command = ['sh', 'ci/look.sh'];
    const { call, problems } = await load(
      {
        plugins: { free: { command }, given: { command } },
        network: { programs: { 'plugin:given': ['localhost:5432'] } },
      },
      { plan, readOnly: true },
    );
    expect([problems, await call('plugin__free__look')]).toEqual([
      ['it cannot be given localhost:5432 in a run for a fork or for a user without write permission'],
      'beside: ci, token: , wrote: no',
    ]);
  });

  test('of the operator may not be directly in a folder that holds more', async () => {
    put({ 'own/look.sh': looks, 'look.sh': looks }, place.folder);
    const own = path.join(place.folder, 'own');
    const named = (word: string) =>
      operatorConfig({ plugins: { own: { command: ['sh', word] } } }, path.join(own, 'config.json'));
    const problem = (word: string, folder: string) =>
      `it cannot be run: ${word} lies in ${folder}, which holds more than this program; put it into a folder of its own`;
    expect([(await load(named('./look.sh'))).problems, (await load(named('../look.sh'))).problems]).toEqual([
      [problem('./look.sh', own)],
      [problem('../look.sh', place.folder)],
    ]);
  });

  test('do not start without a required sandbox', async () => {
    commit({ 'ci/look.sh': looks });
    const plan = {
      source: { kind: 'action' },
      checkout: { fork: false },
      requester: { permission: 'admin', type: 'User' },
    };
    const { problems } = await load(
      { plugins: { free: { command: ['sh', 'ci/look.sh'] } } },
      { plan: plan as unknown as RunPlan, sandboxed: false, sandbox: 'preferred' },
    );
    expect(problems).toEqual(['it is not started, as without a sandbox it could read keys']);
  });
});
