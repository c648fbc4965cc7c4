import { expect, test } from 'vitest';
import { Level } from '../../../src/contract/levels.ts';
import { unitsOf } from '../../../src/permissions/gate/gate-units.ts';
import type { Policy, PolicyCall } from '../../../src/permissions/policy/policy.ts';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { bashCall, pathCall, policy } from '../gate-fixtures.ts';

const units = (call: PolicyCall, change: Partial<Policy> = {}) =>
  unitsOf(call, (call.targets.commands ?? []).map(analyseScript), policy(change));

/** Lists of each unit its text, the preset's decision, the reason, and `reads` within the ceiling. */
const reply = (script: string, change: Partial<Policy> = {}, call: Partial<PolicyCall> = {}) =>
  units(bashCall(script, call), change).map(({ display: displayed, preset, because, withinCeiling }) =>
    [displayed, preset, because, ...(withinCeiling ? ['reads'] : [])].join(' | '),
  );

test('each level has a description, and only running a program exceeds the read-only ceiling', () => {
  const found = Level.options.map((level) => {
    const [unit] = units({ ...pathCall('t', 'read'), targets: { what: 'w' }, level }, { preset: 'strict' });
    return [level, unit?.display, unit?.because, unit?.withinCeiling, unit?.preset];
  });
  expect(Object.fromEntries(found.map(([level, ...rest]) => [level, rest]))).toEqual({
    auto_read: ['t: w', 'only reads the workspace', true, 'allow'],
    external_read: ['t: w', 'requests data from outside the workspace or another run', true, 'ask'],
    state_write: ['t: w', 'changes stored state', true, 'ask'],
    confirm_execute: ['t: w', 'runs a program', false, 'ask'],
    confirm_write: ['t: w', 'changes files of the workspace', true, 'ask'],
    delegated: ['t: w', 'delegates work to another run', true, 'ask'],
    interactive: ['t: w', 'asks a person', true, 'allow'],
  });
});

test('a path is described by what the call would do to it', () => {
  const because = (level: PolicyCall['level']) =>
    units({ ...pathCall('t', 'read', '/repo/a'), level }).map((unit) => `${unit.display} ${unit.because}`);
  expect([because('auto_read'), because('confirm_write'), because('confirm_execute')]).toEqual([
    ['a would only be read'],
    ['a would be changed'],
    ['a runs a program'],
  ]);
});

test('a call with paths or addresses is evaluated by them, any other call by itself', () => {
  const call = pathCall('read', 'read', '/repo/a', 'b', '/etc/x');
  const found = units({ ...call, targets: { ...call.targets, urls: ['https://a.test'] } });
  expect(
    found.map(({ unit, display: displayedText }) => [unit.kind, unit.exact, unit.loose, displayedText]),
  ).toEqual([
    ['path', ['a'], ['a', '/repo/a'], 'a'],
    ['path', ['b'], ['b'], 'b'],
    ['path', ['/etc/x'], ['/etc/x'], '/etc/x'],
    ['url', ['https://a.test'], ['https://a.test'], 'https://a.test'],
  ]);
  const [own] = units({ ...call, targets: { what: '' } });
  expect([own?.unit.kind, own?.display, own?.unit.exact, own?.unit.loose]).toEqual([
    'call',
    'read',
    [''],
    [''],
  ]);
  expect(['/repo/a/../b', '/etc/../x'].map((path) => own?.unit.pathOf?.(path))).toEqual(['b', '/x']);
});

test.each<[script: string, ...parts: string[]]>([
  ['ls', 'ls | allow | only reads | reads'],
  ['wget u', 'wget u | allow | is not known to read only'],
  ['rm -rf a', 'rm -rf a | reject | deletes folders without asking'],
  ['A=1', 'A=1 | allow | sets variables that programs may heed'],
  ['./ls', './ls | allow | runs a program by a path or a computed name'],
  [
    'cat $(ls)',
    'cat $(ls) | allow | takes the output of a command as an argument',
    'ls | allow | only reads | reads',
  ],
  [
    'find $x',
    'find $x | allow | has computed arguments that may be options',
    'find $x | allow | is not known before it runs (the arguments of `find` are computed)',
  ],
  ['date x', 'date x | allow | is not proven to read only with these arguments'],
  [
    'sort -o f a',
    'sort -o f a | allow | does more than read with `-o`',
    '> f | allow | writes a file of the workspace',
  ],
  ['(ls)', 'ls | allow | stands in a script that cannot be proven to read only (it runs a subshell)'],
  ['ls > f', 'ls | allow | only reads | reads', '> f | allow | writes a file of the workspace'],
  ['ls > /dev/null', 'ls | allow | only reads | reads'],
  [
    'ls > /tmp/f',
    'ls | allow | only reads | reads',
    '> /tmp/f | allow | writes to a place that is not known to be inside the workspace | reads',
  ],
  [
    'ls > $f',
    'ls | allow | only reads | reads',
    '> $f | allow | writes to a place that is not known to be inside the workspace',
  ],
  ['ls > /dev/sda', 'ls | allow | only reads | reads', '> /dev/sda | reject | writes to a device'],
  [
    'cd /dev; ls > sda',
    'cd /dev | allow | only reads | reads',
    'ls | allow | only reads | reads',
    '> sda | reject | writes to a device',
  ],
  [
    'cd /srv; ls > f',
    'cd /srv | allow | only reads | reads',
    'ls | allow | only reads | reads',
    '> f | allow | writes to a place that is not known to be inside the workspace',
  ],
  ['[[ a ]] &', '[[ a ]] & | allow | it starts something in the background'],
  ['cat < a', 'cat | allow | only reads | reads'],
  ['cat < /srv/a', 'cat | allow | only reads | reads'],
  [
    'cat < /dev/tcp/a/1',
    'cat | allow | only reads | reads',
    '< /dev/tcp/a/1 | allow | connects to the network',
  ],
  [
    'ls > /dev/udp/a/1',
    'ls | allow | only reads | reads',
    '> /dev/udp/a/1 | allow | connects to the network',
  ],
  ['', ' | allow | only reads | reads'],
  ['[[ -v a ]]', '[[ -v a ]] | allow | is not known before it runs (`-v` evaluates its operands)'],
  ['[[ -f a ]]', '[[ -f a ]] | allow | only reads | reads'],
  [
    'f() { f | f & }',
    'f | allow | is not known to read only',
    'f | allow | is not known to read only',
    'f() { f | f & } | reject | a function that starts itself without end fills the machine with processes',
  ],
])('in a sandbox %j is evaluated part by part', (script, ...parts) => {
  expect(reply(script)).toEqual(parts);
});

test.each<[script: string, ...parts: string[]]>([
  ['ls a', 'ls a | allow | only reads | reads'],
  ['cat ../a', 'cat ../a | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat /srv/a', 'cat /srv/a | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat /repo/a', 'cat /repo/a | allow | only reads | reads'],
  ['cat "$HOME"', 'cat "$HOME" | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat ~/a', 'cat ~/a | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat "a$x"', 'cat "a$x" | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat l*', 'cat l* | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat {x,/srv/a}', 'cat {x,/srv/a} | ask | reads outside the workspace, and there is no sandbox around it'],
  [
    'grep -f/srv/a b',
    'grep -f/srv/a b | ask | reads outside the workspace, and there is no sandbox around it',
  ],
  ['cat "a$x/.."', 'cat "a$x/.." | ask | reads outside the workspace, and there is no sandbox around it'],
  ['cat /dev/null -n', 'cat /dev/null -n | allow | only reads | reads'],
  ['echo /srv/a ..', 'echo /srv/a .. | allow | only reads | reads'],
  ['printf /srv/a', 'printf /srv/a | allow | only reads | reads'],
  ['true /a', 'true /a | allow | only reads | reads'],
  ['false /a', 'false /a | allow | only reads | reads'],
  [': /a', ': /a | allow | only reads | reads'],
  ['pwd /a', 'pwd /a | allow | only reads | reads'],
  [
    'cd d; cat ../a',
    'cd d | allow | only reads | reads',
    'cat ../a | ask | reads outside the workspace, and there is no sandbox around it',
  ],
  [
    'cat < /srv/a',
    'cat | allow | only reads | reads',
    '< /srv/a | ask | reads outside the workspace, and there is no sandbox around it',
  ],
  ['cat < a', 'cat | allow | only reads | reads'],
  [
    'ls > /tmp/f',
    'ls | allow | only reads | reads',
    '> /tmp/f | ask | writes to a place that is not known to be inside the workspace',
  ],
])('without a sandbox %j is evaluated part by part', (script, ...parts) => {
  expect(reply(script, { sandboxed: false })).toEqual(parts);
});

test('a script is evaluated from the folder that it starts in', () => {
  const call = { input: { command: 'cat ../a', cwd: 'sub' } };
  expect([reply('cat ../a', { sandboxed: false }, call), reply('git log', {}, call)]).toEqual([
    ['cat ../a | allow | only reads | reads'],
    ['git log | allow | runs git in another folder'],
  ]);
  const [, file] = units(bashCall('ls > f', call));
  expect([file?.unit.exact, file?.unit.loose]).toEqual([['sub/f'], ['f', 'sub/f', 'f']]);
});

test('an unreadable script is rejected with a correction', () => {
  const broken = 'pwd\nls &&& x';
  const found = (call: PolicyCall, change: Partial<Policy> = {}) =>
    units(call, change)
      .filter(({ mistake }) => mistake !== undefined)
      .map(({ preset, because, mistake }) => [preset, because, mistake]);
  const why = "could not be parsed (expected command after '&&')";
  const cure = (start: string) => ({
    reason: `${start}: expected command after '&&'. Nothing was run.`,
    advice: 'Correct the command, or write it more plainly, and call again.',
  });
  const rules = [{ tool: 'bash', action: 'ask' as const }];
  expect([
    found(bashCall(broken)),
    found(bashCall(broken, { input: { command: 'other' } })),
    found(bashCall(broken), { preset: 'unrestricted' }),
    found(bashCall(broken), { preset: 'unrestricted', rules }),
    found(bashCall('ls @(a|b)')),
  ]).toEqual([
    [['reject', why, cure('Syntax error in line 2')]],
    [['reject', why, cure('Syntax error')]],
    [['allow', why, cure('Syntax error in line 2')]],
    [['reject', why, cure('Syntax error in line 2')]],
    [
      [
        'reject',
        'could not be parsed (`@(a|b)` is an extended pattern, which bash reads only where it is switched on)',
        {
          reason:
            'Nothing was run: the commands that this would run are unknown beforehand (`@(a|b)` is an extended pattern, which bash reads only where it is switched on).',
          advice: 'Write it differently and call again.',
        },
      ],
    ],
  ]);
});

test('a long script is quoted by its beginning', () => {
  const shownOf = (length: number) => units(bashCall(`$x ${'a'.repeat(length - 3)}`)).at(-1)?.display ?? '';
  expect(
    [shownOf(200), shownOf(201)].map((displayedLines) => [displayedLines.length, displayedLines.at(-1)]),
  ).toEqual([
    [200, 'a'],
    [200, '…'],
  ]);
});

test('unknown parts need approval if a rule could restrict them', () => {
  const rules = [{ tool: 'bash', matches: { command: 'x' }, action: 'reject' as const }];
  const presets = [{}, { rules }, { rules, sandboxed: false }].map(
    (change) => units(bashCall('$x'), change).at(-1)?.preset,
  );
  expect(presets).toEqual(['allow', 'ask', 'ask']);
});

test('an output file named by an option is evaluated by rules about paths alone', () => {
  const rules = [{ tool: 'bash', matches: { path: 'x' }, action: 'reject' as const }];
  expect([reply('cp a b'), reply('cp a b', { rules })]).toEqual([
    ['cp a b | allow | is not known to read only'],
    [
      'cp a b | allow | is not known to read only',
      '> b | allow | writes a file of the workspace | reads',
      '> b | allow | writes a file of the workspace | reads',
    ],
  ]);
});

test('a computed path matches both as written and relative to the workspace', () => {
  const script = 'x=b; ls > $x; ls > "$x/../c"';
  const found = units(bashCall(script, { input: { command: script, cwd: 'sub' } })).filter(
    ({ unit }) => unit.kind === 'path',
  );
  expect(found.map(({ unit }) => [unit.exact, unit.loose])).toEqual([
    [[], ['b', 'sub/b', '$x']],
    [[], ['c', 'sub/c', '"$x/../c"']],
  ]);
});
