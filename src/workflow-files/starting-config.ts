/**
 * Commands that install dependencies, by the lock file at the root that belongs to them; the first
 * that is there counts. Sources: each package manager's page on reproducible installation.
 */
const installations: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install --frozen-lockfile',
  'package-lock.json': 'npm ci',
  'npm-shrinkwrap.json': 'npm ci',
  'uv.lock': 'uv sync --frozen',
  'poetry.lock': 'poetry install --no-interaction',
  'go.sum': 'go mod download',
  'Cargo.lock': 'cargo fetch --locked',
  'Gemfile.lock': 'bundle install',
  'composer.lock': 'composer install --no-scripts --no-plugins',
};

/** Lock files that `setupFor` knows. */
export const knownLockfiles = Object.keys(installations);

/** Returns the commands that install what the lock files name: one for each ecosystem. */
export function setupFor(lockfiles: readonly string[]): string[] {
  const found = Object.entries(installations).filter(([name]) => lockfiles.includes(name));
  const javascript = found.filter(([, command]) => /^(?:pnpm|yarn|npm) /.test(command)).slice(0, 1);
  const python = found.filter(([, command]) => /^(?:uv|poetry) /.test(command)).slice(0, 1);
  const others = found.filter(([, command]) => !/^(?:pnpm|yarn|npm|uv|poetry) /.test(command));
  return [...javascript, ...python, ...others].map(([, command]) => command);
}

/** Returns the text of a first `.github/anode.yml`, with the installation of dependencies. */
export function startingConfig(setup: readonly string[]): string {
  const [only] = setup;
  const commands = setup.map((command) => `    - ${command}\n`).join('');
  const installation = setup.length > 1 ? `setup:\n  commands:\n${commands}` : `setup: ${only}\n`;
  return [
    '# Configuration of Anode CI. Only the file on the default branch counts.\n',
    'permissions:\n',
    '  # careful: commands run in a sandbox without network, and destructive ones are refused.\n',
    '  preset: careful\n',
    ...(setup.length === 0
      ? []
      : [
          '# Installs dependencies before the agent starts, in a sandbox that reaches only registries.\n',
          installation,
        ]),
  ].join('');
}
