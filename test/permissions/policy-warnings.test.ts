import { describe, expect, it } from 'vitest';
import { warningsOf } from '../../src/compose/policy/configuration-warnings.ts';
import { parsePolicy } from '../../src/config/parse-config.ts';

const warnings = (...lines: string[]) => warningsOf(parsePolicy(lines.join('\n'), 'policy.yml'));

describe('the warnings of a policy', () => {
  it('name a rule that never decides, and the one before it, by name and line', () => {
    expect(
      warnings(
        '- { name: package managers, tool: bash, matches: { command: npm * }, action: ask }',
        '- { tool: bash, matches: { command: [npm test *, npm run *] }, action: allow }',
      ),
    ).toEqual([
      'rule 2 (bash, command ["npm test *","npm run *"]), policy.yml:2: it can never match, because rule 1 (package managers), policy.yml:1, comes first and matches all that it would. Move it up, or remove it.',
    ]);
  });

  it('name a refusal that comes after an allowance of the same', () => {
    expect(
      warnings(
        '- { tool: bash, action: allow }',
        '- { name: publishing, tool: bash, matches: { command: npm publish * }, action: reject }',
      ),
    ).toEqual([
      'rule 2 (publishing), policy.yml:2: it matches almost nothing, because rule 1 (bash), policy.yml:1, comes first and allows all that it would but calls that are known in part only. Move it up, or remove it.',
    ]);
  });

  it.each([
    ['{ tool: bsh, action: ask }', 'there is no tool bsh. Did you mean bash?'],
    ['{ tool: no_such_thing, action: ask }', 'there is no tool no_such_thing.'],
    ['{ tool: Bash, action: ask }', 'rules go by the name bash, of which Bash is another. Write bash.'],
    [
      '{ tool: write_file, action: ask }',
      'rules go by the name create_file, of which write_file is another. Write create_file.',
    ],
    [
      '{ tool: workspace_apply_patch, action: ask }',
      'rules go by the name workspace.apply_patch, of which workspace_apply_patch is another. Write workspace.apply_patch.',
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
  ])('tell of %s', (rule, problem) => {
    expect(warnings(`- ${rule}`).map((one) => one.slice(one.indexOf(': it can never match: ') + 22))).toEqual(
      [problem],
    );
  });

  it('tell of names in profiles and lists of tools that take nothing away', () => {
    const told = warningsOf({
      tools: { disabled: ['wob_*', 'web_*', 'WebFetch', 'python_repl', 'grep', 'agent_delegate'] },
      profiles: {
        mine: {
          allow: ['*', 'reed'],
          deny: ['Bash', 'WebSearch', 'mcp__db__*'],
          maxCallsPerTool: { edit_fil: 2, 'edit_*': 2 },
        },
      },
    });
    expect(told).toEqual([
      'tools.disabled: it can never match: there is no tool wob_*.',
      'profiles.mine.allow: it can never match: there is no tool reed. Did you mean read?',
      'profiles.mine.deny: it can never match: rules go by the name bash, of which Bash is another. Write bash.',
      'profiles.mine.deny: it can never match: rules go by the name web_search, of which WebSearch is another. Write web_search.',
      'profiles.mine.maxCallsPerTool: it can never match: there is no tool edit_fil. Did you mean edit_file?',
    ]);
  });

  it('are none for rules that can decide', () => {
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

  it('are found without delay for as many rules as a file may have', () => {
    const command = Array.from({ length: 5 }, (_, index) => `${'*a'.repeat(200)}${index}`);
    const rules = Array.from({ length: 500 }, () => ({
      tool: 'bash',
      matches: { command },
      action: 'ask' as const,
    }));
    // What is looked at first is told; with the rest this could be made to take minutes.
    const told = warningsOf({ permissions: { rules } }).length;
    expect([told > 0, told < 499]).toEqual([true, true]);
  });
});
