import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorConfig } from '../../../src/config/merge-config.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import type { Config } from '../../../src/config/schema.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { decide } from '../../../src/permissions/gate/gate.ts';
import { localOrigin } from '../../../src/run/policy/local-plan.ts';
import { composePrograms } from '../../../src/run/programs/compose-programs.ts';
import type { Programs, ProgramsRun } from '../../../src/run/programs/open-programs.ts';
import { bashCall, pathCall, policy } from '../../permissions/gate-fixtures.ts';
import { available, runnerPlace } from '../../sandbox/runner-fixture.ts';

const place = runnerPlace();
let programs: Programs | null = null;
let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
});
afterEach(() => programs?.close());

/** Writes files into the checkout and, unless `commit` is false, commits them. */
function put(files: Readonly<Record<string, string>>, commit = true): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(place.root, name)), { recursive: true });
    writeFileSync(path.join(place.root, name), text);
    chmodSync(path.join(place.root, name), 0o644);
  }
  if (!commit) return;
  execFileSync('git', ['add', '.'], { cwd: place.root });
  execFileSync('git', ['commit', '-qm', 'hooks'], { cwd: place.root });
}

async function open(config: Config, change: Partial<ProgramsRun> = {}): Promise<Programs> {
  const runFolder = path.join(place.folder, 'run');
  mkdirSync(runFolder, { recursive: true });
  programs = await composePrograms({
    config,
    root: place.root,
    runFolder,
    sandbox: available ? 'required' : 'off',
    sandboxed: available,
    plan: localOrigin('/'),
    environment: { PATH: process.env.PATH },
    secrets: [],
    warn: (message) => warnings.push(message),
    redact: (text) => text,
    signal: new AbortController().signal,
    ...change,
  });
  if (programs === null) throw new Error('no programs are named');
  return programs;
}

/** The decision on a call where the preset alone would allow it. */
const judge = ({ ask, before }: Programs, call = bashCall('ls')) => decide(call, policy(), ask, before);

const before = (...lines: string[]) =>
  parseConfig(`hooks:\n  before:\n${lines.map((line) => `    - ${line}\n`).join('')}`, '.github/anode.yml');

describe.skipIf(!available)('a hook before a call', () => {
  test('gets the arguments, the diff and the tool name, and rejects with its own message', async () => {
    put({ 'ci/judge.sh': '#!/bin/sh\ncat >&2\necho " $AGENT_TOOL_NAME $AGENT_HOOK" >&2\nexit 3\n' });
    const opened = await open(before('{ name: judge, tool: "edit_*", run: ci/judge.sh }'));
    const call = { ...pathCall('edit_file', 'write', 'a.txt'), diff: '+blue\n' };
    const [edit, other] = [await judge(opened, call), await judge(opened)];
    expect([edit, other.action]).toMatchObject([
      {
        action: 'reject',
        rule: 'hook 1 (judge), .github/anode.yml:3',
        reason:
          '`ci/judge.sh` rejects it, asked by hook 1 (judge), .github/anode.yml:3. {"path":"a.txt","diff":"+blue\\n"} edit_file before',
      },
      'allow',
    ]);
  });

  test('runs in the version of the commit, without files of the checkout beside it', async () => {
    put({ 'ci/judge.sh': 'ls >&2; cat ci/table other >&2; exit 1\n', 'ci/table': 'table\n', other: 'x\n' });
    put({ 'ci/judge.sh': 'exit 0\n', 'ci/table': 'changed\n' }, false);
    const { reason } = await judge(await open(before('{ tool: "*", run: ci/judge.sh, files: [ci/table] }')));
    expect(reason.replaceAll('\n', ' ')).toBe(
      '`ci/judge.sh` wants a person to be asked, asked by hook 1 (ci/judge.sh), .github/anode.yml:3. ci table cat: other: No such file or directory',
    );
  });

  test('also takes the script for an interpreter from the commit', async () => {
    put({ 'ci/judge.sh': 'echo mine >&2; exit 2\n' });
    put({ 'ci/judge.sh': 'exit 0\n', 'judge.sh': 'exit 0\n' }, false);
    const opened = await open(
      before('{ tool: bash, run: sh ci/judge.sh }', '{ tool: grep, run: sh judge.sh }'),
    );
    expect([
      (await judge(opened)).reason,
      (await judge(opened, pathCall('grep', 'read', 'a'))).reason,
    ]).toEqual([expect.stringContaining('. mine'), expect.stringContaining('rejects it')]);
  });

  test('runs in the version of the commit even if its path in the checkout is given', async () => {
    put({ 'ci/judge.sh': 'echo mine >&2; exit 2\n' });
    put({ 'ci/judge.sh': 'exit 0\n', 'new.sh': 'exit 0\n' }, false);
    const at = (name: string) => path.join(place.root, name);
    const lines = [`sh ${at('ci/judge.sh')} ${place.root}`, at('ci/judge.sh'), `sh ${at('new.sh')}`];
    const hooks = before(...lines.map((run, index) => `{ tool: t${index}, run: ${run} }`));
    const received = [];
    for (const config of [hooks, operatorConfig(hooks, at('anode.yml'))]) {
      const opened = await open(config);
      for (const [index] of lines.entries()) {
        const call = {
          ...bashCall('ls'),
          tool: `t${index}`,
          level: 'auto_read',
          targets: { what: '' },
        } as const;
        received.push(/mine|no regular file new\.sh/.exec((await judge(opened, call)).reason)?.[0]);
      }
      await opened.close();
      rmSync(path.join(place.folder, 'run'), { recursive: true });
    }
    const expected = ['mine', 'mine', 'no regular file new.sh'];
    expect(received).toEqual([...expected, ...expected]);
  });

  test('can only read the workspace, and has no network and no git settings that a command wrote', async () => {
    writeFileSync(path.join(place.agentGit, 'config'), '[core]\n\tfsmonitor = touch /tmp/owned; false\n');
    put({
      'ci/look.sh':
        'cd "$AGENT_WORKSPACE"; { cat file.txt; touch file.txt; git status --porcelain; ls -d /tmp/owned; cat /proc/net/dev | grep -c :; } >&2 2>&1; exit 2\n',
    });
    const { reason } = await judge(await open(before('{ tool: "*", run: ci/look.sh }')));
    expect(reason.split('. ').slice(1).join('. ')).toMatch(
      /^content\ntouch: .*Read-only file system\nls: cannot access '\/tmp\/owned': .*\n1$/,
    );
  });

  test('rejects if it cannot start, does not end or is killed, and the operator is notified once of each', async () => {
    put({ 'ci/slow.sh': 'sleep 60\n', 'ci/dies.sh': 'kill -9 $$\n' });
    symlinkSync('slow.sh', path.join(place.root, 'ci/link.sh'));
    put({});
    const opened = await open(
      before(
        '{ tool: a, run: ci/gone.sh }',
        '{ tool: b, run: ci/slow.sh, timeoutSeconds: 1 }',
        '{ tool: c, run: ci/dies.sh }',
        '{ tool: d, run: no-such-program-here }',
        '{ tool: e, run: ci/link.sh }',
        '{ tool: f, run: sh ci/never-committed.sh }',
      ),
    );
    const reasons = [];
    for (const tool of ['a', 'a', 'b', 'c', 'd', 'e', 'f'])
      reasons.push(
        await judge(opened, { ...bashCall('ls'), tool, level: 'auto_read', targets: { what: '' } }),
      );
    expect(reasons.map(({ action }) => action)).toEqual(Array(7).fill('reject'));
    expect(warnings).toEqual([
      expect.stringContaining(
        'hook 1 (ci/gone.sh), .github/anode.yml:3: `ci/gone.sh` cannot be run: the base',
      ),
      expect.stringContaining('did not answer within 1 seconds.'),
      expect.stringContaining('was ended by a signal'),
      expect.stringContaining('could not be run (exit code 127)'),
      expect.stringContaining('`ci/link.sh` cannot be run: the base branch has no regular file ci/link.sh'),
      expect.stringContaining('no regular file ci/never-committed.sh; commit it there.'),
    ]);
  });

  test('cannot lift a refusal, and is not called for one that nothing lifts', async () => {
    const opened = await open(before('{ tool: "*", run: "true" }'));
    const requested: string[] = [];
    const ask: Programs['ask'] = (request) => {
      requested.push(request.call.targets.what);
      return opened.ask(request);
    };
    const rules = [{ tool: 'bash', matches: { command: 'npm *' }, action: 'reject' as const }];
    const of = async (call: Parameters<typeof decide>[0], change = {}) =>
      (await decide(call, policy({ rules, ...change }), ask, opened.before)).action;
    expect([
      await of(bashCall('npm publish')),
      await of(bashCall('touch a.txt'), { readOnly: true }),
      await of(pathCall('edit_file', 'write', '.github/workflows/ci.yml')),
      await of(pathCall('read', 'read', '../outside')),
      await of(pathCall('read', 'read', '.ssh/id_rsa')),
      requested,
    ]).toEqual(['reject', 'reject', 'reject', 'reject', 'reject', ['npm publish']]);
  });

  test('is copied if the operator stores it outside the checkout; inside, it comes from the last commit', async () => {
    const own = path.join(place.folder, 'own.sh');
    writeFileSync(own, 'echo own >&2; exit 2\n');
    put({ 'ci/judge.sh': 'echo committed >&2; exit 2\n', '.github/anode.yml': '' });
    put({ 'ci/judge.sh': 'exit 0\n' }, false);
    const lines = [own, path.join(place.root, 'ci/judge.sh'), 'ci/judge.sh'].map(
      (run, index) => `{ tool: t${index}, run: ${run} }`,
    );
    const opened = await open(operatorConfig(before(...lines), path.join(place.root, '.github/anode.yml')));
    const reply = await Promise.all(
      lines.map((_, index) =>
        judge(opened, { ...bashCall('ls'), tool: `t${index}`, level: 'auto_read', targets: { what: '' } }),
      ),
    );
    expect(reply.map(({ reason }) => reason.split('. ').at(-1))).toEqual(['own', 'committed', 'committed']);
  });
});

describe.skipIf(!available)('variables that env.pass names', () => {
  const environment = {
    PATH: process.env.PATH,
    LINT_TOKEN: 'canary-lint-5f0e1b',
    GITHUB_TOKEN: 'ghs_canaryOfGithub000',
    COPY: 'x ghs_canaryOfGithub000',
  };
  const hook = 'env >&2; echo $LINT_TOKEN | base64 >&2; exit 2\n';
  const passing = (names: string, from: 'operator' | 'repository') => {
    const text = `hooks: { before: [{ name: lint, tool: bash, run: ci/lint.sh }, { tool: grep, run: ci/lint.sh }] }\nenv: { pass: { 'hook:lint': [${names}] } }`;
    const config = parseConfig(text, 'anode.yml');
    return from === 'operator' ? operatorConfig(config, path.join(place.root, 'anode.yml')) : config;
  };

  test('reach only the one hook, which cannot print them', async () => {
    put({ 'ci/lint.sh': hook });
    const opened = await open(passing('LINT_TOKEN, NOT_SET', 'operator'), { environment });
    const [lint, other] = [await judge(opened), await judge(opened, pathCall('grep', 'read', 'a'))];
    expect(lint.reason).toContain('LINT_TOKEN=[redacted]\n');
    expect(`${lint.reason}${other.reason}`).not.toMatch(/canary|Y2FuYXJ5|NOT_SET/);
    expect(other.reason).not.toContain('LINT_TOKEN');
  });

  test.for([
    ['GITHUB_TOKEN', 'operator', 'GITHUB_TOKEN is not given to it, as it holds a credential of Anode CI'],
    ['COPY', 'operator', 'COPY is not given to it, as a credential of Anode CI stands in it'],
    [
      'LINT_TOKEN',
      'repository',
      'LINT_TOKEN is not given to it, as its operator has not said in ANODE_ENV_PASS',
    ],
  ] as const)('are refused: %s by the %s', async ([name, from, why]) => {
    put({ 'ci/lint.sh': 'exit 0\n' });
    const decision = await judge(await open(passing(name, from), { environment }));
    expect(decision).toMatchObject({ action: 'reject', reason: expect.stringContaining(why) });
  });

  test("are given to a repository's hook if the operator permits it, but never in the App", async () => {
    put({ 'ci/lint.sh': hook });
    const allowed = { ...environment, ANODE_ENV_PASS: 'OTHER, LINT_TOKEN' };
    const config = passing('LINT_TOKEN', 'repository');
    const inAction = await judge(await open(config, { environment: allowed }));
    await programs?.close();
    const plan = { source: { kind: 'app' } } as RunPlan;
    const runFolder = path.join(place.folder, 'app');
    const inApp = await judge(await open(config, { environment: allowed, plan, runFolder }));
    expect([inAction.reason, inApp.reason]).toEqual([
      expect.stringContaining('LINT_TOKEN=[redacted]'),
      expect.stringContaining('its operator has not said'),
    ]);
  });
});

test('without a sandbox a program runs in the clean environment without variables, and never beside keys', async () => {
  put({ 'ci/lint.sh': 'env >&2; exit 2\n' });
  const environment = { PATH: process.env.PATH, LINT_TOKEN: 'canary-lint-5f0e1b' };
  const text = `hooks: { before: [{ name: lint, tool: bash, run: ci/lint.sh }, { tool: grep, run: ci/lint.sh }] }\nenv: { pass: { 'hook:lint': [LINT_TOKEN] } }`;
  const config = operatorConfig(parseConfig(text, 'anode.yml'), path.join(place.root, 'anode.yml'));
  const grep = pathCall('grep', 'read', 'a');
  const opened = await open(config, { environment, sandbox: 'off', sandboxed: false });
  const [lint, plain] = [await judge(opened), await judge(opened, grep)];
  await programs?.close();
  const plan = { source: { kind: 'action' } } as RunPlan;
  const runFolder = path.join(place.folder, 'beside');
  const beside = await open(config, { environment, sandbox: 'preferred', sandboxed: false, plan, runFolder });
  expect([lint.reason, plain.reason, (await judge(beside, grep)).reason]).toEqual([
    expect.stringContaining('LINT_TOKEN may only be given to what runs in a sandbox, and there is none'),
    expect.stringContaining('AGENT_TOOL_NAME=grep'),
    expect.stringContaining('without a sandbox it could read keys'),
  ]);
  expect(plain.reason).not.toContain('canary');
});
