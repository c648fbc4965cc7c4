/** Defaults for a package manager, which a `setup` need not repeat. */
export interface Ecosystem {
  /** Program names in commands. */
  readonly programs: readonly string[];
  readonly registries: readonly string[];
  /** Globs, from the root, of the files that determine what is installed. */
  readonly lockfiles: readonly string[];
  /** Globs of the folders it creates; `~/` is the commands' home. */
  readonly folders: readonly string[];
  /** Variables that disable install scripts of packages; empty without such a setting. */
  readonly withoutScripts: Readonly<Record<string, string>>;
  /** Variables for use in a sandbox: within the checkout, non-interactive. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Variables for the run's commands: they find the packages and fail at once if some are missing.
   */
  readonly runEnvironment?: Readonly<Record<string, string>>;
}

const npmRegistries = ['registry.npmjs.org'];
const npmFolders = ['**/node_modules'];
const npmManifests = ['**/package.json', '**/.npmrc'];
const npmSilent = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};
const npmWithoutScripts = { npm_config_ignore_scripts: 'true' };
const pythonRegistries = ['pypi.org', 'files.pythonhosted.org'];
const pythonManifests = ['**/pyproject.toml', '**/setup.py', '**/setup.cfg'];

/**
 * Known package managers, by their documentation: npm, "config"; pnpm, "settings"; Yarn, "Settings"
 * and, for version 1, "yarnrc"; pip, "Configuration"; uv, "Environment variables"; Poetry,
 * "Configuration"; Go, "Modules reference"; Cargo, "Environment variables"; Bundler, "config";
 * Composer, "Command-line interface".
 */
export const ecosystems: readonly Ecosystem[] = [
  {
    programs: ['npm', 'npx'],
    registries: npmRegistries,
    lockfiles: ['**/package-lock.json', '**/npm-shrinkwrap.json', ...npmManifests],
    folders: npmFolders,
    withoutScripts: npmWithoutScripts,
    environment: npmSilent,
  },
  {
    programs: ['pnpm', 'pnpx'],
    registries: npmRegistries,
    lockfiles: ['**/pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', ...npmManifests],
    folders: npmFolders,
    withoutScripts: { ...npmWithoutScripts, pnpm_config_ignore_scripts: 'true' },
    // The store is in the home, on another file system, so packages are copied.
    environment: { ...npmSilent, npm_config_package_import_method: 'copy' },
  },
  {
    programs: ['yarn', 'yarnpkg'],
    registries: [...npmRegistries, 'registry.yarnpkg.com', 'repo.yarnpkg.com'],
    lockfiles: ['**/yarn.lock', '**/.yarnrc', '**/.yarnrc.yml', ...npmManifests],
    folders: [...npmFolders, '.yarn/cache', '.yarn/unplugged'],
    withoutScripts: {
      ...npmWithoutScripts,
      yarn_ignore_scripts: 'true',
      YARN_ENABLE_SCRIPTS: 'false',
    },
    environment: { YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_TELEMETRY: 'false' },
  },
  {
    programs: ['pip', 'pip3', 'venv'],
    registries: pythonRegistries,
    lockfiles: ['**/requirements*.txt', '**/constraints*.txt', ...pythonManifests],
    folders: ['.venv', 'venv'],
    withoutScripts: { PIP_ONLY_BINARY: ':all:' },
    environment: { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' },
  },
  {
    programs: ['uv', 'uvx'],
    registries: pythonRegistries,
    lockfiles: ['**/uv.lock', 'uv.toml', '.python-version', '**/requirements*.txt', ...pythonManifests],
    folders: ['.venv'],
    withoutScripts: { UV_NO_BUILD: '1' },
    environment: { UV_LINK_MODE: 'copy', UV_PYTHON_DOWNLOADS: 'never' },
    // `uv run` would update the environment, which is read-only.
    runEnvironment: { UV_OFFLINE: '1', UV_NO_SYNC: '1' },
  },
  {
    programs: ['poetry'],
    registries: pythonRegistries,
    lockfiles: ['poetry.lock', 'poetry.toml', ...pythonManifests],
    folders: ['.venv'],
    withoutScripts: { POETRY_INSTALLER_ONLY_BINARY: ':all:' },
    environment: { POETRY_VIRTUALENVS_IN_PROJECT: 'true', POETRY_NO_INTERACTION: '1' },
  },
  {
    programs: ['go'],
    registries: ['proxy.golang.org', 'sum.golang.org'],
    lockfiles: ['**/go.mod', '**/go.sum', 'go.work', 'go.work.sum'],
    folders: ['~/go/pkg/mod'],
    // Downloading runs nothing; without `direct` no version control is started either.
    withoutScripts: {},
    environment: { GOPROXY: 'https://proxy.golang.org', GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw' },
    runEnvironment: { GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  },
  {
    programs: ['cargo'],
    registries: ['index.crates.io', 'static.crates.io', 'crates.io'],
    lockfiles: ['**/Cargo.lock', '**/Cargo.toml', '.cargo/config.toml', 'rust-toolchain.toml'],
    folders: ['~/.cargo/registry', '~/.cargo/git'],
    // `cargo fetch` runs nothing, builds run build scripts; no setting separates them.
    withoutScripts: {},
    environment: { CARGO_TERM_COLOR: 'never' },
    runEnvironment: { CARGO_NET_OFFLINE: 'true' },
  },
  {
    programs: ['bundle', 'bundler', 'gem'],
    registries: ['rubygems.org', 'index.rubygems.org'],
    lockfiles: ['**/Gemfile', '**/Gemfile.lock', '*.gemspec', '.ruby-version'],
    folders: ['vendor/bundle'],
    withoutScripts: {},
    environment: { BUNDLE_PATH: 'vendor/bundle', BUNDLE_SILENCE_ROOT_WARNING: '1' },
    runEnvironment: { BUNDLE_PATH: 'vendor/bundle' },
  },
  {
    programs: ['composer'],
    registries: ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com'],
    lockfiles: ['**/composer.json', '**/composer.lock'],
    folders: ['vendor'],
    // Only the options --no-scripts and --no-plugins do this.
    withoutScripts: {},
    environment: { COMPOSER_NO_INTERACTION: '1', COMPOSER_NO_AUDIT: '1', COMPOSER_ALLOW_SUPERUSER: '0' },
  },
];
