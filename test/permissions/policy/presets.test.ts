import { describe, expect, it, test } from 'vitest';
import {
  type Action,
  Level,
  Level as Levels,
  type Preset,
  Preset as Presets,
  presetFrom,
} from '../../../src/contract/levels.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import { grantFor, namesOneTool, rejectedAnyway } from '../../../src/permissions/gate/grants.ts';
import { describePermission } from '../../../src/permissions/policy/describe-permission.ts';
import { levelTable } from '../../../src/permissions/policy/level-table.ts';
import type { PolicyCall } from '../../../src/permissions/policy/policy.ts';
import { commandAction, presetAction } from '../../../src/permissions/policy/presets.ts';
import { joinedScript } from '../../../src/permissions/shell/wrapped.ts';
import { bashCall, decided, pathCall } from '../gate-fixtures.ts';

test('only the preset strict asks, and it asks about everything but reading, answering and proposing', () => {
  const call = { tool: 'x', ownState: false, onlyReads: false };
  const requested = (
    change: Partial<Parameters<typeof presetAction>[1]>,
    preset: 'strict' | 'careful' | 'unrestricted' = 'strict',
  ) => Level.options.filter((level) => presetAction(preset, { ...call, level, ...change }) === 'ask');
  const more = ['external_read', 'state_write', 'confirm_execute', 'confirm_write', 'delegated'];
  expect([
    requested({}),
    requested({ ownState: true }),
    requested({ onlyReads: true }),
    requested({ tool: 'handoff' }),
    requested({}, 'careful'),
    requested({}, 'unrestricted'),
  ]).toEqual([
    more,
    more.filter((level) => level !== 'state_write'),
    more.filter((level) => level !== 'delegated'),
    more.filter((level) => level !== 'delegated'),
    [],
    [],
  ]);
});

test('a command is allowed, asked about or refused by its effect and its targets', () => {
  const kinds = ['read_only', 'destructive', 'other'] as const;
  const of = (preset: 'strict' | 'careful' | 'unrestricted', sandboxed: boolean) =>
    kinds.map((kind) => commandAction(preset, kind, sandboxed));
  expect([of('unrestricted', false), of('strict', true), of('careful', true), of('careful', false)]).toEqual([
    ['allow', 'allow', 'allow'],
    ['ask', 'ask', 'ask'],
    ['allow', 'reject', 'allow'],
    ['allow', 'reject', 'ask'],
  ]);
});

const allow = (tool: string, command?: string): Rule => ({
  tool,
  action: 'allow',
  ...(command === undefined ? {} : { matches: { command } }),
});
const unit = { kind: 'command' as const, exact: ['npm publish'], loose: ['npm publish'] };

test('a grant applies only to its tool and targets', () => {
  const grant = (...permissions: Rule[]) => ({
    hash: 'h',
    permissions,
    reason: '',
    by: 'ada',
    head_sha: null,
  });
  const holds = (...permissions: Rule[]) =>
    grantFor([grant(...permissions)], bashCall('npm publish'), unit) !== null;
  expect([
    holds(allow('bash')),
    holds(allow('bash', 'npm *')),
    holds(allow('bash', 'git *')),
    holds(allow('Bash')),
    holds(allow('*')),
    holds(allow('/bash/')),
    holds({ ...allow('bash'), action: 'ask' }),
    holds({ ...allow('bash'), action: 'reject' }, allow('bash')),
    holds(),
  ]).toEqual([true, true, false, false, false, false, false, true, false]);
  const [one, other] = [grant(allow('edit_file')), grant(allow('bash'))];
  expect(grantFor([one, other, grant(allow('bash'))], bashCall('npm publish'), unit)).toBe(other);
  expect(['bash', 'a*', 'a?', '/a/', 'a/b'].map(namesOneTool)).toEqual([true, false, false, false, true]);
});

test('a permission rejected by a rule is reported with that rule, unless an earlier part asks', () => {
  const publish = allow('bash', 'npm publish');
  const reject: Rule = { tool: 'bash', action: 'reject', matches: { command: 'npm *' } };
  const ask: Rule = { tool: 'ba*', action: 'ask', matches: { command: 'x' } };
  expect([
    rejectedAnyway(publish, [allow('read'), reject]),
    rejectedAnyway(publish, [{ ...reject, name: 'no npm' }]),
    rejectedAnyway(publish, [ask, reject]),
    rejectedAnyway(publish, [{ ...ask, tool: 'read' }, reject]),
    rejectedAnyway(publish, [{ ...reject, matches: { command: 'git *' } }]),
    rejectedAnyway(publish, [{ ...reject, action: 'allow' }]),
    rejectedAnyway(publish, []),
  ]).toEqual([
    'rule 2 (bash, command "npm *")',
    'rule 1 (no npm)',
    null,
    'rule 2 (bash, command "npm *")',
    ...[null, null, null],
  ]);
});

test('a permission is described', () => {
  expect(
    [allow('bash'), allow('bash', 'npm *'), { ...allow('x'), matches: { a: ['b', 1], c: null } }].map(
      describePermission,
    ),
  ).toEqual([
    'every call of bash',
    'each call of bash whose command matches "npm *"',
    'each call of x whose a matches ["b",1] and c matches null',
  ]);
});

test('words are joined to a script; a computed word leaves it unknown but quoted', () => {
  const word = (value: string | null, source = value ?? '') =>
    ({ value, source }) as Parameters<typeof joinedScript>[0][number];
  const scripts = { kind: 'scripts' as const };
  expect([
    joinedScript([word('a'), word('b c')], 'eval'),
    joinedScript([word('a')], 'eval', { includesSelf: true, posix: true }),
    joinedScript([word('a')], 'eval', { includesSelf: false, posix: false }),
    joinedScript([word(null, '"a $b \\"c\\" \\\\ \\d"'), word(null, '$x'), word(null, '"a" "b')], 'eval'),
    joinedScript([word(null, 'x"a"'), word(null, '"a"y'), word(null, '"a\nb"')], 'sh'),
    joinedScript([], 'eval'),
  ]).toEqual([
    { ...scripts, scripts: ['a b c'], includesSelf: false },
    { ...scripts, scripts: ['a'], includesSelf: true, posix: true },
    { ...scripts, scripts: ['a'], includesSelf: false },
    {
      ...scripts,
      scripts: ['a $b "c" \\ \\d $x "a" "b'],
      includesSelf: true,
      unknown: '`eval` runs a script that is computed',
    },
    {
      ...scripts,
      scripts: ['x"a" "a"y a\nb'],
      includesSelf: true,
      unknown: '`sh` runs a script that is computed',
    },
    { ...scripts, scripts: [''], includesSelf: false },
  ]);
});

const call = (level: Level, change: Partial<PolicyCall> = {}): PolicyCall => ({
  tool: 'some_tool',
  level,
  input: {},
  targets: { what: 'something' },
  context: 'main',
  ownState: false,
  ...change,
});
const session = (command: string) => bashCall(command, { tool: 'shell_session' });

type Cells = Readonly<Record<Preset, Action | { readonly on: Action; readonly off: Action }>>;
const cells = (unrestricted: Action, careful: Cells['careful'], strict: Action): Cells => ({
  unrestricted,
  careful,
  strict,
});
const everywhere = cells('allow', 'allow', 'allow');
const notStrict = cells('allow', 'allow', 'ask');
const refused = cells('allow', 'reject', 'ask');
const needsSandbox = cells('allow', { on: 'allow', off: 'ask' }, 'ask');

/** The whole table; each row with the calls that stand for it. */
const table: readonly [level: Level, calls: string, expected: Cells, ...calls: PolicyCall[]][] = [
  ['auto_read', '', everywhere, call('auto_read'), pathCall('read', 'read', 'src/a.ts')],
  ['interactive', '', everywhere, call('interactive')],
  [
    'external_read',
    'of enabled tools',
    notStrict,
    call('external_read'),
    call('external_read', { targets: { what: 'a page', urls: ['https://example.com/'] } }),
  ],
  ['state_write', "of the run's own state", everywhere, call('state_write', { ownState: true })],
  ['state_write', 'of other state', notStrict, call('state_write')],
  [
    'confirm_write',
    '',
    notStrict,
    pathCall('edit_file', 'write', 'src/a.ts'),
    pathCall('create_file', 'write', 'new/folder/a.ts', 'b.ts'),
  ],
  [
    'confirm_execute',
    'commands proven to read only',
    notStrict,
    bashCall('cat a.txt'),
    bashCall('git log | head'),
    session('ls -la'),
  ],
  [
    'confirm_execute',
    'destructive commands',
    refused,
    bashCall('rm -rf build'),
    bashCall('ls && git push --force'),
    session('rm -rf build'),
  ],
  [
    'confirm_execute',
    'all other commands and programs',
    needsSandbox,
    bashCall('npm test'),
    bashCall('cat a; make'),
    session('npm start'),
    call('confirm_execute'),
  ],
  ['delegated', 'handoff, which only proposes', everywhere, call('delegated', { tool: 'handoff' })],
  [
    'delegated',
    'to children that only read',
    everywhere,
    call('delegated', { tool: 'task', onlyReads: true }),
  ],
  [
    'delegated',
    'to other children',
    notStrict,
    call('delegated', { tool: 'task' }),
    call('delegated', { tool: 'skill' }),
  ],
];

const each = table.flatMap(([level, calls, expected, ...examples]) =>
  Presets.options.flatMap((preset) =>
    examples.flatMap((example) =>
      (['main', 'child'] as const).flatMap((context) =>
        (['on', 'off'] as const).map((sandbox) => {
          const cell = expected[preset];
          const action = typeof cell === 'string' ? cell : cell[sandbox];
          const what = `${level} ${calls}: ${example.tool} ${example.targets.what}`;
          return { what, preset, sandbox, context, example: { ...example, context }, action };
        }),
      ),
    ),
  ),
);

describe('the table of presets by level', () => {
  it('has every level', () => {
    expect(new Set(table.map(([level]) => level))).toEqual(new Set(Levels.options));
  });

  it.each(each)('$preset, sandbox $sandbox, $context: $what is $action', ({
    preset,
    sandbox,
    example,
    action,
  }) => {
    expect(decided(example, { preset, sandboxed: sandbox === 'on' }).action).toBe(action);
  });

  it.each(Presets.options)('gives the explanation that matches the decision for %s', (preset) => {
    expect(levelTable(preset)).toEqual(
      table.map(([level, calls, expected]) => {
        const cell = expected[preset];
        const both = typeof cell === 'string' ? { on: cell, off: cell } : cell;
        return { level, calls, sandboxed: both.on, unsandboxed: both.off };
      }),
    );
  });

  it.each(Presets.options)('applies up to the border of the workspace in %s', (preset) => {
    const outside = [pathCall('edit_file', 'write', '../a.ts'), pathCall('read', 'read', '/etc/hostname')];
    expect(outside.map((one) => decided(one, { preset }))).toEqual(
      outside.map(() => expect.objectContaining({ action: 'reject', hard: true, rule: null })),
    );
  });

  it('uses the strictest preset for an unknown word', () => {
    const words = ['unrestricted', 'yolo', 'careful', 'strict', 'Careful', 'YOLO', 'carefull', ''];
    expect(words.map(presetFrom)).toEqual([
      'unrestricted',
      'unrestricted',
      'careful',
      ...Array(5).fill('strict'),
    ]);
  });
});

describe('the read-only ceiling', () => {
  const rules = [{ tool: '*', action: 'allow' as const }];
  const grants = [
    {
      hash: 'abc',
      permissions: [{ tool: 'bash', action: 'allow' as const }],
      reason: 'x',
      by: 'ada',
      head_sha: null,
    },
  ];
  const running = each.filter(({ example }) => example.level === 'confirm_execute');
  it.each(running)('over $preset, sandbox $sandbox, $context, and rules that allow all: $what', ({
    what,
    preset,
    sandbox,
    example,
  }) => {
    const reads = what.includes('proven to read only');
    const decision = decided(example, { preset, sandboxed: sandbox === 'on', rules, grants, readOnly: true });
    expect({ action: decision.action, hard: decision.hard }).toEqual(
      reads ? { action: 'allow', hard: false } : { action: 'reject', hard: true },
    );
  });
});
