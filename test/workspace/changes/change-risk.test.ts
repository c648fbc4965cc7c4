import { expect, test } from 'vitest';
import { changeRisk, riskNeedsContent } from '../../../src/workspace/changes/change-risk.ts';

const nothing = { before: null, after: null };

/** Names with a risk of their own, in the root and in a folder. */
const names = {
  high: [
    ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
    ...['Cargo.lock', 'go.sum', 'poetry.lock', 'uv.lock', 'Pipfile.lock', 'Gemfile.lock', 'composer.lock'],
    ...['setup.py', 'build.rs', 'binding.gyp', '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs', 'Jenkinsfile'],
    ...['.gitlab-ci.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml', '.travis.yml', 'action.yml'],
    ...['action.yaml', '.circleci/config', '.buildkite/run', '.husky/pre-commit', '.ci/run', '.gitmodules'],
    ...['.gitattributes', 'CODEOWNERS'],
  ],
  medium: [
    ...['a.yaml', 'a.yml', 'a.toml', 'a.ini', 'a.cfg', 'a.conf', 'a.properties', 'a.env', 'vite.config.ts'],
    ...['config.js', 'tsconfig.json', 'tsconfig.build.json', 'composer.json', 'go.mod', 'Gemfile'],
    ...['requirements.txt', 'requirements-dev.txt', 'Dockerfile', 'Dockerfile.test', 'Makefile'],
    ...['CMakeLists.txt', 'build.gradle', 'build.gradle.kts', 'pom.xml', '.eslintrc', '.env'],
  ],
  low: [
    ...['src/main.ts', 'README.md', '.vscode/notes.txt', 'a.lock', 'my-package-lock.json', 'setup.python'],
    ...['Cargo.locked', 'Dockerfiles/a', 'a.yamlx', 'config', 'makefile.md', 'CODEOWNERS.md', 'xJenkinsfile'],
    ...['CMakeListsXtxt', 'pomXxml', 'notes.github/a', 'a.gitmodules'],
  ],
} as const;

test.each(Object.entries(names))('files with these names have %s risk', (risk, paths) => {
  const places = paths.flatMap((path) => [path, `deep/down/${path}`]);
  expect(places.filter((path) => changeRisk(path, nothing) !== risk)).toEqual([]);
});

test('every file in the .github folder of the root has high risk', () => {
  expect(
    ['.github/workflows/test.yml', '.github/a.md', 'deep/.github/a.md'].map((path) =>
      changeRisk(path, nothing),
    ),
  ).toEqual(['high', 'high', 'low']);
});

test('a package.json has high risk if it installs something else or runs another script automatically', () => {
  const manifest = (value: object) => JSON.stringify(value);
  const before = manifest({ version: '1', scripts: { test: 't' }, dependencies: { a: '1' } });
  const risk = (after: string | null) => changeRisk('packages/a/package.json', { before, after });
  expect({
    version: risk(manifest({ version: '2', scripts: { test: 'u' }, dependencies: { a: '1' } })),
    postinstall: risk(manifest({ scripts: { test: 't', postinstall: 'x' }, dependencies: { a: '1' } })),
    dependency: risk(manifest({ scripts: { test: 't' }, dependencies: { a: '2' } })),
    broken: risk('{'),
    deleted: risk(null),
  }).toEqual({ version: 'medium', postinstall: 'high', dependency: 'high', broken: 'high', deleted: 'high' });
});

const manifest = (value: unknown) => JSON.stringify(value);
const manifestRisk = (before: unknown, after: unknown) =>
  changeRisk('package.json', { before: manifest(before), after: manifest(after) });

test('exactly the scripts that a package manager runs automatically have high risk', () => {
  const own = [
    ...['install', 'preinstall', 'postinstall', 'prepare', 'preprepare', 'postprepare', 'pack', 'prepack'],
    ...['postpack', 'publish', 'prepublish', 'postpublish', 'uninstall', 'preuninstall', 'postuninstall'],
    ...['prepublishOnly', 'dependencies'],
  ];
  const others = [
    ...[
      'test',
      'build',
      'reinstall',
      'installs',
      'xprepare',
      'packs',
      'pre',
      'predependencies',
      'dependenciesx',
    ],
    ...['postprepublishOnly', 'prepublishOnlyx', 'start'],
  ];
  const risky = (name: string) => manifestRisk({}, { scripts: { [name]: 'x' } }) === 'high';
  expect([own.filter((name) => !risky(name)), others.filter(risky)]).toEqual([[], []]);
});

test('exactly the fields that list dependencies have high risk', () => {
  const installed = [
    'dependencies',
    'devDependencies',
    'optionalDependencies',
    'peerDependencies',
    'overrides',
  ];
  const others = ['engines', 'files', 'peerDependenciesMeta', 'bundled', 'main', 'scripts'];
  const risky = (name: string) => manifestRisk({ [name]: { a: '1' } }, { [name]: { a: '2' } }) === 'high';
  expect([installed.filter((name) => !risky(name)), others.filter(risky)]).toEqual([[], []]);
});

test('a manifest that is not an object has high risk as soon as it changes', () => {
  expect([
    manifestRisk(1, 2),
    manifestRisk(1, 1),
    manifestRisk(null, null),
    manifestRisk(null, {}),
    manifestRisk({ scripts: null }, { scripts: null, x: 1 }),
    changeRisk('package.json', { before: '{', after: '{' }),
    changeRisk('package.json', { before: null, after: null }),
  ]).toEqual(['high', 'medium', 'medium', 'high', 'medium', 'high', 'medium']);
});

test('only a package.json is evaluated by its content', () => {
  const names = [
    'package.json',
    'a/b/package.json',
    'package.jsonc',
    'my-package.json',
    'packageXjson',
    'package.json/x',
  ];
  expect(names.map(riskNeedsContent)).toEqual([true, true, false, false, false, false]);
});
