import { describe, expect, it } from 'vitest';
import { parseConfig, parsePolicy } from '../../src/config/parse-config.ts';
import { ConfigError } from '../../src/contract/errors.ts';

const file = '.github/anode.yml';

function message(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('It did not fail.');
}

/** A configuration with two rules, the second of which stands from line 6 on. */
const withSecond = (...lines: string[]) =>
  [
    'permissions:',
    '  rules:',
    '    - tool: read',
    '      action: allow',
    '    # what is deployed',
    ...lines.map((line, index) => (index === 0 ? `    - ${line}` : `      ${line}`)),
  ].join('\n');

describe('an invalid rule is refused by name and line', () => {
  it.each([
    [
      ['name: deploys', 'tool: bash', 'action: reject', 'matchs: {}'],
      '9:7: unknown key permissions.rules.1.matchs, in rule 2 (deploys). Did you mean permissions.rules.1.matches?',
    ],
    [
      ['tool: bash', 'action: forbid'],
      '7:15: permissions.rules.1.action: Invalid option: expected one of "allow"|"ask"|"reject"|"delegate", in rule 2.',
    ],
    [
      ['name: deploys', 'tool: bash', 'action: reject', "matches: { command: [make, '/deploy(/'] }"],
      '9:34: permissions.rules.1.matches.command.1: /deploy(/ cannot be used as a regular expression: unterminated group, in rule 2 (deploys).',
    ],
    [
      ['name: deploys', 'tool: bash', 'action: reject', 'matches:', '  command: /(?!make)x/'],
      '10:18: permissions.rules.1.matches.command: /(?!make)x/ cannot be used as a regular expression: it uses lookaround, with (?=, (?!, (?<= or (?<!, and it cannot be matched in a time that only grows with the text, in rule 2 (deploys).',
    ],
    [
      ['tool: /[/', 'action: reject'],
      '6:13: permissions.rules.1.tool: /[/ cannot be used as a regular expression: unterminated character class, in rule 2.',
    ],
    [
      ['tool: bash', 'action: delegate'],
      '7:15: permissions.rules.1.action: delegate wants a program to ask, in the key to, in rule 2.',
    ],
    [
      ['tool: bash', 'to: ask-me', 'action: allow'],
      '7:11: permissions.rules.1.to: a program is asked with the action delegate only, not with allow, in rule 2.',
    ],
    [
      ['action: allow'],
      '6:7: permissions.rules.1.tool: Invalid input: expected string, received undefined, in rule 2.',
    ],
  ])('%j', (lines, expected) => {
    expect(message(() => parseConfig(withSecond(...lines), file))).toBe(`${file}:${expected}`);
  });

  it('if it is unreasonably long', () => {
    const long = withSecond('tool: bash', 'action: ask', `matches: { command: ${'a'.repeat(1_001)} }`);
    expect(message(() => parseConfig(long, file))).toBe(
      `${file}:8:27: permissions.rules.1.matches.command: ${'a'.repeat(99)}… cannot be used as a pattern: it has 1001 characters, more than 1000, in rule 2.`,
    );
  });

  it('also in JSON', () => {
    const json =
      '{\n  "permissions": {\n    "rules": [\n      { "tool": "bash", "acton": "allow", "action": "ask" }\n    ]\n  }\n}';
    expect(message(() => parseConfig(json, '.github/anode.json'))).toBe(
      '.github/anode.json:4:25: unknown key permissions.rules.0.acton, in rule 1. Did you mean permissions.rules.0.action?',
    );
  });
});

describe('a policy', () => {
  const rules = [{ tool: 'bash', matches: { command: 'npm *' }, action: 'allow' }];
  it('is the permissions of a configuration, or a bare list of rules, each with its position', () => {
    const yaml = '- tool: bash\n  matches: { command: npm * }\n  action: allow\n';
    const whole =
      '# ours\npermissions:\n  rules:\n    - { tool: bash, matches: { command: npm * }, action: allow }\n';
    const placed = (line: number) => ({
      permissions: { rules: rules.map((rule) => ({ ...rule, source: `p.yml:${line}` })) },
    });
    expect([
      parsePolicy(yaml, 'p.yml'),
      parsePolicy(whole, 'p.yml'),
      parsePolicy(JSON.stringify(rules), 'p.yml'),
    ]).toEqual([
      placed(1),
      placed(4),
      { permissions: { rules: rules.map((rule) => ({ ...rule, source: 'p.yml' })) } },
    ]);
  });

  it('as a bare list names its mistakes by their index', () => {
    expect(
      message(() => parsePolicy('- tool: bash\n  name: all\n  acton: ask\n  action: ask', 'p.yml')),
    ).toBe('p.yml:3:3: unknown key 0.acton, in rule 1 (all). Did you mean 0.action?');
  });
});
