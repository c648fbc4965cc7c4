import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { collectDiff } from '../../src/checks/collect-diff.ts';
import { newEditChecks } from '../../src/checks/linters/edit-checks.ts';
import { lintChangedLines } from '../../src/checks/linters.ts';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import { brief } from './brief.ts';
import { repositoryOf, type Tree } from './diff-fixture.ts';

const runFolder = mkdtempSync(path.join(os.tmpdir(), 'lint-run-'));
afterAll(() => rmSync(runFolder, { recursive: true, force: true }));

/** A linter of the checkout: it has something to say of every line with `bad` in it. */
const eslint = `#!/usr/bin/env node
const fs = require('fs');
const files = process.argv.slice(2).filter((one) => !one.startsWith('--'));
console.log(JSON.stringify(files.map((file) => ({
  filePath: require('path').resolve(file),
  messages: fs.readFileSync(file, 'utf8').split('\\n').flatMap((text, index) => text.includes('bad')
    ? [{ ruleId: 'no-bad', severity: 2, message: 'This is bad.', line: index + 1, column: 1 }] : []),
}))));
`;

async function lint(before: Tree, after: Tree, spoil?: (root: string) => void) {
  const { root, git, commits } = repositoryOf(before, after);
  spoil?.(root);
  const diff = await collectDiff(git, commits[0] ?? '', commits[1] ?? '');
  const workspace = await openWorkspace({ root, runFolder, spillFolder: runFolder, repositories: [] });
  const commands = await createCommandRunner({
    ...{ mode: 'required', workspace, spillFolder: runFolder, repositories: [] },
    environment: process.env,
  });
  try {
    const { findings, notes } = await lintChangedLines(diff.files, {
      ...{ workspace, commands, signal: new AbortController().signal, record: () => undefined },
      editChecks: newEditChecks({ programs: true, timeoutMs: 30_000 }),
    });
    return { findings: brief(findings), notes };
  } finally {
    await commands.close();
    await workspace.close();
  }
}

const configured = { 'eslint.config.js': '', 'node_modules/.bin/eslint': eslint };

test("the repository's linter is reported for changed lines only", async () => {
  expect(
    await lint(
      { ...configured, 'a.js': 'bad 1\ngood\nbad 3\n', 'c.js': 'bad\n' },
      { 'a.js': 'bad 1\ngood\nbad 3\nbad 4\n', 'b.js': 'bad\n' },
      (root) => chmodSync(path.join(root, 'node_modules/.bin/eslint'), 0o755),
    ),
  ).toEqual({ findings: ['a.js:4 medium eslint: no-bad', 'b.js:1 medium eslint: no-bad'], notes: [] });
});

test('a file that differs between checkout and diff is left out, with a notice', async () => {
  const spoiled = await lint({ 'a.js': 'x\n' }, { 'a.js': 'let = ;\n' }, (root) =>
    writeFileSync(path.join(root, 'a.js'), 'other\n'),
  );
  expect(spoiled).toEqual({
    findings: [],
    notes: ['Linters did not look at a.js: the checkout has other contents.'],
  });
});
