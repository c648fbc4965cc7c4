import { readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { policyCommand } from '../../src/command-line/policy-command.ts';
import { ConfigError } from '../../src/contract/errors.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let folder: string;
const files = {
  'a.txt': 'red\n',
  'rules.json': JSON.stringify([
    { tool: 'bash', matches: { command: 'npm test *' }, action: 'allow' },
    { name: 'publishing', tool: 'bash', matches: { command: 'npm *' }, action: 'reject' },
    { tool: 'edit_file', matches: { diff: '/^\\+.*green/m' }, action: 'reject' },
    { tool: '*_patch', matches: { path: 'gen/*' }, action: 'ask' },
    { tool: 'read', context: 'child', action: 'reject' },
  ]),
  'config.yml': [
    'tools: { disabled: [dice.*] }',
    'permissions:',
    '  preset: strict',
    '  rules:',
    '    - { tool: grep, action: reject }',
    '    - { name: late, tool: grep, matches: { path: src/* }, action: ask }',
    '    - { tool: Bash, action: reject }',
  ].join('\n'),
};
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout(files);
  const program = '#!/bin/sh\ncat >&2\necho " $AGENT_TOOL_NAME" >&2\nexit 2\n';
  await writeFile(path.join(folder, '..', 'judge'), program, { mode: 0o755 });
});
afterAll(() => local.close());

const policy = (...args: string[]) => local.anode(folder, ['policy', ...args]);
const check = async (tool: string, input: object, ...args: string[]) => {
  const { code, stdout, stderr } = await policy(
    ...['check', '--tool', tool, '--json', JSON.stringify(input), '--output', 'json'],
    ...args,
  );
  return { code, stderr, ...(JSON.parse(stdout) as { action: string; rule: string | null; reason: string }) };
};

/** The same within this process, for tables of calls; `--policy` is a path of the checkout. */
const direct = async (...args: string[]) => {
  const said = { stdout: '', stderr: '' };
  const context = {
    environment: { HOME: local.home, PATH: process.env.PATH },
    write: (text: string) => {
      said.stdout += text;
    },
    writeError: (text: string) => {
      said.stderr += text;
    },
    signal: new AbortController().signal,
  };
  try {
    return { code: await policyCommand(args, context), ...said };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { code: 2, stdout: said.stdout, stderr: error.message };
  }
};

describe('policy check', () => {
  test('prints the verdict on every simple command, and the strictest for all', async () => {
    const { code, stdout } = await policy(
      ...['check', '--tool', 'bash', '--json', '{"command":"npm test && npm publish"}'],
      ...['--policy', 'rules.json', '--output', 'json'],
    );
    const rule = 'rule 2 (publishing), rules.json';
    expect({ code, verdict: JSON.parse(stdout) }).toEqual({
      code: 0,
      verdict: {
        action: 'reject',
        rule,
        reason: `\`npm publish\` is rejected by ${rule}.`,
        commands: [
          {
            command: 'npm test',
            action: 'allow',
            reason: '`npm test` is allowed by rule 1 (bash, command "npm test *"), rules.json.',
          },
          { command: 'npm publish', action: 'reject', reason: `\`npm publish\` is rejected by ${rule}.` },
        ],
      },
    });
  });

  test('prints the same as text, with exit code 0', async () => {
    expect(
      await policy('check', '--tool', 'shell', '--json', '{"cmd":"npm publish"}', '--policy', 'rules.json'),
    ).toEqual({
      code: 0,
      stdout: [
        'reject',
        '  by rule 2 (publishing), rules.json',
        '  `npm publish` is rejected by rule 2 (publishing), rules.json.',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test.each([
    ['a command that is not known', 'bash', { command: 'make' }, [], 'ask'],
    ['the same in a sandbox', 'bash', { command: 'make' }, ['--sandbox', 'on'], 'allow'],
    ['the same by another preset', 'bash', { command: 'make' }, ['--preset', 'yolo'], 'allow'],
    [
      'the same under the ceiling',
      'bash',
      { command: 'make' },
      ['--preset', 'yolo', '--read-only'],
      'reject',
    ],
    ['what only reads', 'bash', { command: 'git log' }, ['--read-only'], 'allow'],
    ['a path out of the workspace', 'read', { path: '../secret' }, ['--preset', 'yolo'], 'reject'],
    [
      'a protected path',
      'create_file',
      { path: '.github/workflows/x.yml', content: '' },
      ['--preset', 'yolo'],
      'reject',
    ],
    ['the main run', 'read', { path: 'a.txt' }, [], 'allow'],
    ['a child run', 'read', { path: 'a.txt' }, ['--context', 'child'], 'reject'],
    [
      'a diff that a rule refuses',
      'edit_file',
      { path: 'a.txt', old_string: 'red', new_string: 'green' },
      [],
      'reject',
    ],
    [
      'a diff that none does',
      'edit_file',
      { path: 'a.txt', old_string: 'red', new_string: 'blue' },
      [],
      'allow',
    ],
    [
      'the paths of a patch',
      'apply_patch',
      { patch: '*** Begin Patch\n*** Add File: gen/x\n+1\n*** End Patch' },
      [],
      'ask',
    ],
    [
      'a patch given to the shell',
      'bash',
      { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: gen/x\n+1\n*** End Patch\nEOF" },
      [],
      'ask',
    ],
    ['a call through use_tool', 'use_tool', { name: 'read', args: { path: '../x' } }, [], 'reject'],
  ])('decides as a run would: %s', async (_, tool, input, args, action) => {
    const { code, stdout } = await direct(
      ...['check', '--tool', tool, '--json', JSON.stringify(input), '--output', 'json'],
      ...['--cwd', folder, '--policy', path.join(folder, 'rules.json'), ...args],
    );
    expect({ code, action: JSON.parse(stdout).action }).toEqual({ code: 0, action });
  });

  test('applies the rules to a call that would fail here, and changes nothing', async () => {
    const patch = '*** Begin Patch\n*** Update File: gen/none\n@@\n-a\n+b\n*** End Patch';
    const verdict = await check('apply_patch', { patch }, '--policy', 'rules.json');
    expect({ action: verdict.action, rule: verdict.rule, reason: verdict.reason }).toEqual({
      action: 'ask',
      rule: 'rule 4 (*_patch, path "gen/*"), rules.json',
      reason: expect.stringMatching(/ In this checkout the call would fail first: .*gen\/none/),
    });
    expect(await local.git(folder, 'status', '--porcelain')).toBe('');
  });

  test('runs the program that a rule delegates to, with the arguments', async () => {
    const file = path.join(folder, '..', 'delegating.json');
    const program = path.join(folder, '..', 'judge');
    await writeFile(file, JSON.stringify([{ tool: 'bash', action: 'delegate', to: program }]));
    const { action, reason } = await check('bash', { command: 'ls' }, '--policy', file);
    expect({ action, reason }).toEqual({
      action: 'reject',
      reason: expect.stringContaining('"command":"ls"'),
    });
    expect(reason).toContain('} bash');
  });

  test('reports a disabled tool, and warns of rules that decide nothing', async () => {
    const verdict = await check('dice_roll', {}, '--policy', 'config.yml');
    expect(verdict).toMatchObject({
      action: 'reject',
      reason: '`dice.roll` is disabled by tools.disabled: no run can call it.',
    });
    expect(verdict.stderr).toBe(
      [
        '! rule 2 (late), config.yml:6: it can never match, because rule 1 (grep), config.yml:5, comes first and matches all its calls. Move it up, or remove it.',
        '! rule 3 (Bash), config.yml:7: it can never match: rules use the name bash, and Bash is an alias of it. Write bash.',
        '',
      ].join('\n'),
    );
  });

  test('uses the preset of the policy', async () => {
    expect((await check('bash', { command: 'ls' }, '--policy', 'config.yml')).action).toBe('ask');
  });

  test.each([
    [['check'], 'check takes --tool NAME.'],
    [['check', '--tool', 'no_such'], 'There is no tool "no_such"'],
    [['check', '--tool', 'bash', '--json', '[]'], '--json takes one JSON object of arguments.'],
    [['check', '--tool', 'bash', '--json', '{}'], 'Wrong arguments for bash: command:'],
    [['check', '--tool', 'bash', '--sandbox', 'maybe'], '--sandbox takes on, off, not "maybe".'],
    [['check', '--tool', 'bash', '--context', 'uncle'], '--context takes main, child'],
    [['check', '--tool', 'bash', '--policy', 'none.yml'], 'none.yml cannot be read: there is no such file.'],
    [['test'], 'test takes one file of expectations.'],
    [['judge'], 'anode policy: there is no "judge": it takes check, test or explain.'],
    [[], 'anode policy: it takes check, test or explain.'],
  ])('is bad usage as %j', async (args, words) => {
    const { code, stdout, stderr } = await direct(...args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  });

  test('leaves nothing in the temporary folder', async () => {
    const mine = async () => (await readdir(os.tmpdir())).filter((name) => name.startsWith('anode-policy-'));
    const before = await mine();
    await check('read', { path: 'a.txt' });
    expect((await mine()).filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('policy test', () => {
  const table = async (content: unknown) => {
    await writeFile(path.join(folder, '.git', 'expected.json'), JSON.stringify(content, null, 1));
    return path.join('.git', 'expected.json');
  };

  test('passes for the example in the documentation', async () => {
    const file = path.join(import.meta.dirname, '../../docs/examples/policy/expectations.yml');
    expect(await policy('test', file)).toEqual({
      code: 0,
      stdout: '13 expectations, all of them met.\n',
      stderr: '',
    });
  });

  test('prints each failed expectation with the verdict and the reason, and ends with 1', async () => {
    const file = await table({
      policy: '../rules.json',
      sandbox: 'on',
      tests: [
        { tool: 'bash', args: { command: 'npm test' }, expect: 'allow', rule: 1 },
        { name: 'publishing asks', tool: 'bash', args: { command: 'npm publish' }, expect: 'ask' },
        { tool: 'bash', args: { command: 'make' }, expect: 'allow', rule: 'publishing' },
        { tool: 'bash', args: { command: 'make' }, sandbox: false, expect: 'ask', rule: null },
        { tool: 'nothing', expect: 'allow' },
      ],
    });
    const { code, stdout } = await policy('test', file);
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 1,
      lines: [
        '.git/expected.json:13: publishing asks',
        '  expected ask, but it is reject, by rule 2 (publishing), rules.json.',
        '  `npm publish` is rejected by rule 2 (publishing), rules.json.',
        '.git/expected.json:21: bash {"command":"make"}',
        '  expected allow by the rule publishing, but it is without a rule.',
        expect.stringContaining('`make`'),
        '.git/expected.json:38: nothing {}',
        expect.stringContaining('expected allow, but there is no such call: There is no tool "nothing"'),
        '5 expectations, 3 not met.',
        '',
      ],
    });
  });

  test('prints one object for programs', async () => {
    const file = await table([{ tool: 'read', args: { path: '../x' }, expect: 'allow' }]);
    const { code, stdout } = await policy('test', file, '--output', 'json');
    expect({ code, printed: JSON.parse(stdout) }).toEqual({
      code: 1,
      printed: {
        passed: 0,
        failed: 1,
        results: [
          {
            name: 'read {"path":"../x"}',
            place: '.git/expected.json:2',
            ok: false,
            problem: 'expected allow, but it is reject, without a rule.',
            action: 'reject',
            rule: null,
            reason: '`../x` lies outside the workspace.',
          },
        ],
      },
    });
  });

  test.each([
    [
      [{ tool: 'read', expects: 'allow', expect: 'allow' }],
      '.git/expected.json:4:3: 0.expects: Unrecognized key',
    ],
    [
      { tests: [{ tool: 'read', expect: 'maybe' }] },
      '.git/expected.json:5:14: tests.0.expect: Invalid option',
    ],
    [[], 'Too small'],
  ])('refuses an invalid table (%#)', async (content, words) => {
    const { code, stderr } = await policy('test', await table(content));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });
});

describe('policy explain', () => {
  test('prints preset, rules and protection in the order in which they apply', async () => {
    const { code, stdout } = await policy('explain', '--policy', 'config.yml');
    const order = [
      'Preset: strict',
      'Never, whatever else says yes',
      '.github/workflows/**',
      '1  reject  grep  every call',
      '2  ask     grep  path "src/*"',
      'late, config.yml:6',
      'confirm_execute  commands proven to read only',
      'Tools that no run can call: dice.*',
      '! rule 2 (late)',
    ].map((words) => stdout.indexOf(words));
    expect({ code, missing: order.filter((at) => at < 0), sorted: order }).toEqual({
      code: 0,
      missing: [],
      sorted: order.toSorted((a, b) => a - b),
    });
  });

  test('prints one object for programs, with the requested preset', async () => {
    const { stdout } = await policy(
      'explain',
      '--preset',
      'careful',
      '--policy',
      'rules.json',
      '--output',
      'json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      preset: 'careful',
      on_ask: 'deny',
      rules: [
        { number: 1, tool: 'bash', source: 'rules.json' },
        { number: 2, name: 'publishing' },
        {},
        {},
        {},
      ],
      levels: expect.arrayContaining([
        {
          level: 'confirm_execute',
          calls: 'all other commands and programs',
          sandboxed: 'allow',
          unsandboxed: 'ask',
        },
      ]),
      protected: expect.arrayContaining([{ path: '**/.git/**', reason: "it is git's own folder" }]),
      warnings: [],
    });
  });
});

test('a run reports rules that decide nothing, on standard error and in its record', async () => {
  local.learn('look around', () => ({ text: 'done' }));
  const { code, stdout, stderr } = await local.anode(folder, [
    ...['run', '--prompt', 'look around', '--config', 'config.yml', '--output', 'json', '--sandbox', 'off'],
  ]);
  const warning =
    'rule 2 (late), config.yml:6: it can never match, because rule 1 (grep), config.yml:5, comes first and matches all its calls. Move it up, or remove it.';
  expect({
    code,
    conclusion: JSON.parse(stdout).conclusion,
    told: stderr.split('\n').includes(`! ${warning}`),
  }).toEqual({
    code: 0,
    conclusion: 'success',
    told: true,
  });
  const run = (await readdir(path.join(folder, '.anode-harness'))).find((name) => name.startsWith('run_'));
  const outcome = await import(path.join(folder, '.anode-harness', run ?? '', 'outcome.json'), {
    with: { type: 'json' },
  });
  expect(outcome.default.diagnostics).toContain(warning);
});
