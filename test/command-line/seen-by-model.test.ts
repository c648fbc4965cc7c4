import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

vi.setConfig({ testTimeout: 60_000 });

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  const scripts = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`dev${index}`, 'x']));
  folder = await local.checkout({
    'a.py': 'def f():\n    a()\n    b()\n',
    'package.json': JSON.stringify({ scripts: { ...scripts, 'test:unit': 'node --test' } }),
    'pyproject.toml': '[tool.pytest.ini_options]\n',
    'tox.ini': '[tox]\nenvlist = py312, lint\n',
    Makefile: 'all: a\n\ttrue\ncheck:\n\ttrue\n',
    'Cargo.toml': '[package]\nname = "slice"\n',
  });
});
afterAll(() => local.close());

const run = (words: string) => local.anode(folder, ['run', '--prompt', words, '--output', 'json']);

test('a run learns first how the project is tested', async () => {
  local.learn('look around', () => ({ text: 'Seen.' }));
  await run('look around');
  const [first] = local.requestsFor('look around');
  const told = first === undefined ? '' : allTextOf(first);
  expect(told).toContain(`npm scripts:\ntest:unit: node --test\ndev0: x\n`);
  expect(told).toContain(
    [
      'Python tests: pytest (pyproject.toml); tox: py312, lint (tox.ini)',
      'make targets: check, all',
      'Cargo: package slice',
    ].join('\n\n'),
  );
});

test('a review of a clean tree says that the last commit may be unrelated', async () => {
  local.learn('judge a.py', (turn) =>
    turn === 1
      ? { calls: [call('code_review', { diff_description: 'CHILD of a clean tree', files: ['a.py'] })] }
      : { text: 'EventRequest.' },
  );
  local.learn('CHILD of a clean tree', (turn) =>
    turn === 1 ? { calls: [call('report_findings', { findings: [] })] } : { text: 'Fine.' },
  );
  await local.git(folder, 'commit', '-q', '--allow-empty', '-m', 'Say "hello"');
  await run('judge a.py');
  const commit = String.raw`[0-9a-f]{8} "Say \\"hello\\""`;
  const [reviewer] = local.requestsFor('CHILD of a clean tree');
  const [, parent] = local.requestsFor('judge a.py');
  expect(reviewer === undefined ? '' : allTextOf(reviewer)).toMatch(
    new RegExp(
      `Nothing in the checkout is uncommitted\\. The diff below is the last commit, ${commit}\\. Judge it only where the request means it;`,
    ),
  );
  expect(parent === undefined ? '' : lastResults(parent)).toMatch(
    new RegExp(`no checks ran, and a reviewer was shown the last commit, ${commit}\\.`),
  );
});

test('a finding is dropped when the run changes its lines, and others move', async () => {
  const finding = (line: number, title: string) => ({
    ...{ path: 'new.txt', line, severity: 'low', category: 'style', title, body: 'Why.' },
  });
  local.learn('write and mend', (turn) => {
    const text = 'one\ntwo\nthree\nfour\n';
    if (turn === 1) return { calls: [call('create_file', { path: 'new.txt', content: text })] };
    if (turn === 2) return { calls: [call('code_review', { diff_description: 'CHILD of new.txt' })] };
    const edit = { path: 'new.txt', old_str: 'one\n', new_str: 'ONE\nand a half\n' };
    return turn === 3 ? { calls: [call('edit_file', edit)] } : { text: 'Mended.' };
  });
  local.learn('CHILD of new.txt', (turn) =>
    turn === 1
      ? { calls: [call('report_findings', { findings: [finding(1, 'Mended'), finding(4, 'Open')] })] }
      : { text: 'Two.' },
  );
  const { stdout } = await run('write and mend');
  const { findings } = JSON.parse(stdout);
  expect(findings).toMatchObject([{ title: 'Open', line: 5 }]);
});

test('a missing network is reported for commands that fail because of it', async () => {
  const said = 'commands have no network';
  local.learn('use the network', (turn) => {
    if (turn > 1) return { text: 'Tried.' };
    const commands = [
      'npx() { echo 1 test failed; exit 1; }; npx vitest run',
      'curl -s --max-time 5 https://example.com/ | head -1',
      'curl -sS --max-time 5 https://example.com/ || echo failed',
    ];
    return { calls: commands.map((command) => call('bash', { command })) };
  });
  await run('use the network');
  const [, second] = local.requestsFor('use the network');
  const results = second?.messages.at(-1)?.parts.filter((part) => part.type === 'tool_result') ?? [];
  expect(results.map((result) => JSON.stringify(result).includes(said))).toEqual([false, true, true]);
});

test('an edit already indented as in the file is not indented again', async () => {
  local.learn('indent', (turn) => {
    const lines = { old_str: 'a()\nb()\n', new_str: '    a(1)\n    b()\n' };
    const within = { old_str: 'b()', new_str: '    b(2)' };
    const calls = [lines, within].map((edit) => call('edit_file', { path: 'a.py', ...edit }));
    return turn === 1 ? { calls } : { text: 'Edited.' };
  });
  await run('indent');
  expect(await readFile(path.join(folder, 'a.py'), 'utf8')).toBe('def f():\n    a(1)\n    b(2)\n');
});
