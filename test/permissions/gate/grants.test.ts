import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../src/contract/decision.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import { callDigest, shortHash } from '../../../src/permissions/gate/call-digest.ts';
import { decideCall } from '../../../src/permissions/gate/gate.ts';
import { patternProblem } from '../../../src/permissions/patterns/compile-pattern.ts';
import type { Policy, PolicyCall } from '../../../src/permissions/policy/policy.ts';
import { spellOutInvisible } from '../../../src/untrusted-text/invisible.ts';
import { bashCall as bash, decided, pathCall, policy } from '../gate-fixtures.ts';

const granted = (...permissions: Rule[]): Grant => ({
  hash: '0123456789abcdef',
  permissions,
  reason: 'It is needed.',
  by: 'bob',
  head_sha: 'abc',
});
const edit = (path: string) => pathCall('edit_file', 'write', path);
const allow = (tool: string, matches?: Rule['matches']): Rule => ({
  tool,
  ...(matches === undefined ? {} : { matches }),
  action: 'allow',
});

describe('a grant', () => {
  const npm = { grants: [granted(allow('bash', { command: 'npm *' }))] };
  const strict = { preset: 'strict' } as const;

  it('lifts the question about the parts it covers and no other question', () => {
    const words = ['npm test', 'npm test && make', 'npm test; npm run build', 'echo "$(npm test'];
    const actions = words.map((command) => actionOf(bash(command), { ...strict, ...npm }));
    expect(actions).toEqual(['allow', 'ask', 'allow', 'reject']);
  });

  it('also applies to child runs', () => {
    const child = bash('npm test', { context: 'child' });
    expect(actionOf(child, { ...strict, ...npm })).toBe('allow');
  });

  it('names the person who granted it', () => {
    expect(decideCall(bash('npm test'), policy({ ...strict, ...npm }))).toMatchObject({
      action: 'allow',
      reason: '`npm test` was granted by bob for this session (0123456789abcdef).',
    });
  });

  it('never lifts a refusal by a rule, the preset, a ceiling or a hard deny', () => {
    const everything = { grants: [granted(allow('bash'), allow('edit_file'))] };
    const reject: Rule = { tool: 'bash', matches: { command: 'npm publish*' }, action: 'reject' };
    expect([
      actionOf(bash('npm publish'), { ...strict, ...everything, rules: [reject] }),
      actionOf(bash('rm -rf src'), { preset: 'careful', ...everything }),
      actionOf(bash('make'), { ...strict, ...everything, readOnly: true }),
      actionOf(bash('make'), { ...strict, ...everything, commandCeiling: 'there is no sandbox' }),
      actionOf(edit('.git/config'), { ...strict, ...everything }),
      actionOf(edit('../outside'), { ...strict, ...everything }),
    ]).toEqual(['reject', 'reject', 'reject', 'reject', 'reject', 'reject']);
  });

  it('applies only to the tool it names, which cannot be a pattern', () => {
    const forEdits = { ...strict, grants: [granted(allow('edit_file'))] };
    const pattern = { ...strict, grants: [granted(allow('*'), allow('/./'))] };
    expect([
      actionOf(edit('a.txt'), forEdits),
      actionOf(bash('make'), forEdits),
      actionOf(edit('a.txt'), pattern),
      actionOf(edit('a.txt'), { ...strict, grants: [granted({ tool: 'edit_file', action: 'ask' })] }),
    ]).toEqual(['allow', 'ask', 'ask', 'ask']);
  });

  it('does not replace a program that decides on each call', () => {
    const rules: Rule[] = [{ tool: 'bash', action: 'delegate', to: 'judge' }];
    expect(decideCall(bash('npm test'), policy({ ...npm, rules }))).toMatchObject({
      delegate: [{ to: 'judge' }],
    });
  });
});

describe('the digest of a call', () => {
  const call = {
    tool: 'bash',
    input: { command: 'make', cwd: 'a' },
    targets: { what: 'make', commands: ['make'] },
    diff: undefined,
  };

  it('does not depend on the order of arguments or on the description', () => {
    const other = {
      ...call,
      input: { cwd: 'a', command: 'make' },
      targets: { commands: ['make'], what: 'to make' },
    };
    expect(callDigest(other)).toBe(callDigest(call));
    expect(callDigest(call)).toMatch(/^[0-9a-f]{64}$/);
    expect(shortHash(callDigest(call))).toBe(callDigest(call).slice(0, 16));
  });

  it('changes with every difference', () => {
    const others = [
      { ...call, tool: 'shell_session' },
      { ...call, input: { command: 'make', cwd: 'b' } },
      { ...call, targets: { ...call.targets, commands: ['make', 'make'] } },
      { ...call, targets: { ...call.targets, paths: [{ path: 'a', access: 'read' as const }] } },
      { ...call, targets: { ...call.targets, urls: ['https://example.com'] } },
      { ...call, diff: '' },
      { ...call, diff: '+a' },
    ];
    expect(new Set([call, ...others].map(callDigest)).size).toBe(8);
  });
});

it('a text shown for approval makes invisible characters visible', () => {
  expect(spellOutInvisible('echo a\u202e b\r\n\tc\u200b\u{E0041} é 日本')).toBe(
    'echo a<U+202E> b<U+000D>\n\tc<U+200B><U+E0041> é 日本',
  );
});

it('an invalid pattern is reported at any depth', () => {
  expect([{ command: 'npm *' }, { command: ['/ok/', { deep: '/(/' }] }, null, 3].map(patternProblem)).toEqual(
    [null, expect.stringContaining('/(/ is no regular expression: '), null, null],
  );
});

function actionOf(call: PolicyCall, rest: Partial<Policy>): string {
  return decided(call, rest).action;
}
