import { describe, expect, it } from 'vitest';
import type { Level } from '../../../src/contract/levels.ts';
import { decide, decideCall } from '../../../src/permissions/gate/gate.ts';
import type { Policy, PolicyCall } from '../../../src/permissions/policy/policy.ts';
import { bashCall, decided, pathCall, policy } from '../gate-fixtures.ts';

const call = (level: Level, change: Partial<PolicyCall> = {}): PolicyCall => ({
  tool: 'some_tool',
  level,
  input: {},
  targets: { what: 'something' },
  context: 'main',
  ownState: false,
  ...change,
});

describe('a decision', () => {
  it('explains the effect of a destructive command, the preset that refuses it, and the alternative', () => {
    expect(decided(bashCall('ls && rm -rf build'))).toEqual({
      action: 'reject',
      level: 'confirm_execute',
      reason: '`rm -rf build` deletes folders without asking; the preset careful refuses that.',
      advice:
        'Delete the files by their names, without `-f`: the run stores their content, except for files that git ignores.',
      rule: null,
      hard: false,
      commands: [
        { command: 'ls', action: 'allow', reason: '`ls` only reads; the preset careful allows that.' },
        {
          command: 'rm -rf build',
          action: 'reject',
          reason: '`rm -rf build` deletes folders without asking; the preset careful refuses that.',
        },
      ],
    });
  });
});

describe('a script that cannot be read', () => {
  const open = 'echo a\nif [ 1 = 1 ]; then echo b\n';
  const reported = "Syntax error in line 2: expected 'fi' to close 'if'. Nothing was run.";
  const advice = 'Correct the command, or write it more plainly, and call again.';
  const rejected = { action: 'reject', rule: null, mistake: true, advice };
  const asks = { tool: 'bash', matches: { command: 'npm publish' }, action: 'ask' as const };

  it.each<[string, Partial<Policy>]>([
    ['careful', {}],
    ['careful without a sandbox', { sandboxed: false }],
    ['strict', { preset: 'strict' }],
    ['unrestricted with a rule that holds commands back', { preset: 'unrestricted', rules: [asks] }],
    ['unrestricted in a run that only reads', { preset: 'unrestricted', readOnly: true }],
    ['a rule that asks about everything', { rules: [{ tool: '*', action: 'ask' }] }],
    ['a rule that allows everything', { rules: [{ tool: '*', action: 'allow' }] }],
  ])('is not run and is reported as a mistake to correct: %s', (_, change) => {
    expect(decided(bashCall(open), change)).toMatchObject({ ...rejected, reason: reported });
  });
  it('is passed to bash if no rule needs to understand it', () => {
    const decision = decided(bashCall(open), { preset: 'unrestricted' });
    expect([decision.action, decision.mistake]).toEqual(['allow', undefined]);
  });
  it('gets another message than valid syntax that the parser does not know', () => {
    expect(decided(bashCall('shopt -s extglob; ls !(a|b)'))).toMatchObject({
      ...rejected,
      reason:
        'Nothing was run: the commands that this would run are unknown beforehand (`!(a|b)` is an extended pattern, which bash reads only where it is switched on).',
      advice: 'Write it differently and call again.',
    });
  });
  it('is reported without a line number if the model did not write these lines', () => {
    for (const one of [bashCall('echo $(if true; then x)'), bashCall(open, { input: { input: 'if' } })])
      expect(decided(one)).toMatchObject({ ...rejected, reason: reported.replace(' in line 2', '') });
  });

  it('is still refused by the rule that rejects it', () => {
    const rules = [{ tool: 'bash', matches: { command: 'echo *' }, action: 'reject' as const }];
    const { action, rule, mistake } = decided(bashCall(open), { rules });
    expect([action, rule, mistake]).toEqual(['reject', 'rule 1 (bash, command "echo *")', undefined]);
  });

  it('is sent to no hook, because nothing will run', async () => {
    const ask = () => Promise.reject(new Error('was asked'));
    const hooks = [{ tool: '*', run: './hook' }];
    expect(await decide(bashCall(open), policy(), ask, hooks)).toMatchObject({
      ...rejected,
      reason: reported,
    });
  });
});

describe('commands with a start folder outside the workspace', () => {
  const start = (cwd: string, command = 'ls') =>
    bashCall(command, {
      input: { command, cwd },
      targets: { what: command, commands: [command], paths: [{ path: cwd, access: 'read' }] },
    });

  it.each<[string, Partial<Policy>]>([
    ['in a sandbox', {}],
    ['where all may be run', { preset: 'unrestricted', sandboxed: false }],
  ])('get the advice to use cd %s, which is no refusal', (_, change) => {
    expect(decided(start('/tmp'), change)).toMatchObject({
      action: 'reject',
      mistake: true,
      reason: '`/tmp` is outside the workspace, where commands must start. Nothing was run.',
      advice: 'Leave the folder out and go there by `cd` in the command.',
    });
  });

  it.each<[string, string, Partial<Policy>, string?]>([
    ['that nothing else holds', '/tmp', { sandboxed: false }],
    ['of a run that only reads', '/tmp', { sandboxed: false, preset: 'unrestricted', readOnly: true }],
    ['held back otherwise', '/tmp', { sandboxed: false, preset: 'unrestricted', commandCeiling: 'keys' }],
    ['beside credentials', '/root/.ssh', {}],
    ['whose command is refused wherever it starts', '/tmp', {}, 'cat /root/.ssh/id_rsa'],
  ])('are refused %s', (_, cwd, change, command?: string) => {
    const { action, hard, mistake } = decided(start(cwd, command), change);
    expect([action, hard, mistake]).toEqual(['reject', true, undefined]);
  });

  it('start in a folder below it as usual', () => {
    expect(decided(start('src')).action).toBe('allow');
  });
});

describe('hard denies', () => {
  const everything = { preset: 'unrestricted' as const, rules: [{ tool: '*', action: 'allow' as const }] };
  it.each([
    ['a path outside the workspace', pathCall('read', 'read', '../secret')],
    ['an absolute path elsewhere', pathCall('read', 'read', '/etc/passwd')],
    ['a credential file', pathCall('read', 'read', '.git-credentials')],
    ['the configuration of git', pathCall('read', 'read', '.git/config')],
    ['a protected path', pathCall('edit_file', 'write', 'src/a.ts', '.github/workflows/ci.yml')],
    ['a redirection to a protected path', bashCall('echo x > .github/workflows/ci.yml')],
    ['a redirection after moving there', bashCall('cd .github && echo x >> workflows/ci.yml')],
    [
      'a redirection that is protected if the move fails',
      bashCall('cd nowhere; echo x > .github/workflows/ci.yml'),
    ],
    ['a write by a program', bashCall('cp evil .husky/pre-commit')],
    ['an edit in place', bashCall("sed -i s/a/b/ 'AGENTS.md'")],
    ['a credential as an argument', bashCall('cat ~/.netrc')],
    [
      'a protected path from a folder below',
      bashCall('echo x > ../.mcp.json', { input: { command: '', cwd: 'src' } }),
    ],
  ])('take precedence over every rule and preset: %s', (_, one) => {
    expect(decided(one, everything)).toMatchObject({ action: 'reject', hard: true, rule: null });
  });

  it('do not apply to a protected path that the configuration lifts', () => {
    const one = pathCall('edit_file', 'write', '.github/workflows/ci.yml');
    expect(decided(one, { protectedAllow: ['.github/workflows/*.yml'] }).action).toBe('allow');
  });

  it('do not apply to reading protected paths', () => {
    expect(decided(pathCall('read', 'read', '.github/workflows/ci.yml')).action).toBe('allow');
  });

  it('reject a redirection out of the workspace only without a sandbox', () => {
    const actions = [true, false].map(
      (sandboxed) => decided(bashCall('echo x > ../y'), { sandboxed }).action,
    );
    expect(actions).toEqual(['allow', 'reject']);
  });
});

describe('a command outside a sandbox', () => {
  it.each([
    'cat /etc/passwd',
    'cat ../x',
    'cat ~/x',
    'cat "$HOME/x"',
    'cd .. && cat x',
    'cd /etc; cat passwd',
  ])('does not count as harmless if it reads outside the workspace: %s', (command) => {
    const by = [true, false].map((sandboxed) => decided(bashCall(command), { sandboxed }).action);
    expect(by).toEqual(['allow', 'ask']);
  });

  it('is evaluated by the real targets of its paths', () => {
    const relativePath = (path: string) => (path === 'src/link' ? null : path);
    expect(decided(bashCall('cd src && cat link'), { sandboxed: false, relativePath }).action).toBe('ask');
  });
});

describe('rules', () => {
  it('apply in order, and the first match decides', () => {
    const rules = [
      { tool: 'bash', matches: { command: 'npm test *' }, action: 'allow' as const },
      { tool: 'bash', matches: { command: 'npm *' }, action: 'reject' as const },
    ];
    const of = (command: string) => decided(bashCall(command), { preset: 'strict', rules });
    expect(
      [of('npm test'), of('npm test -- a b/c'), of('npm testx'), of('npm i'), of('ls')].map((one) => [
        one.action,
        one.rule,
      ]),
    ).toEqual([
      ['allow', 'rule 1 (bash, command "npm test *")'],
      ['allow', 'rule 1 (bash, command "npm test *")'],
      ['reject', 'rule 2 (bash, command "npm *")'],
      ['reject', 'rule 2 (bash, command "npm *")'],
      ['ask', null],
    ]);
  });

  it('apply to every simple command of a script, and the strictest result wins', () => {
    const rules = [
      { tool: 'bash', matches: { command: 'git *' }, action: 'allow' as const },
      { tool: 'bash', matches: { command: '/^curl\\b/' }, action: 'reject' as const },
    ];
    const one = decided(bashCall('git log | head; echo "$(curl x)"'), { rules });
    expect([one.action, one.rule]).toEqual(['reject', 'rule 2 (bash, command "/^curl\\\\b/")']);
  });

  it.each([
    'X=1 npm test',
    './npm test',
    '/evil/npm test',
    'sudo npm test',
    '"npm test"',
    'npm"$x" test',
    'npm test > out',
    '$(echo npm) test',
    'npm test; $x',
  ])('do not extend an allowance to %s', (command) => {
    const rules = [{ tool: 'bash', matches: { command: 'npm test *' }, action: 'allow' as const }];
    expect(decided(bashCall(command), { preset: 'strict', rules }).action).toBe('ask');
  });

  it.each([
    'X=1 rm a',
    '/bin/rm a',
    '\\rm a',
    "'rm' a",
    'timeout 5 rm a',
    'env -u X rm a',
    'sh -c "rm a"',
    'eval rm a',
    'find . -exec rm {} +',
    'ls | xargs -n1 rm',
    'nohup nice -n 5 rm a',
    'f() { rm a; }; f',
    'bash <<E\nrm a\nE',
    'trap "rm a" EXIT',
    'echo <(rm a)',
    'if true; then rm a; fi',
    'command rm a',
    'exec rm a',
    'alias x="rm a"',
  ])('extend a refusal to %s', (command) => {
    const rules = [{ tool: 'bash', matches: { command: 'rm *' }, action: 'reject' as const }];
    expect(decided(bashCall(command), { preset: 'unrestricted', rules }).action).toBe('reject');
  });

  it('require approval of a computed command as soon as one rule restricts commands', () => {
    const rules = [{ tool: 'bash', matches: { command: 'rm *' }, action: 'reject' as const }];
    const of = (command: string) => [
      decided(bashCall(command), { preset: 'unrestricted', rules }).action,
      decided(bashCall(command), { preset: 'unrestricted' }).action,
    ];
    expect(['$x -rf .', 'bash -c "$x"', 'echo rm | sh'].map(of)).toEqual(Array(3).fill(['ask', 'allow']));
  });

  it('match each path by its real location', () => {
    const rules = [
      { tool: '*_file', matches: { path: 'src/gen/*' }, action: 'reject' as const },
      { tool: 'edit_file', matches: { path: ['src/*', 'docs/*'] }, action: 'allow' as const },
    ];
    const of = (...paths: string[]) =>
      decided(pathCall('edit_file', 'write', ...paths), { preset: 'strict', rules }).action;
    expect([of('./src/x/../a.ts'), of('src/a.ts', 'src/gen/b.ts'), of('src/a.ts', 'lib/b.ts')]).toEqual([
      'allow',
      'reject',
      'ask',
    ]);
  });

  it('match other arguments literally, also nested and in arrays', () => {
    const rules = [
      { tool: 'mcp__*', matches: { options: { force: true }, tags: ['a', 'b*'] }, action: 'reject' as const },
    ];
    const of = (input: PolicyCall['input']) =>
      decided(call('external_read', { tool: 'mcp__x', input }), { rules }).action;
    expect([
      of({ options: { force: true }, tags: ['bee'] }),
      of({ options: { force: false }, tags: ['a'] }),
      of({ tags: ['a'] }),
    ]).toEqual(['reject', 'allow', 'allow']);
  });

  it('apply to main runs or child runs if they name a context', () => {
    const rules = (['main', 'child', 'child_run'] as const).map((context) => ({
      tool: 'bash',
      context,
      action: 'reject' as const,
    }));
    const of = (context: 'main' | 'child') => decided(bashCall('ls', { context }), { rules }).rule;
    expect([of('main'), of('child')]).toEqual(['rule 1 (bash)', 'rule 2 (bash)']);
  });

  it('match the diff that a call would make', () => {
    const rules = [{ tool: 'edit_file', matches: { diff: '/^\\+.*eval\\(/m' }, action: 'reject' as const }];
    const one = { ...pathCall('edit_file', 'write', 'a.js'), diff: '--- a\n+++ b\n+eval(x)\n' };
    expect(decided(one, { rules }).action).toBe('reject');
  });
});

describe('a program that a rule delegates to', () => {
  const rules = [
    { tool: 'bash', matches: { command: 'deploy *' }, action: 'delegate' as const, to: 'ask-me' },
  ];

  it("decides once on each part assigned to it and receives the call's arguments", async () => {
    const asked: unknown[] = [];
    const decision = await decide(
      bashCall('ls; deploy a && deploy b; deploy a'),
      policy({ rules }),
      async (request) => {
        asked.push({ ...request, call: request.call.input });
        return { exitCode: 0, stderr: '', problem: null };
      },
    );
    expect({ action: decision.action, rule: decision.rule, asked }).toEqual({
      action: 'allow',
      rule: 'rule 1 (bash, command "deploy *")',
      asked: ['deploy a', 'deploy b'].map((part) => ({
        program: { run: 'ask-me', by: 'rule 1 (bash, command "deploy *")', delegate: true },
        call: { command: 'ls; deploy a && deploy b; deploy a' },
        part,
      })),
    });
  });

  it('is named with the part that it rejects and gets no further parts', async () => {
    const requested: unknown[] = [];
    const script = 'npm test && deploy a && deploy b';
    const decision = await decide(bashCall(script), policy({ rules }), async ({ part }) => {
      requested.push(part);
      return { exitCode: 2, stderr: 'not on Fridays\n', problem: null };
    });
    expect([decision.reason, requested]).toEqual([
      '`deploy a` is rejected, says `ask-me` for rule 1 (bash, command "deploy *"): not on Fridays',
      ['deploy a'],
    ]);
  });

  it('receives no more parts of a script than a person would read', async () => {
    const script = Array.from({ length: 21 }, (_, index) => `deploy ${index}`).join('; ');
    const decision = await decide(bashCall(script), policy({ rules }), async () => {
      throw new Error('it was asked');
    });
    expect([decision.action, decision.reason, decision.advice]).toEqual([
      'reject',
      'More than 20 commands of this script are for `ask-me` to decide, by rule 1 (bash, command "deploy *").',
      'Do fewer in one call.',
    ]);
  });

  it.each([
    [0, 'allow'],
    [1, 'ask'],
    [2, 'reject'],
    [127, 'reject'],
    [null, 'reject'],
  ])('decides with exit %s: %s', async (exitCode, action) => {
    const decision = await decide(bashCall('deploy'), policy({ rules }), async () => ({
      exitCode,
      stderr: 'not on Fridays\n',
      problem: null,
    }));
    expect([decision.action, decision.reason.endsWith('not on Fridays')]).toEqual([action, true]);
  });

  it('cannot allow a call of which another part is refused', () => {
    expect(decideCall(bashCall('deploy; rm -rf /'), policy({ rules }))).toMatchObject({ action: 'reject' });
  });
});

describe('the read-only ceiling', () => {
  it('permits only commands that are proven to read, whatever the rules say', () => {
    const change = {
      preset: 'unrestricted' as const,
      readOnly: true,
      rules: [{ tool: 'bash', action: 'allow' as const }],
    };
    const of = (command: string) => decided(bashCall(command), change).action;
    expect(['git log', 'cat a | head', 'npm test', 'echo x > a', 'ls; touch a'].map(of)).toEqual([
      'allow',
      'allow',
      'reject',
      'reject',
      'reject',
    ]);
  });

  it('does not apply to edits by tools, which are only proposals', () => {
    expect(decided(pathCall('edit_file', 'write', 'src/a.ts'), { readOnly: true }).action).toBe('allow');
  });
});
