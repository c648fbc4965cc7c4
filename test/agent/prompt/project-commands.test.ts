import { expect, test } from 'vitest';
import { projectCommands } from '../../../src/agent/prompt/project-commands.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

/** The paragraphs about a project with these files at its top level. */
function reported(files: Readonly<Record<string, string>>, setUp = false): Promise<string[]> {
  const workspace = {
    files: {
      stat: async (name: string) => (name in files ? { kind: 'file' } : null),
      read: async (name: string) => ({ bytes: Buffer.from(files[name] ?? '') }),
    },
  } as unknown as Pick<Workspace, 'files'>;
  return projectCommands(workspace, Object.keys(files), setUp);
}

const scripts = (names: readonly string[]) =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, `run ${name}`])) });

test('test scripts come first, and those beyond the limit are only named', async () => {
  const dev = Array.from({ length: 12 }, (_, index) => `dev${index}`);
  const names = [...dev, 'build', 'test:unit', 'testing', 'test', 'test-e2e'];
  const [paragraph = ''] = await reported({ 'package.json': scripts(names), 'pnpm-lock.yaml': '' });
  expect(paragraph.split('\n')).toEqual([
    'pnpm scripts:',
    ...['test', 'test:unit', 'test-e2e', 'build', ...dev.slice(0, 8)].map((name) => `${name}: run ${name}`),
    '[… 5 more: dev8, dev9, dev10, dev11, testing …]',
  ]);
});

test.each([
  [
    { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = "tests"\n' },
    'Python tests: pytest (pyproject.toml)',
  ],
  [{ 'setup.cfg': '[tool:pytest]\n' }, 'Python tests: pytest (setup.cfg)'],
  [
    { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n' },
    'Python tests: pytest (named in pyproject.toml)',
  ],
  [
    {
      'tox.ini': '[tox]\nenvlist =\n    py{311, 312}\n    lint\n\n[testenv:docs]\ncommands = pytest\n',
      'pytest.ini': '',
    },
    'Python tests: pytest (pytest.ini); tox: py{311,312}, lint, docs (tox.ini)',
  ],
  [
    { 'pyproject.toml': '[tool.tox]\nenv_list = ["3.13", "style"]\n' },
    'Python tests: tox: 3.13, style (pyproject.toml)',
  ],
  [
    {
      'noxfile.py':
        'import nox\n\n@nox.session(python=["3.12"])\ndef tests(session):\n    pass\n\n@nox.session(name="type-check")\ndef types(s):\n    pass\n',
    },
    'Python tests: nox: tests, type-check (noxfile.py)',
  ],
  [
    {
      Makefile:
        'CC := gcc\n.PHONY: all test \\\n  lint\nall: app\napp: main.o\n\tcc -o app\n%.o: %.c\ntest lint: all\n\techo x: y\nDOCS ?= a:b\n',
    },
    'make targets: test, lint, all, app',
  ],
  [
    {
      justfile:
        'set shell := ["bash"]\nv := "1"\nalias t := test\nbuild target="x": \n  cc\n@test *args: build\n  run\n_hidden:\n  x\n',
    },
    'just recipes: test, build',
  ],
  [
    {
      'Cargo.toml':
        '[package]\nname = "slice"\n\n[features]\ndefault = []\nserde = ["dep:serde"]\n\n[[bin]]\nname = "slicer"\n[[test]]\npath = "t.rs"\nname = "all"\n',
    },
    'Cargo: package slice; bin: slicer; test: all; features: default, serde',
  ],
  [
    { 'Cargo.toml': '[workspace]\nmembers = [\n  "crates/*",\n  "cli",\n]\n' },
    'Cargo: workspace; members: crates/*, cli',
  ],
  [{ 'go.mod': 'module example.com/x\n\ngo 1.23\n' }, 'Go module: example.com/x'],
])('%j is described as %s', async (files, paragraph) => {
  expect(await reported({ ...files, '.venv/': '' })).toEqual([paragraph]);
});

const nothingInstalled =
  'Nothing was installed for this run, and nothing can be without network. A check that needs more than is here has neither passed nor failed: say in your answer which did not run, and why.';

test('a Python project without an environment is told how to report what did not run', async () => {
  const files = { 'pytest.ini': '' };
  expect([
    await reported(files),
    await reported({ ...files, 'venv/': '' }),
    await reported(files, true),
  ]).toEqual([
    ['Python tests: pytest (pytest.ini)', nothingInstalled],
    ['Python tests: pytest (pytest.ini)'],
    ['Python tests: pytest (pytest.ini)'],
  ]);
});

test('missing dependencies are reported if the manifest has any and no set-up installed them elsewhere', async () => {
  const manifest = { 'package.json': '{"scripts": {"test": "tap"}, "devDependencies": {"tap": "1"}}' };
  const missing = 'npm scripts (dependencies are not installed: there is no node_modules):\ntest: tap';
  expect([
    await reported(manifest),
    await reported({ ...manifest, 'node_modules/': '' }),
    await reported(manifest, true),
  ]).toEqual([[missing, nothingInstalled], ['npm scripts:\ntest: tap'], ['npm scripts:\ntest: tap']]);
});

test('a project without such files, or with empty ones, gets no text', async () => {
  expect([
    await reported({ 'README.md': 'make: it' }),
    await reported({
      'package.json': '{"name": "x"}',
      'pyproject.toml': '[project]\nname = "x"\n',
      Makefile: '',
    }),
    await reported({ 'package.json': 'no json' }),
  ]).toEqual([[], [], []]);
});

test('hostile files take neither space nor time', async () => {
  const long = 128 * 1024;
  const startedAt = performance.now();
  const paragraphs = await reported({
    'package.json': scripts(Array.from({ length: 500 }, (_, index) => `s${index}${'x'.repeat(100)}`)),
    'tox.ini': `[tox]\nenvlist = ${'{a, '.repeat(long / 4)}`,
    'setup.cfg': '\n'.repeat(long),
    Makefile: `a${' '.repeat(long)}\n${'b: c\n'.repeat(9)}`,
    justfile: `a${' '.repeat(long)}\n${Array.from({ length: 999 }, (_, index) => `r${index}:\n`).join('')}`,
    'Cargo.toml': `[workspace]${'\n'.repeat(long)}`,
  });
  expect(paragraphs.join('\n').length).toBeLessThan(2_100);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
