import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../src/contract/decision.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import type { AskProgram } from '../../../src/permissions/gate/ask-programs.ts';
import {
  type ChangingCall,
  evaluateChanges,
  type SeenChange,
} from '../../../src/permissions/gate/evaluate-changes.ts';
import type { Policy } from '../../../src/permissions/policy/policy.ts';
import { policy } from '../gate-fixtures.ts';

const seen = (path: string, kind: SeenChange['kind'] = 'modify'): SeenChange => ({
  path,
  kind,
  diff: '+x\n',
});
const nobody: AskProgram = async () => {
  throw new Error('nobody was to be asked');
};

/** The paths that are held, each with its short reason. */
async function held(
  changes: readonly SeenChange[],
  change: Partial<Policy> = {},
  by: Partial<ChangingCall> = {},
  ask = nobody,
) {
  const call = { tool: 'bash', input: { command: 'make' }, context: 'main' as const, approved: false, ...by };
  const found = await evaluateChanges(changes, call, policy(change), ask);
  return found.map(({ path, short }) => `${path} (${short})`);
}

const rule = (tool: string, path: string, action: Rule['action'], more: Partial<Rule> = {}): Rule => ({
  tool,
  matches: { path },
  action,
  ...more,
});

describe('a change made by a command', () => {
  it('is reverted on a protected path under every preset, unless the configuration lifts the path', async () => {
    const changes = ['src/a.ts', 'AGENTS.md', '.github/workflows/ci.yml', 'home/.netrc'].map((path) =>
      seen(path),
    );
    const expected = [
      'AGENTS.md (protected)',
      '.github/workflows/ci.yml (protected)',
      'home/.netrc (credentials)',
    ];
    for (const preset of ['strict', 'careful', 'unrestricted'] as const)
      expect(await held(changes, { preset })).toEqual(expected);
    expect(await held(changes, { protectedAllow: ['AGENTS.md'] }, { approved: true })).toEqual(
      expected.slice(1),
    );
  });

  it.each([
    ['edit_file', 'modify', 'reject', ['History.md (rule 2)']],
    ['create_file', 'add', 'reject', ['History.md (rule 2)']],
    ['create_file', 'modify', 'reject', []],
    ['*', 'delete', 'reject', ['History.md (rule 2)']],
    ['bash', 'modify', 'reject', ['History.md (rule 2)']],
    ['read', 'modify', 'reject', []],
    ['apply_patch', 'delete', 'ask', ['History.md (rule 2)']],
    ['edit_file', 'modify', 'allow', []],
  ] as const)('is judged as an edit: a rule on %s and %s to %s', async (tool, kind, action, expected) => {
    const rules = [rule('bash', 'src/**', 'allow'), rule(tool, 'History.md', action)];
    expect(await held([seen('src/a.ts'), seen('History.md', kind)], { rules })).toEqual(expected);
  });

  it('is evaluated by rules on bash, whichever tool ran the command', async () => {
    const rules = [rule('bash', 'History.md', 'reject')];
    expect(await held([seen('History.md')], { rules }, { tool: 'exec_command' })).toEqual([
      'History.md (rule 1)',
    ]);
  });

  it('is not affected by rules without a path: they concern the call', async () => {
    const rules: Rule[] = [
      { tool: 'edit_file', action: 'reject' },
      { tool: 'bash', matches: { command: 'make' }, action: 'ask' },
    ];
    expect(await held([seen('a.ts')], { rules, preset: 'strict' })).toEqual([]);
  });

  it('is accepted if the first matching rule of every editing tool allows it', async () => {
    const rules = [rule('*', 'src/**', 'allow'), rule('*', '**', 'reject')];
    expect(await held([seen('src/a.ts'), seen('b.ts')], { rules })).toEqual(['b.ts (rule 2)']);
  });

  it('needs no second approval after a person or a grant approved it', async () => {
    const rules = [rule('edit_file', 'History.md', 'ask'), rule('edit_file', 'never.md', 'reject')];
    const changes = [seen('History.md'), seen('never.md')];
    const grants: Grant[] = [
      {
        ...{ hash: 'h', reason: '', by: 'ada', head_sha: null },
        permissions: [{ tool: 'edit_file', action: 'allow' }],
      },
    ];
    const all = ['History.md (rule 1)', 'never.md (rule 2)'];
    expect([
      await held(changes, { rules }),
      await held(changes, { rules }, { approved: true }),
      await held(changes, { rules, grants }),
    ]).toEqual([all, all.slice(1), all.slice(1)]);
  });

  it('goes to each delegate with its own diff, for at most fifty files', async () => {
    const rules = [rule('edit_file', '*.md', 'delegate', { to: 'judge' })];
    const requested: unknown[] = [];
    const ask: AskProgram = async ({ program, call }) => {
      requested.push([program.run, call.input, call.diff]);
      return { exitCode: call.input.path === 'b.md' ? 2 : 0, stderr: '', problem: null };
    };
    expect(await held([seen('a.md'), seen('b.md')], { rules }, {}, ask)).toEqual(['b.md (rule 1)']);
    expect(requested).toEqual([
      ['judge', { path: 'a.md' }, '+x\n'],
      ['judge', { path: 'b.md' }, '+x\n'],
    ]);
    const many = Array.from({ length: 51 }, (_, index) => seen(`${index}.md`));
    expect(await held(many, { rules }, {}, ask)).toEqual(['50.md (rule 1)']);
  });

  it('is evaluated for the run that made it', async () => {
    const rules = [rule('edit_file', 'a.ts', 'reject', { context: 'child' })];
    expect([
      await held([seen('a.ts')], { rules }),
      await held([seen('a.ts')], { rules }, { context: 'child' }),
    ]).toEqual([[], ['a.ts (rule 1)']]);
  });

  it('is reported with its path, the missing permission and the rule', async () => {
    const rules = [
      rule('edit_file', 'ask.md', 'ask', { name: 'notes' }),
      rule('edit_file', 'no.md', 'reject'),
      rule('edit_file', 'judge.md', 'delegate', { to: 'judge' }),
      rule('edit_file', 'nobody.md', 'delegate'),
    ];
    const paths = ['AGENTS.md', 'home/.netrc', 'ask.md', 'no.md', 'judge.md', 'nobody.md', 'free.md'];
    const call = { tool: 'bash', input: {}, context: 'main' as const, approved: false };
    const ask: AskProgram = async () => ({ exitCode: 1, stderr: 'why', problem: null });
    const found = await evaluateChanges(
      paths.map((path) => seen(path)),
      call,
      policy({ rules }),
      ask,
    );
    expect(found).toEqual([
      {
        path: 'AGENTS.md',
        reason: expect.stringMatching(/^`AGENTS\.md` is protected, because .+\.$/),
        short: 'protected',
      },
      {
        path: 'home/.netrc',
        reason: '`home/.netrc` may not be written: credentials are kept there.',
        short: 'credentials',
      },
      {
        path: 'ask.md',
        reason: 'A change of `ask.md` needs the agreement of a person by rule 1 (notes).',
        short: 'rule 1',
      },
      {
        path: 'no.md',
        reason: 'A change of `no.md` is rejected by rule 2 (edit_file, path "no.md").',
        short: 'rule 2',
      },
      {
        path: 'judge.md',
        reason:
          'A change of `judge.md` needs the agreement of a person by rule 3 (edit_file, path "judge.md"). `judge.md` needs the agreement of a person, says `judge` for rule 3 (edit_file, path "judge.md"): why',
        short: 'rule 3',
      },
      {
        path: 'nobody.md',
        reason:
          'A change of `nobody.md` is rejected by rule 4 (edit_file, path "nobody.md"). It names no program to ask.',
        short: 'rule 4',
      },
    ]);
  });

  it('is evaluated as the strictest edit that could have made it', async () => {
    const rules = [rule('bash', 'a.md', 'ask'), rule('apply_patch', 'a.md', 'reject')];
    expect([
      await held([seen('a.md')], { rules }),
      await held([seen('a.md')], { rules }, { approved: true }),
      await held([seen('a.md')], { rules: rules.slice(0, 1) }),
      await held([seen('a.md')], {
        rules: [rule('edit_file', 'a.md', 'ask'), rule('apply_patch', 'a.md', 'ask')],
      }),
    ]).toEqual([['a.md (rule 2)'], ['a.md (rule 2)'], ['a.md (rule 1)'], ['a.md (rule 2)']]);
  });

  it('is sent to a program as the command and as single edits, at most fifty times', async () => {
    const rules = [rule('*', '*.md', 'delegate', { to: 'judge' })];
    const requests: unknown[] = [];
    const ask: AskProgram = async ({ program, call, part }) => {
      const { tool, level, input, targets, context, ownState } = call;
      requests.push({ program, tool, level, input, targets, context, ownState, part, diff: call.diff });
      return { exitCode: 0, stderr: '', problem: null };
    };
    const change = { path: 'a.md', kind: 'add' as const, diff: '' };
    expect(await held([change], { rules }, { tool: 'exec_command', input: { cmd: 'make' } }, ask)).toEqual(
      [],
    );
    const targets = { what: 'a.md', paths: [{ path: 'a.md', access: 'write' }] };
    const one = {
      program: { run: 'judge', by: 'rule 1 (*, path "*.md")', delegate: true },
      ...{ level: 'confirm_write', input: { path: 'a.md' }, targets, context: 'main', ownState: false },
      ...{ part: undefined, diff: undefined },
    };
    expect(requests).toEqual([
      {
        ...one,
        tool: 'exec_command',
        input: { cmd: 'make', path: 'a.md' },
        targets: { ...targets, commands: [] },
      },
      { ...one, tool: 'bash' },
      { ...one, tool: 'create_file' },
      { ...one, tool: 'apply_patch' },
    ]);
    requests.length = 0;
    const edits = [rule('edit_file', '*.md', 'delegate', { to: 'judge' })];
    const many = Array.from({ length: 52 }, (_, index) => seen(`${index}.md`));
    const call = { tool: 'bash', input: {}, context: 'main' as const, approved: true };
    const found = await evaluateChanges(many, call, policy({ rules: edits }), ask);
    expect([
      requests.length,
      found.map(({ path, reason }) => [path, reason.slice(reason.indexOf('Its'))]),
    ]).toEqual([
      50,
      ['50.md', '51.md'].map((path) => [path, 'Its program is not asked about more than 50 files at once.']),
    ]);
  });
});
