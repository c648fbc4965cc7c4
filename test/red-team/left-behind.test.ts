import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../permissions/sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';
import { runScripts } from './support/run-scripts.ts';

/** What each leaves behind, by a script whose words say nothing of it; beside the paths that must be gone or as before. */
const attacks: Readonly<Record<string, string>> = {
  ignored: `mkdir -p .claude .husky/_; for d in .claude .husky; do echo '*' >$d/.gitignore; done; echo evil >.husky/_/pre-commit; echo '{}' >.claude/settings.json`,
  closed: `mkdir .cursor; echo evil >.cursor/rules; chmod 311 .cursor`,
  nested: `mkdir -p lib/.git/objects lib/.git/refs; echo 'ref: refs/heads/main' >lib/.git/HEAD; printf '[core]\\n\\tfsmonitor = ./evil\\n' >lib/.git/config`,
  nameless: `printf 'on: push\\n' >"$(printf '.github/workflows/\\377.yml')"; echo x >"$(printf 'a\\377')"`,
  link: `mkdir vs; echo '{}' >vs/mcp.json; ln -s vs .vscode`,
  through: `echo evil >rules/agents.txt`,
  unlisted: `for f in AGENTS.override.md opencode.json .crush.json .gitmodules Jenkinsfile; do echo evil >$f; done; for d in .zed .kilocode .openhands .devcontainer; do mkdir $d; echo evil >$d/x; done`,
  encoded: `printf '*.yml working-tree-encoding=UTF-16LE ident\\n' >.gitattributes; printf 'on: push\\n# evil\\n' | iconv -t UTF-16LE >.github/workflows/ci.yml`,
  unseen: `git update-index --assume-unchanged AGENTS.md; git update-index --skip-worktree AGENTS.md; echo evil >AGENTS.md`,
};
const gone = [
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
];

let local: Local;

const isRoot = process.getuid?.() === 0;

describe.skipIf(!available)('what commands leave behind', () => {
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

  test('under names that matter, hidden from git, is put back', async () => {
    expect(await leave(null)).toEqual(asBefore);
  });

  test.skipIf(!isRoot)('as another user than ours, is put back too', async () => {
    expect(await leave(1000)).toEqual(asBefore);
  });

  test('is not changed by a tool under the name that a protected link leads to', async () => {
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
