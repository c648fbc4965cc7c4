import { chmodSync, chownSync, existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../permissions/sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

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

/** Each would have git or a search wait, or read without end. */
const odd = `mkfifo .gitattributes; mkdir fifo; mkfifo fifo/.gitignore; ln -s /dev/zero .gitmodules; mkdir wide; truncate -s 4G wide/.gitignore; truncate -s 4G wide/sparse; truncate -s 4G wide/tracked`;

let local: Local;

/** A checkout of the scripts, and what came of running each of them, in this order, in one run. */
async function run(words: string, scripts: Readonly<Record<string, string>>, owner: number | null) {
  const files = Object.fromEntries(
    Object.entries(scripts).map(([name, text]) => [`attack/${name}.sh`, `${text}\n`]),
  );
  const checkout = await local.checkout({
    ...files,
    ...{ 'AGENTS.md': 'Be kind.\n', '.github/workflows/ci.yml': 'on: push\n', 'colour.txt': 'red\n' },
    'wide/tracked': 'a\n',
    'rules/agents.txt': 'Be kind.\n',
  });
  symlinkSync('rules/agents.txt', path.join(checkout, 'GEMINI.md'));
  if (owner !== null) give(checkout, owner);
  const commands = [...Object.keys(scripts).map((name) => `sh attack/${name}.sh`), 'echo blue >colour.txt'];
  local.learn(words, (turn) => {
    const command = commands[turn - 1];
    return command === undefined ? { text: 'Done.' } : { calls: [call('bash', { command })] };
  });
  const ended = await local.anode(checkout, [
    ...['run', '--prompt', words, '--sandbox', 'required', '--max-turns', '40', '--output', 'json'],
  ]);
  const { changes, record } = JSON.parse(ended.stdout);
  const { diagnostics } = JSON.parse(readFileSync(path.join(record, 'outcome.json'), 'utf8'));
  const paths: string[] = changes.map((file: { path: string }) => file.path);
  return {
    code: ended.code,
    checkout,
    paths,
    diagnostics,
    text: (file: string) => readFileSync(path.join(checkout, file), 'utf8'),
  };
}

function give(folder: string, uid: number): void {
  chmodSync(path.dirname(folder), 0o711);
  chownSync(folder, uid, uid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(folder, entry), uid, uid);
}

const isRoot = process.getuid?.() === 0;

describe.skipIf(!available)('what commands leave behind', () => {
  beforeAll(async () => {
    local = await startLocal();
  });
  afterAll(() => local.close());

  /** What came of all of them: all is as before but for what may change. */
  async function leave(owner: number | null) {
    const words = `leave ${owner}`;
    const { code, checkout, paths, text } = await run(words, attacks, owner);
    return {
      code,
      left: gone.filter((one) => lstatSync(path.join(checkout, one), { throwIfNoEntry: false }) !== undefined),
      nameless: readdirSync(checkout, { recursive: true, encoding: 'latin1' }).filter((one) => one.includes('\xff')),
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

  test('holds up neither git nor the run, whatever it is instead of a file', async () => {
    const started = performance.now();
    const { code, checkout, paths, diagnostics } = await run('be odd', { odd }, null);
    const left = ['.gitattributes', 'fifo/.gitignore', '.gitmodules', 'wide/.gitignore'];
    expect({
      code,
      left: left.filter((one) => existsSync(path.join(checkout, one))),
      paths,
      said: diagnostics.filter((one: string) => one.includes('too large')),
      quick: performance.now() - started < 60_000,
    }).toEqual({
      code: 0,
      left: [],
      paths: ['colour.txt'],
      said: [expect.stringMatching(/^2 files too large.*`wide.sparse`, `wide.tracked`/)],
      quick: true,
    });
  });
});
