import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';
import { give, runScripts } from './support/run-scripts.ts';

/** What each leaves behind, by a script whose words say nothing of it; beside the paths that must be gone or as before. */
const attacks: Readonly<Record<string, string>> = {
  ignored: `mkdir -p .claude .husky/_; for d in .claude .husky; do echo '*' >$d/.gitignore; done; echo evil >.husky/_/pre-commit; echo '{}' >.claude/settings.json`,
  closed: `mkdir .cursor; echo evil >.cursor/rules; chmod 311 .cursor`,
  nested: `mkdir -p lib/.git/objects lib/.git/refs; echo 'ref: refs/heads/main' >lib/.git/HEAD; printf '[core]\\n\\tfsmonitor = ./evil\\n' >lib/.git/config`,
  nameless: `printf 'on: push\\n' >"$(printf '.github/workflows/\\377.yml')"; echo x >"$(printf 'a\\377')"`,
  link: `mkdir vs; echo '{}' >vs/mcp.json; ln -s vs .vscode`,
  through: `echo evil >rules/agents.txt`,
  unlisted: `for f in AGENTS.override.md opencode.json .crush.json .gitmodules Jenkinsfile; do echo evil >$f; done; for d in .zed .kilocode .openhands .devcontainer; do mkdir $d; echo evil >$d/x; done`,
  editors: `mkdir -p far/.vscode .agent/rules far/.claude-plugin; for f in far/.vscode/settings.json far/a.code-workspace .agent/rules/x far/.claude-plugin/x .github/settings.yml .zuul.yaml; do echo evil >$f; done`,
  keys: `for d in .config/gh .ssh; do mkdir -p $d/.claude $d/lib/.git/hooks; echo '*' >$d/.gitignore; for f in CLAUDE.md .claude/x lib/.git/config lib/.git/hooks/x; do echo evil >$d/$f; done; done; mkdir .gnupg; mkfifo .gnupg/.gitignore`,
  staged: `mkdir -p .anode-tmp-abc/.claude; for f in CLAUDE.md .claude/x; do echo evil >.anode-tmp-abc/$f; done`,
  encoded: `printf '*.yml working-tree-encoding=UTF-16LE ident\\n' >.gitattributes; printf 'on: push\\n# evil\\n' | iconv -t UTF-16LE >.github/workflows/ci.yml`,
  unseen: `git update-index --assume-unchanged AGENTS.md; git update-index --skip-worktree AGENTS.md; echo evil >AGENTS.md`,
};
const gone = [
  ...['.anode-tmp-abc/CLAUDE.md', '.anode-tmp-abc/.claude/x'],
  ...['.config/gh', '.ssh'].flatMap((folder) =>
    ['CLAUDE.md', '.claude', 'lib/.git'].map((one) => `${folder}/${one}`),
  ),
  '.gnupg/.gitignore',
  ...[
    '.claude',
    '.husky',
    '.cursor',
    'lib/.git',
    '.vscode',
    'AGENTS.override.md',
    'opencode.json',
    '.crush.json',
  ],
  ...['.gitmodules', 'Jenkinsfile', '.zed', '.kilocode', '.openhands', '.devcontainer'],
  ...[
    '.agent',
    'far/.vscode/settings.json',
    'far/a.code-workspace',
    'far/.claude-plugin',
    '.github/settings.yml',
    '.zuul.yaml',
  ],
];

let local: Local;

const isRoot = process.getuid?.() === 0;

describe.skipIf(!available)('protected files changed by a command', () => {
  beforeAll(async () => {
    local = await startLocal();
  });
  afterAll(() => local.close());

  /** What came of all of them: all is as before but for what may change. */
  async function leave(owner: number | null) {
    const words = `leave ${owner}`;
    const { code, checkout, paths, text } = await runScripts(local, words, attacks, owner);
    return {
      code,
      left: gone.filter(
        (one) => lstatSync(path.join(checkout, one), { throwIfNoEntry: false }) !== undefined,
      ),
      nameless: readdirSync(checkout, { recursive: true, encoding: 'latin1' }).filter((one) =>
        one.includes('\xff'),
      ),
      texts: ['AGENTS.md', '.github/workflows/ci.yml', 'rules/agents.txt'].map(text),
      paths,
    };
  }
  const asBefore = {
    code: 0,
    left: [],
    nameless: [],
    texts: ['Be kind.\n', 'on: push\n', 'Be kind.\n'],
    // What lies where a protected name leads is protected too.
    paths: ['.gitattributes', 'colour.txt'],
  };

  test('are restored, even if git does not list them', async () => {
    expect(await leave(null)).toEqual(asBefore);
  });

  test.skipIf(!isRoot)('are restored in a run for another user', async () => {
    expect(await leave(1000)).toEqual(asBefore);
  });

  /** A tool makes `file`, and what the command after it writes under names that matter comes with `script`. */
  async function leaveAfter(file: string, script: string) {
    const words = `make ${file}`;
    const checkout = await local.checkout({
      ...{ 'AGENTS.md': 'Be kind.\n', 'src/a': 'a\n' },
      'attack.sh': `${script}; echo evil >AGENTS.md; mkdir -p .github/workflows; echo evil >.github/workflows/x.yml\n`,
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},sub`);
    mkdirSync(path.join(checkout, 'sub'));
    local.learn(words, (turn) => {
      if (turn === 1) return { calls: [call('create_file', { path: file, content: 'x\n' })] };
      return turn === 2 ? { calls: [call('bash', { command: 'sh attack.sh' })] } : { text: 'Done.' };
    });
    const asked = ['run', '--prompt', words, '--sandbox', 'required', '--output', 'json'];
    const { code, stdout } = await local.anode(checkout, asked);
    return {
      code,
      conclusion: JSON.parse(stdout).conclusion,
      agents: readFileSync(path.join(checkout, 'AGENTS.md'), 'utf8'),
      workflow: existsSync(path.join(checkout, '.github/workflows/x.yml')),
    };
  }
  const cleared = { code: 0, conclusion: 'success', agents: 'Be kind.\n', workflow: false };

  test('are restored after a tool’s file moved behind a link', async () => {
    expect(await leaveAfter('new/x', 'rm -rf new; ln -s src new')).toEqual(cleared);
  });

  test('are restored after a tool made a file in a submodule', async () => {
    expect(await leaveAfter('sub/x', 'true')).toEqual(cleared);
  });

  /** What a script leaves in a run of an ordinary user, who has no entry in /etc/passwd. */
  async function leaveAsUser(script: string) {
    const words = `as a user: ${script}`;
    const files = { 'AGENTS.md': 'Be kind.\n', '.github/workflows/ci.yml': 'on: push\n' };
    const checkout = await local.checkout({ ...files, 'attack.sh': `${script}\n` });
    const home = await local.plainFolder({});
    for (const folder of [checkout, home]) give(folder, 12_345);
    local.learn(words, (turn) =>
      turn === 1 ? { calls: [call('bash', { command: 'sh attack.sh' })] } : { text: 'Done.' },
    );
    const ended = await local.anode(
      checkout,
      ['run', '--prompt', words, '--sandbox', 'required', '--output', 'json'],
      { user: 12_345, environment: { HOME: home } },
    );
    const { conclusion, stop } = JSON.parse(ended.stdout);
    const left = ['closed/in/CLAUDE.md', '.github/workflows/x.yml'].filter((file) =>
      existsSync(path.join(checkout, file)),
    );
    return { conclusion, stop, left, agents: readFileSync(path.join(checkout, 'AGENTS.md'), 'utf8') };
  }

  test.skipIf(!isRoot)('are restored for an ordinary user despite closed folders', async () => {
    const script =
      'echo evil >AGENTS.md; chmod 444 AGENTS.md; mkdir -p closed/in; echo evil >closed/in/CLAUDE.md; ' +
      'echo evil >.github/workflows/x.yml; chmod 0 closed/in closed .github/workflows; chmod 111 .';
    expect(await leaveAsUser(script)).toEqual({
      ...{ conclusion: 'success', stop: null, left: [], agents: 'Be kind.\n' },
    });
  });

  test.skipIf(!isRoot)('fail the run with their location if they cannot be reached', async () => {
    const script =
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ' +
      `mkdir ${'d'.repeat(200)}; cd ${'d'.repeat(200)}; done; echo evil >CLAUDE.md`;
    expect(await leaveAsUser(script)).toEqual({
      ...{ conclusion: 'failure', left: [], agents: 'Be kind.\n' },
      stop: {
        kind: 'internal_error',
        message: expect.stringMatching(
          /^Changes that are not allowed .*: `d{200}…` \(too deep\)\. Revert them/,
        ),
      },
    });
  });

  test('are restored if the terminal closes during the command', async () => {
    const words = 'stay on';
    const checkout = await local.checkout({
      'AGENTS.md': 'Be kind.\n',
      'attack.sh': 'echo evil >AGENTS.md; touch up; sleep 600\n',
    });
    local.learn(words, () => ({ calls: [call('bash', { command: 'sh attack.sh' })] }));
    const started = local.start(checkout, ['run', '--prompt', words, '--sandbox', 'required']);
    await vi.waitUntil(() => existsSync(path.join(checkout, 'up')), { timeout: 60_000, interval: 20 });
    started.child.kill('SIGHUP');
    const { code } = await started.ended;
    expect([code, readFileSync(path.join(checkout, 'AGENTS.md'), 'utf8')]).toEqual([1, 'Be kind.\n']);
  });

  test('cannot be changed by a tool through the target of a protected link', async () => {
    const checkout = await local.checkout({ 'rules/agents.txt': 'Be kind.\n' });
    symlinkSync('rules/agents.txt', path.join(checkout, 'CLAUDE.md'));
    const words = 'edit the rules';
    const edit = call('edit_file', { path: 'rules/agents.txt', old_str: 'kind', new_str: 'evil' });
    local.learn(words, (turn) => (turn === 1 ? { calls: [edit] } : { text: 'Done.' }));
    const { stdout } = await local.anode(checkout, [
      'run',
      '--prompt',
      words,
      '--output',
      'json',
      '--sandbox',
      'off',
    ]);
    expect([
      JSON.parse(stdout).refusals[0]?.reason,
      readFileSync(path.join(checkout, 'rules/agents.txt'), 'utf8'),
    ]).toEqual([
      expect.stringMatching(
        /^`rules.agents.txt` is protected, because `CLAUDE.md` leads there, and it instructs agents\./,
      ),
      'Be kind.\n',
    ]);
  });
});
