import { describe, expect, it } from 'vitest';
import {
  type Action,
  type Level,
  Level as Levels,
  type Preset,
  Preset as Presets,
} from '../../../src/contract/levels.ts';
import type { GateCall } from '../../../src/permissions/policy/policy.ts';
import { levelTable } from '../../../src/permissions/policy/policy-levels.ts';
import { presetFrom } from '../../../src/permissions/policy/presets.ts';
import { bashCall, decided, pathCall } from '../gate-fixtures.ts';

const call = (level: Level, change: Partial<GateCall> = {}): GateCall => ({
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
const table: readonly [level: Level, calls: string, expected: Cells, ...calls: GateCall[]][] = [
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
    call('delegated', { tool: 'task', readOnly: true }),
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

  it.each(Presets.options)('is explained as it is decided for %s', (preset) => {
    expect(levelTable(preset)).toEqual(
      table.map(([level, calls, expected]) => {
        const cell = expected[preset];
        const both = typeof cell === 'string' ? { on: cell, off: cell } : cell;
        return { level, calls, sandboxed: both.on, unsandboxed: both.off };
      }),
    );
  });

  it.each(Presets.options)('ends at the border of the workspace in %s', (preset) => {
    const outside = [pathCall('edit_file', 'write', '../a.ts'), pathCall('read', 'read', '/etc/hostname')];
    expect(outside.map((one) => decided(one, { preset }))).toEqual(
      outside.map(() => expect.objectContaining({ action: 'reject', hard: true, rule: null })),
    );
  });

  it('has the strictest preset for every word that is none', () => {
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
