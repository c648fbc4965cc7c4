import { expect, test } from 'vitest';
import { Level } from '../../../src/contract/levels.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import { grantFor, namesOneTool, rejectedAnyway } from '../../../src/permissions/gate/grants.ts';
import { describePermission } from '../../../src/permissions/policy/describe-permission.ts';
import { commandAction, presetAction } from '../../../src/permissions/policy/preset-action.ts';
import { scriptOf } from '../../../src/permissions/shell/wrapped.ts';
import { bashCall } from '../gate-fixtures.ts';

test('only the preset strict asks, about what does more than read, answer or propose', () => {
  const call = { tool: 'x', ownState: false, readOnly: false };
  const asked = (
    change: Partial<Parameters<typeof presetAction>[1]>,
    preset: 'strict' | 'careful' | 'unrestricted' = 'strict',
  ) => Level.options.filter((level) => presetAction(preset, { ...call, level, ...change }) === 'ask');
  const more = ['external_read', 'state_write', 'confirm_execute', 'confirm_write', 'delegated'];
  expect([
    asked({}),
    asked({ ownState: true }),
    asked({ readOnly: true }),
    asked({ tool: 'handoff' }),
    asked({}, 'careful'),
    asked({}, 'unrestricted'),
  ]).toEqual([
    more,
    more.filter((level) => level !== 'state_write'),
    more.filter((level) => level !== 'delegated'),
    more.filter((level) => level !== 'delegated'),
    [],
    [],
  ]);
});

test('a command is allowed, asked about or refused by what it does and where it runs', () => {
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

test('a grant holds for its one tool and for what it names, and is no rule that asks', () => {
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

test('a permission that a rule rejects anyway is told by that rule, unless another asks first', () => {
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

test('a permission is told in words', () => {
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

test('words make a script, which is kept and not known where one of them is computed', () => {
  const word = (value: string | null, source = value ?? '') =>
    ({ value, source }) as Parameters<typeof scriptOf>[0][number];
  const scripts = { kind: 'scripts' as const };
  expect([
    scriptOf([word('a'), word('b c')], 'eval'),
    scriptOf([word('a')], 'eval', { keep: true, posix: true }),
    scriptOf([word('a')], 'eval', { keep: false, posix: false }),
    scriptOf([word(null, '"a $b \\"c\\" \\\\ \\d"'), word(null, '$x'), word(null, '"a" "b')], 'eval'),
    scriptOf([word(null, 'x"a"'), word(null, '"a"y'), word(null, '"a\nb"')], 'sh'),
    scriptOf([], 'eval'),
  ]).toEqual([
    { ...scripts, scripts: ['a b c'], keep: false },
    { ...scripts, scripts: ['a'], keep: true, posix: true },
    { ...scripts, scripts: ['a'], keep: false },
    {
      ...scripts,
      scripts: ['a $b "c" \\ \\d $x "a" "b'],
      keep: true,
      unknown: '`eval` runs a script that is computed',
    },
    { ...scripts, scripts: ['x"a" "a"y a\nb'], keep: true, unknown: '`sh` runs a script that is computed' },
    { ...scripts, scripts: [''], keep: false },
  ]);
});
