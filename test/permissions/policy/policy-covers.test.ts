import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/contract/rules.ts';
import { matchRules } from '../../../src/permissions/policy/match-rules.ts';
import { ruleCovers } from '../../../src/permissions/policy/policy-covers.ts';
import { bashCall } from '../gate-fixtures.ts';

const rule = (matches: Rule['matches'], change: Partial<Rule> = {}): Rule => ({
  tool: 'bash',
  ...(matches === undefined ? {} : { matches }),
  action: 'reject',
  ...change,
});
const command = (...commands: string[]) => ({
  command: commands.length === 1 ? (commands[0] ?? '') : commands,
});

describe('a rule covers a later one', () => {
  it.each<[Rule, Rule]>([
    [rule(undefined), rule(command('rm *'))],
    [rule(undefined, { tool: '*' }), rule(undefined, { tool: 'mcp__*' })],
    [rule(undefined, { tool: 'mcp__*' }), rule(undefined, { tool: 'mcp__db__*' })],
    [rule(undefined, { tool: '/^edit_/' }), rule(undefined, { tool: 'edit_file' })],
    [rule(command('npm *')), rule(command('npm test *'))],
    [rule(command('npm *')), rule(command('npm'))],
    [rule(command('npm*')), rule(command('npm *'))],
    [rule(command('npm *', 'yarn *')), rule(command('yarn add *', 'npm run ?'))],
    [rule(command('/^rm\\b/')), rule(command('/^rm\\b/'))],
    [rule(command('/^rm\\b/')), rule(command('rm -rf build'))],
    [rule(command('*')), rule(command('/^rm\\b/'))],
    [rule(command('git *')), rule({ command: 'git push *', cwd: 'a' })],
    [rule({ options: { force: true } }), rule({ options: { force: true, depth: 1 } })],
    [rule(command('npm *'), { action: 'allow' }), rule(command('npm test'), { action: 'allow' })],
    [rule(command('npm *'), { action: 'ask' }), rule(command('npm test'), { action: 'allow' })],
    [rule(undefined), rule(undefined, { context: 'child' })],
    [rule(undefined, { context: 'child' }), rule(undefined, { context: 'child_run' })],
  ])('%j before %j', (earlier, later) => {
    expect(ruleCovers(earlier, later)).toBe('always');
  });
});

describe('a rule that defers calls to a later rule', () => {
  it.each<[string, Rule, Rule]>([
    ['a narrower command', rule(command('npm test *')), rule(command('npm *'))],
    ['a word boundary', rule(command('npm *')), rule(command('npm*'))],
    ['the bare command', rule(command('npm ?*')), rule(command('npm *'))],
    ['another tool', rule(undefined, { tool: 'bash' }), rule(undefined, { tool: '*' })],
    ['another argument', rule({ cwd: 'a' }), rule(command('npm *'))],
    ['one more argument', rule({ command: 'npm *', cwd: 'a' }), rule(command('npm *'))],
    ['the other context', rule(undefined, { context: 'main' }), rule(undefined)],
    ['a part of a list', rule(command('npm *')), rule(command('npm *', 'yarn *'))],
    ['what a regular expression matches', rule(command('rm *')), rule(command('/^rm /'))],
    ['the value true', rule({ force: '*e' }), rule({ force: 'true' })],
    ['a nested value', rule({ options: { force: true, depth: 2 } }), rule({ options: { force: true } })],
  ])('%s', (_, earlier, later) => {
    expect(ruleCovers(earlier, later)).toBeNull();
  });
});

it('an allowing rule defers partly known calls only to a later refusal', () => {
  const [allow, reject] = [rule(command('npm *'), { action: 'allow' }), rule(command('npm publish *'))];
  const unit = { kind: 'command' as const, exact: [], loose: ['npm publish'] };
  expect({
    covers: ruleCovers(allow, reject),
    decides: matchRules([allow, reject], bashCall('$x npm publish'), unit)?.action,
  }).toEqual({ covers: 'plainly', decides: 'reject' });
});

it('no rule that could decide is reported as covered', () => {
  const word = fc.array(fc.constantFrom('a', 'b', ' ', '*', '?', ' *'), { minLength: 1, maxLength: 4 });
  const pattern = fc.oneof(
    word.map((parts) => parts.join('')),
    fc.constantFrom('true', '/a/', '/^a b/', '*', '1'),
  );
  const matcher = fc.oneof(pattern, fc.array(pattern, { maxLength: 2 }), fc.constantFrom(true, 1, null));
  const matches = fc.record({ command: matcher, flag: matcher }, { requiredKeys: [] });
  const anyRule = fc.record({
    tool: fc.constantFrom('bash', '*', 'b*', '/a/'),
    matches,
    action: fc.constantFrom('allow' as const, 'reject' as const),
    context: fc.constantFrom('main' as const, 'child' as const, 'child_run' as const),
  });
  const text = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 5 }).map((parts) => parts.join(''));
  const flag = fc.oneof(text, fc.constantFrom(true, 1, null, 'true', ['a', true]));
  fc.assert(
    fc.property(anyRule, anyRule, text, text, flag, (earlier, later, exact, other, value) => {
      fc.pre(ruleCovers(earlier, later) === 'always');
      const call = bashCall(exact, {
        input: { flag: value },
        context: later.context === 'main' ? 'main' : 'child',
      });
      const unit = { kind: 'command' as const, exact: [exact], loose: [exact, other] };
      const alone = matchRules([later], call, unit);
      expect(
        alone === null ? null : matchRules([earlier, later], call, unit)?.rule.startsWith('rule 1 '),
      ).toBe(alone === null ? null : true);
    }),
    { numRuns: 3_000 },
  );
});
