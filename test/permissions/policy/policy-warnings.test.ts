import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/config/parse-config.ts';
import type { Matcher, Rule } from '../../../src/contract/rules.ts';
import { policyWarnings, toolProblem } from '../../../src/permissions/policy/policy-warnings.ts';
import { warningsOf } from '../../../src/run/policy/configuration-warnings.ts';

const warnings = (...lines: string[]) => warningsOf(parsePolicy(lines.join('\n'), 'policy.yml'));

describe('the warnings of a policy', () => {
  it('name a rule that never decides and the earlier rule, by name and line', () => {
    expect(
      warnings(
        '- { name: package managers, tool: bash, matches: { command: npm * }, action: ask }',
        '- { tool: bash, matches: { command: [npm test *, npm run *] }, action: allow }',
      ),
    ).toEqual([
      'rule 2 (bash, command ["npm test *","npm run *"]), policy.yml:2: it can never match, because rule 1 (package managers), policy.yml:1, comes first and matches all its calls. Move it up, or remove it.',
    ]);
  });

  it('name a refusal that follows an allowance of the same call', () => {
    expect(
      warnings(
        '- { tool: bash, action: allow }',
        '- { name: publishing, tool: bash, matches: { command: npm publish * }, action: reject }',
      ),
    ).toEqual([
      'rule 2 (publishing), policy.yml:2: it matches almost nothing, because rule 1 (bash), policy.yml:1, comes first and allows all its calls except those that are only partly known. Move it up, or remove it.',
    ]);
  });

  it.each([
    ['{ tool: bsh, action: ask }', 'there is no tool bsh. Did you mean bash?'],
    ['{ tool: no_such_thing, action: ask }', 'there is no tool no_such_thing.'],
    ['{ tool: Bash, action: ask }', 'rules use the name bash, and Bash is an alias of it. Write bash.'],
    [
      '{ tool: write_file, action: ask }',
      'rules use the name create_file, and write_file is an alias of it. Write create_file.',
    ],
    [
      '{ tool: workspace_apply_patch, action: ask }',
      'rules use the name workspace.apply_patch, and workspace_apply_patch is an alias of it. Write workspace.apply_patch.',
    ],
    ['{ tool: editor_*, action: ask }', 'there is no tool editor_*.'],
    [
      '{ tool: bash, matches: { comand: x }, action: ask }',
      'bash has no argument comand. Did you mean command?',
    ],
    [
      '{ tool: bash, matches: { timeout: 5 }, action: ask }',
      'bash has no argument timeout. Did you mean timeout_ms?',
    ],
    ['{ tool: bash, matches: { command: [] }, action: ask }', 'the list for command is empty.'],
  ])('mention %s', (rule, problem) => {
    expect(warnings(`- ${rule}`).map((one) => one.slice(one.indexOf(': it can never match: ') + 22))).toEqual(
      [problem],
    );
  });

  it('mention names in profiles and tool lists that remove nothing', () => {
    const reported = warningsOf({
      tools: { disabled: ['wob_*', 'web_*', 'WebFetch', 'python_repl', 'grep', 'agent_delegate'] },
      profiles: {
        mine: {
          allow: ['*', 'reed'],
          deny: ['Bash', 'WebSearch', 'mcp__db__*'],
          maxCallsPerTool: { edit_fil: 2, 'edit_*': 2 },
        },
      },
    });
    expect(reported).toEqual([
      'tools.disabled: it can never match: there is no tool wob_*.',
      'profiles.mine.allow: it can never match: there is no tool reed. Did you mean read?',
      'profiles.mine.deny: it can never match: rules use the name bash, and Bash is an alias of it. Write bash.',
      'profiles.mine.deny: it can never match: rules use the name web_search, and WebSearch is an alias of it. Write web_search.',
      'profiles.mine.maxCallsPerTool: it can never match: there is no tool edit_fil. Did you mean edit_file?',
    ]);
  });

  it('are empty for rules that can decide', () => {
    expect(
      warnings(
        '- { tool: bash, matches: { command: npm test * }, action: allow }',
        '- { tool: bash, matches: { command: npm * }, action: ask }',
        '- { tool: bash, matches: { cmd: rm *, timeout_ms: 5 }, action: reject }',
        "- { tool: '*_file', matches: { path: 'gen/*', diff: '/eval/' }, action: reject }",
        '- { tool: mcp__db__query, matches: { sql: select * }, action: allow }',
        '- { tool: workspace.*, action: ask }',
      ),
    ).toEqual([]);
  });

  it('take linear time for the largest number of rules in a file', () => {
    const command = Array.from({ length: 5 }, (_, index) => `${'*a'.repeat(200)}${index}`);
    const rules = Array.from({ length: 500 }, () => ({
      tool: 'bash',
      matches: { command },
      action: 'ask' as const,
    }));
    // The first ones checked are reported; checking the rest could be made to take minutes.
    const reports = warningsOf({ permissions: { rules } }).length;
    expect([reports > 0, reports < 499]).toEqual([true, true]);
  });
});

const tools = [
  {
    name: 'edit.one',
    aliases: ['Edit', 'change_it'],
    arguments: ['path', 'old_text'],
    argumentAliases: { before: 'old_text' },
  },
  { name: 'edit.two', aliases: [], arguments: ['path', 'new_text'], argumentAliases: { after: 'new_text' } },
  { name: 'free', aliases: [], arguments: null, argumentAliases: {} },
];
const reportedTexts = (...rules: Rule[]) =>
  policyWarnings(rules, tools).map((one) => one.replace(/^rule \d+ \(.*?\): /, ''));
const on = (tool: string, ...keys: string[]): Rule => ({
  ...{ tool, action: 'ask' },
  ...(keys.length === 0 ? {} : { matches: Object.fromEntries(keys.map((key) => [key, 'x'])) }),
});

describe('a rule that can never match', () => {
  it.each([
    ['edit.one', null],
    ['edit.*', null],
    ['mcp__db__query', null],
    ['EDIT.ONE', 'there is no tool EDIT.ONE.'],
    ['EDIT_ONE', 'rules use the name edit.one, and EDIT_ONE is an alias of it. Write edit.one.'],
    ['edit_one', 'rules use the name edit.one, and edit_one is an alias of it. Write edit.one.'],
    ['CHANGE_IT', 'rules use the name edit.one, and CHANGE_IT is an alias of it. Write edit.one.'],
    ['edit.onn', 'there is no tool edit.onn. Did you mean edit.one?'],
    ['chunge_it', 'there is no tool chunge_it. Did you mean edit.one?'],
    ['fre', 'there is no tool fre. Did you mean free?'],
    ['freeeexx', 'there is no tool freeeexx.'],
    ['fr', 'there is no tool fr.'],
  ])('is reported for %s', (tool, problem) => {
    expect(toolProblem(tool, tools)).toBe(problem === null ? null : `it can never match: ${problem}`);
  });

  it("is found from the tools' arguments and the keys for targets", () => {
    const touched = [
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
      'diff',
    ];
    expect([
      reportedTexts(...touched.map((key) => on('edit.one', key))).filter((one) => one.includes('argument')),
      reportedTexts(on('edit.one', 'old_text')),
      reportedTexts(on('edit.one', 'before')),
      reportedTexts(on('edit.one', 'old_txt')),
      reportedTexts(on('edit.one', 'nothing_like_it')),
      reportedTexts(on('edit.*', 'after')),
      reportedTexts(on('edit.*', 'nothing_like_it')),
      reportedTexts(on('edit.*', 'new_tex')),
      reportedTexts(on('edit.*', 'old_text')),
      reportedTexts(on('free', 'nothing_like_it')),
      reportedTexts(on('mcp__db__x', 'nothing_like_it')),
      reportedTexts(on('edit.one', 'path', 'nothing_like_it')),
    ]).toEqual([
      [],
      [],
      ['it can never match: edit.one has no argument before. Did you mean old_text?'],
      ['it can never match: edit.one has no argument old_txt. Did you mean old_text?'],
      ['it can never match: edit.one has no argument nothing_like_it.'],
      ['it can never match: no tool edit.* has an argument after. Did you mean new_text?'],
      ['it can never match: no tool edit.* has an argument nothing_like_it.'],
      ['it can never match: no tool edit.* has an argument new_tex. Did you mean new_text?'],
      ...[[], [], []],
      ['it can never match: edit.one has no argument nothing_like_it.'],
    ]);
  });

  it('contains an empty list in its conditions', () => {
    const empty = (matcher: Matcher) =>
      reportedTexts({ tool: 'free', matches: { a: matcher }, action: 'ask' });
    expect([
      empty([]),
      empty([[], []]),
      empty({ b: [] }),
      empty([[], 'x']),
      empty(['x']),
      empty({ b: 'x' }),
      empty(null),
    ]).toEqual([...Array(3).fill(['it can never match: the list for a is empty.']), ...[[], [], [], []]]);
  });
});
