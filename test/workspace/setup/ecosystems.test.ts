import { expect, test } from 'vitest';
import { setupSettings } from '../../../src/workspace/setup/setup-settings.ts';

/** The settings of the package managers of these programs. `withScripts` is the environment if scripts may run. */
const known = [
  [
    'npm npx',
    {
      registries: ['registry.npmjs.org'],
      cache: ['**/node_modules'],
      lockfiles: ['**/package-lock.json', '**/npm-shrinkwrap.json', '**/package.json', '**/.npmrc'],
      environment: {
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        npm_config_ignore_scripts: 'true',
      },
      runEnvironment: {},
      withScripts: {
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  ],
  [
    'pnpm pnpx',
    {
      registries: ['registry.npmjs.org'],
      cache: ['**/node_modules'],
      lockfiles: [
        '**/pnpm-lock.yaml',
        'pnpm-workspace.yaml',
        '.pnpmfile.cjs',
        '**/package.json',
        '**/.npmrc',
      ],
      environment: {
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        npm_config_package_import_method: 'copy',
        npm_config_ignore_scripts: 'true',
        pnpm_config_ignore_scripts: 'true',
      },
      runEnvironment: {},
      withScripts: {
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        npm_config_package_import_method: 'copy',
      },
    },
  ],
  [
    'yarn yarnpkg',
    {
      registries: ['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com'],
      cache: ['**/node_modules', '.yarn/cache', '.yarn/unplugged'],
      lockfiles: ['**/yarn.lock', '**/.yarnrc', '**/.yarnrc.yml', '**/package.json', '**/.npmrc'],
      environment: {
        YARN_ENABLE_GLOBAL_CACHE: 'false',
        YARN_ENABLE_TELEMETRY: 'false',
        npm_config_ignore_scripts: 'true',
        yarn_ignore_scripts: 'true',
        YARN_ENABLE_SCRIPTS: 'false',
      },
      runEnvironment: {},
      withScripts: { YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_TELEMETRY: 'false' },
    },
  ],
  [
    'pip pip3 venv',
    {
      registries: ['pypi.org', 'files.pythonhosted.org'],
      cache: ['.venv', 'venv'],
      lockfiles: [
        '**/requirements*.txt',
        '**/constraints*.txt',
        '**/pyproject.toml',
        '**/setup.py',
        '**/setup.cfg',
      ],
      environment: { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1', PIP_ONLY_BINARY: ':all:' },
      runEnvironment: {},
      withScripts: { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' },
    },
  ],
  [
    'uv uvx',
    {
      registries: ['pypi.org', 'files.pythonhosted.org'],
      cache: ['.venv'],
      lockfiles: [
        '**/uv.lock',
        'uv.toml',
        '.python-version',
        '**/requirements*.txt',
        '**/pyproject.toml',
        '**/setup.py',
        '**/setup.cfg',
      ],
      environment: { UV_LINK_MODE: 'copy', UV_PYTHON_DOWNLOADS: 'never', UV_NO_BUILD: '1' },
      runEnvironment: { UV_OFFLINE: '1', UV_NO_SYNC: '1' },
      withScripts: { UV_LINK_MODE: 'copy', UV_PYTHON_DOWNLOADS: 'never' },
    },
  ],
  [
    'poetry',
    {
      registries: ['pypi.org', 'files.pythonhosted.org'],
      cache: ['.venv'],
      lockfiles: ['poetry.lock', 'poetry.toml', '**/pyproject.toml', '**/setup.py', '**/setup.cfg'],
      environment: {
        POETRY_VIRTUALENVS_IN_PROJECT: 'true',
        POETRY_NO_INTERACTION: '1',
        POETRY_INSTALLER_ONLY_BINARY: ':all:',
      },
      runEnvironment: {},
      withScripts: { POETRY_VIRTUALENVS_IN_PROJECT: 'true', POETRY_NO_INTERACTION: '1' },
    },
  ],
  [
    'go',
    {
      registries: ['proxy.golang.org', 'sum.golang.org'],
      cache: ['~/go/pkg/mod'],
      lockfiles: ['**/go.mod', '**/go.sum', 'go.work', 'go.work.sum'],
      environment: { GOPROXY: 'https://proxy.golang.org', GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw' },
      runEnvironment: { GOPROXY: 'off', GOTOOLCHAIN: 'local' },
      withScripts: { GOPROXY: 'https://proxy.golang.org', GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw' },
    },
  ],
  [
    'cargo',
    {
      registries: ['index.crates.io', 'static.crates.io', 'crates.io'],
      cache: ['~/.cargo/registry', '~/.cargo/git'],
      lockfiles: ['**/Cargo.lock', '**/Cargo.toml', '.cargo/config.toml', 'rust-toolchain.toml'],
      environment: { CARGO_TERM_COLOR: 'never' },
      runEnvironment: { CARGO_NET_OFFLINE: 'true' },
      withScripts: { CARGO_TERM_COLOR: 'never' },
    },
  ],
  [
    'bundle bundler gem',
    {
      registries: ['rubygems.org', 'index.rubygems.org'],
      cache: ['vendor/bundle'],
      lockfiles: ['**/Gemfile', '**/Gemfile.lock', '*.gemspec', '.ruby-version'],
      environment: { BUNDLE_PATH: 'vendor/bundle', BUNDLE_SILENCE_ROOT_WARNING: '1' },
      runEnvironment: { BUNDLE_PATH: 'vendor/bundle' },
      withScripts: { BUNDLE_PATH: 'vendor/bundle', BUNDLE_SILENCE_ROOT_WARNING: '1' },
    },
  ],
  [
    'composer',
    {
      registries: ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com'],
      cache: ['vendor'],
      lockfiles: ['**/composer.json', '**/composer.lock'],
      environment: { COMPOSER_NO_INTERACTION: '1', COMPOSER_NO_AUDIT: '1', COMPOSER_ALLOW_SUPERUSER: '0' },
      runEnvironment: {},
      withScripts: { COMPOSER_NO_INTERACTION: '1', COMPOSER_NO_AUDIT: '1', COMPOSER_ALLOW_SUPERUSER: '0' },
    },
  ],
] as const;

test.each(
  known,
)('a command that calls one of %s gets the settings of its package manager', (names, settings) => {
  for (const name of names.split(' ')) {
    const { registries, cache, lockfiles, environment, runEnvironment } = setupSettings(`${name} x`);
    const withScripts = setupSettings({ commands: [name], scripts: true }).environment;
    expect({ registries, cache, lockfiles, environment, runEnvironment, withScripts }).toEqual(settings);
  }
});
