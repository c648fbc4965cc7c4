import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import {
  describeRule,
  matchRules,
  namesPaths,
  restrictsCommands,
} from '../../../src/permissions/policy/match-rules.ts';
import { bashCall, decided, pathCall } from '../gate-fixtures.ts';

describe('the order of rules', () => {
  const rules: Rule[] = [
    { tool: 'bash', matches: { command: 'docker push *' }, action: 'reject' },
    { tool: 'bash', matches: { command: 'docker *' }, action: 'ask' },
    { tool: 'bash', matches: { command: ['docker ps', 'make *'] }, action: 'allow' },
  ];
  it.each([
    ['docker push app', 'reject', 'rule 1'],
    ['docker pushed', 'ask', 'rule 2'],
    ['docker', 'ask', 'rule 2'],
    // The first rule that matches decides, although a later one is closer.
    ['docker ps', 'ask', 'rule 2'],
    ['make site', 'allow', 'rule 3'],
    ['make', 'allow', 'rule 3'],
    // Refusing rules are found after an option, and allowing rules are not.
    ['docker --debug push app', 'reject', 'rule 1'],
    ['make -C out site', 'allow', 'rule 3'],
    ['makeshift', 'ask', null],
  ])('%s: %s, by %s', (command, action, rule) => {
    expect(decided(bashCall(command), { preset: 'strict', rules })).toMatchObject({
      action,
      rule: rule === null ? null : expect.stringContaining(rule),
    });
  });
});

describe('descriptions of rules', () => {
  it.each<[Rule, string]>([
    [{ tool: 'bash', action: 'allow' }, 'rule 3 (bash)'],
    [
      { tool: 'bash', matches: { command: ['a', 'b *'] }, action: 'ask' },
      'rule 3 (bash, command ["a","b *"])',
    ],
    [{ name: 'deploy scripts', tool: 'bash', action: 'ask' }, 'rule 3 (deploy scripts)'],
    [
      { name: 'deploy scripts', tool: 'bash', action: 'ask', source: '.github/anode.yml:14' },
      'rule 3 (deploy scripts), .github/anode.yml:14',
    ],
  ])('%j', (rule, words) => {
    expect(describeRule(rule, 2)).toBe(words);
  });

  it('appear in the decision', () => {
    const rules: Rule[] = [
      { tool: 'read', action: 'allow' },
      {
        name: 'publishing',
        tool: 'bash',
        matches: { command: 'npm publish *' },
        action: 'reject',
        source: 'p.yml:7',
      },
    ];
    expect(decided(bashCall('npm publish --tag x'), { rules })).toMatchObject({
      action: 'reject',
      rule: 'rule 2 (publishing), p.yml:7',
      reason: '`npm publish --tag x` is rejected by rule 2 (publishing), p.yml:7.',
    });
  });
});

describe('a rule for paths', () => {
  const rules: Rule[] = [{ tool: '*', matches: { path: 'gen/*' }, action: 'reject' }];
  it.each([
    ['as written', 'gen/a.ts'],
    ['by a way around', 'src/../gen/./a.ts'],
    ['from the root of the machine', '/repo/gen/a.ts'],
    ['through a link', 'link/a.ts'],
  ])('matches the real target of a path, %s', (_, given) => {
    const relativePath = (path: string) => {
      const inside = path
        .replace('/repo/', '')
        .replace(/^link\//, 'gen/')
        .replace('src/../gen/./', 'gen/');
      return inside.startsWith('/') ? null : inside;
    };
    expect(decided(pathCall('edit_file', 'write', given), { rules, relativePath }).action).toBe('reject');
  });

  it.each([
    ['echo x > gen/a.ts', 'reject'],
    ['cd gen && echo x >> a.ts', 'reject'],
    ['echo x | tee src/a.ts > src/gen', 'allow'],
  ])('matches the target of a redirection: %s is %s', (command, action) => {
    expect(decided(bashCall(command), { preset: 'unrestricted', rules }).action).toBe(action);
  });

  it('is not needed for a redirection that a command rule matches by its arrow', () => {
    const arrow: Rule[] = [{ tool: 'bash', matches: { command: ['echo *', '> build/*'] }, action: 'allow' }];
    const of = (command: string) => decided(bashCall(command), { preset: 'strict', rules: arrow }).action;
    expect([of('echo x > build/a'), of('echo x > src/a')]).toEqual(['allow', 'ask']);
  });
});

describe('a pattern with exponential backtracking', () => {
  it('decides on a long script in linear time', () => {
    const rules: Rule[] = [
      { tool: 'bash', matches: { command: '/^(\\w+\\s?)*$!/' }, action: 'allow' },
      { tool: 'bash', matches: { command: '*a*a*a*a*a*a*b' }, action: 'reject' },
    ];
    const command = Array.from({ length: 50 }, () => `echo ${'a '.repeat(500)}`).join('\n');
    expect(decided(bashCall(command), { preset: 'unrestricted', rules }).action).toBe('allow');
  });
});

describe('a rule for an extension tool', () => {
  const call = (tool: string, input: JsonObject) =>
    bashCall('', { tool, input, targets: { what: JSON.stringify(input) } });
  const say = (rule: Rule, tool: string, inputs: readonly JsonObject[]) =>
    inputs.map((input) => decided(call(tool, input), { preset: 'strict', rules: [rule] }).action);

  it('normalises its paths, and allows a list only as a whole', () => {
    const paths = [
      { path: 'docs/a.md' },
      { path: './docs/a.md' },
      { path: '/repo/docs/a.md' },
      { path: 'docs/../secrets/a.md' },
      { paths: ['docs/a.md', 'docs/b.md'] },
      { paths: ['docs/a.md', 'src/b.ts'] },
      { paths: [] },
    ];
    const rule = (action: Rule['action'], key: string): Rule => ({
      tool: 'mcp__files__*',
      matches: { [key]: 'docs/*' },
      action,
    });
    const of = (action: Rule['action']) => [
      ...say(rule(action, 'path'), 'mcp__files__write', paths.slice(0, 4)),
      ...say(rule(action, 'paths'), 'mcp__files__write', paths.slice(4)),
    ];
    expect([of('allow'), of('reject')]).toEqual([
      ['allow', 'allow', 'allow', 'ask', 'allow', 'ask', 'ask'],
      ['reject', 'reject', 'reject', 'reject', 'reject', 'reject', 'ask'],
    ]);
  });

  it('restricts it in any letter case of its name, and allows it only by its exact name', () => {
    const of = (action: Rule['action']) =>
      ['mcp__files__delete', 'mcp__Files__Delete'].flatMap((tool) =>
        say({ tool: 'mcp__files__del*', action }, tool, [{}]),
      );
    expect([of('reject'), of('allow')]).toEqual([
      ['reject', 'reject'],
      ['allow', 'ask'],
    ]);
  });
});

describe('keys that rules match', () => {
  const unit = (kind: 'command' | 'path' | 'url' | 'call', text: string) => ({
    kind,
    exact: [text],
    loose: [text],
  });
  const matched = (rule: Partial<Rule>, call = bashCall('ls'), of = unit('command', 'ls')) =>
    matchRules([{ tool: '*', action: 'ask', ...rule }], call, of) !== null;

  it('include the targets of a call, under any argument name', () => {
    const keys = [
      'command',
      'cmd',
      'script',
      'path',
      'paths',
      'file_path',
      'file',
      'files',
      'url',
      'urls',
      'text',
    ];
    const call = { ...pathCall('tool', 'read', 'a'), input: {} };
    const of = (kind: 'command' | 'path' | 'url' | 'call') =>
      keys.filter((key) => matched({ matches: { [key]: 'a' } }, call, unit(kind, 'a')));
    expect((['command', 'path', 'url', 'call'] as const).map(of)).toEqual([
      ['command', 'cmd', 'script'],
      ['path', 'paths', 'file_path', 'file', 'files'],
      ['url', 'urls'],
      [],
    ]);
    const about = (key: string) =>
      namesPaths({ tool: '*', action: 'ask', matches: { other: 'x', [key]: 'a' } });
    expect([keys.filter(about), namesPaths({ tool: '*', action: 'ask' })]).toEqual([
      ['path', 'paths', 'file_path', 'file', 'files'],
      false,
    ]);
  });

  it('include a redirection only for command keys, and only if the call has one', () => {
    const redirection = unit('path', 'f');
    const by = (key: string, call = bashCall('ls > f')) =>
      matched({ matches: { [key]: '> f' } }, call, redirection);
    expect([by('command'), by('script'), by('other'), by('command', pathCall('t', 'read', 'f'))]).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('compare an argument by its type: text with a pattern, any other value by equality', () => {
    const input = {
      text: 'abc',
      count: 12,
      flag: true,
      none: null,
      list: ['x', 'y'],
      deep: { a: { b: 'c' } },
    };
    const by = (matches: Rule['matches']) =>
      matched({ ...(matches && { matches }) }, { ...bashCall('ls'), input });
    const yes: Rule['matches'][] = [
      ...[{ text: 'a*' }, { count: '12' }, { count: 12 }, { flag: true }, { flag: 'true' }, { none: null }],
      ...[{ list: 'y' }, { list: ['z', 'x'] }, { deep: { a: { b: 'c' } } }, { deep: { a: {} } }, {}],
    ];
    const no: Rule['matches'][] = [
      ...[{ text: 'b*' }, { count: '1*' }, { count: 1 }, { flag: false }, { flag: null }, { none: false }],
      ...[{ list: 'z' }, { list: [] }, { deep: { a: { b: 'd' } } }, { deep: { z: 'c' } }, { missing: '*' }],
      ...[{ text: { a: 'b' } }, { none: { a: 'b' } }, { text: 'a*', count: 1 }, { diff: 'x' }],
    ];
    expect([yes.filter((one) => !by(one)), no.filter(by)]).toEqual([[], []]);
    const changing = { ...bashCall('ls'), diff: '+abc' };
    expect(['+a*', 'x'].map((diff) => matched({ matches: { diff } }, changing))).toEqual([true, false]);
  });

  it('include the caller', () => {
    const contexts = ['main', 'child', 'child_run'] as const;
    const calls = (['main', 'child'] as const).map((context) => bashCall('ls', { context }));
    const found = contexts.map((context) => calls.map((call) => matched({ context }, call)));
    expect(found).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  it('include the name of the tool, and bash if another tool runs a command', () => {
    const rules = (tool: string, action: Rule['action']): Rule[] => [{ tool, action }];
    const shell = bashCall('ls', { tool: 'Shell' });
    const holds = (tool: string, action: Rule['action'], call = shell) =>
      restrictsCommands(rules(tool, action), call);
    expect([
      ...[holds('bash', 'reject'), holds('shell', 'ask'), holds('Shell', 'reject'), holds('*', 'delegate')],
      ...[
        holds('other', 'reject'),
        holds('bash', 'allow'),
        holds('bash', 'ask', pathCall('read', 'read', 'a')),
      ],
      restrictsCommands([{ tool: 'bash', action: 'ask', context: 'main' }], { ...shell, context: 'child' }),
    ]).toEqual([true, true, true, true, false, false, false, false]);
    const both: Rule[] = [
      { tool: 'shell', action: 'ask' },
      { tool: 'bash', action: 'reject' },
    ];
    expect(
      [both, both.toReversed(), both.slice(0, 1), []].map(
        (some) => matchRules(some, shell, unit('command', 'ls'))?.action ?? null,
      ),
    ).toEqual(['reject', 'reject', 'ask', null]);
  });
});
