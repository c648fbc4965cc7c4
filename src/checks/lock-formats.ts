import { nameOf } from './changed-file.ts';
import {
  type Dependencies,
  npmDependencies,
  objectIn,
  pep503,
  readCargoToml,
  readComposerJson,
  readGemfile,
  readGoMod,
  readPackageJson,
  readPipfile,
  readPyproject,
} from './read-manifests.ts';

/** The state of a dependency in a lock file. */
export type Locked = 'in_step' | 'differs' | 'missing' | 'present';

/** A package manager: its manifest, its lock files, and how each is read. */
export interface LockFormat {
  readonly manifest: RegExp;
  /** The names of its lock files; they lie beside the manifest or in a folder above. */
  readonly locks: readonly string[];
  /** The command that writes the lock file. */
  readonly command: string;
  /** Dependencies by name, with the requested version. Throws for an invalid manifest. */
  readonly read: (manifest: string) => Promise<Dependencies> | Dependencies;
  /**
   * Reads a lock file once. `folder` is the manifest's, relative to the lock file; '' if they are
   * together.
   */
  readonly open: (lock: string, folder: string) => LockLookup;
  /** True where a look-up goes through all of the lock file again. */
  readonly scans: boolean;
}

/** Looks up a dependency by name and requested version. */
export type LockLookup = (name: string, wanted: string) => Locked;

const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const has = (lock: string, pattern: string): Locked =>
  new RegExp(pattern, 'm').test(lock) ? 'present' : 'missing';

/**
 * package-lock.json: `packages` contains the requests of each folder's manifest (npm,
 * "package-lock.json").
 */
function inPackageLock(lock: string, folder: string): LockLookup {
  const parsed: unknown = JSON.parse(lock);
  const own = objectIn(objectIn(parsed, 'packages'), folder);
  if (own === null) {
    const legacy = new Map(Object.entries(objectIn(parsed, 'dependencies') ?? {}));
    return (name) => (typeof (legacy.get(name) ?? '') === 'object' ? 'present' : 'missing');
  }
  const requested = npmDependencies(own);
  return (name, wanted) => {
    const locked = requested.get(name);
    if (locked === undefined) return 'missing';
    return locked === wanted ? 'in_step' : 'differs';
  };
}

/** yarn.lock, of Yarn 1 (`name@^1.0.0:`) and later (`"name@npm:^1.0.0":`). */
const inYarnLock =
  (lock: string): LockLookup =>
  (name, wanted) => {
    const range = wanted.replace(/^npm:/, '');
    if (has(lock, `^[^#\\s].*(?:^|["\\s,])${quoted(name)}@(?:npm:)?${quoted(range)}["',:\\s]`) === 'present')
      return 'in_step';
    if (has(lock, `^"?(?:.*[\\s,"])?${quoted(name)}@`) === 'missing') return 'missing';
    return /^[\d^~<>=*]/.test(range) ? 'differs' : 'present';
  };

const inPnpmLock =
  (lock: string): LockLookup =>
  (name) =>
    has(lock, `^[ \\t]+'?${quoted(name)}'?:`);
const inBunLock =
  (lock: string): LockLookup =>
  (name) =>
    has(lock, `"${quoted(name)}"[ \\t]*:`);
const tomlPackage = (lock: string): LockLookup => {
  const names = new Set([...lock.matchAll(/^name = "([^"\n]+)"/gm)].map(([, one = '']) => pep503(one)));
  return (name) => (names.has(pep503(name)) ? 'present' : 'missing');
};

const node = (command: string, locks: readonly string[], open: LockFormat['open']): LockFormat => ({
  manifest: /(?:^|\/)package\.json$/,
  ...{ locks, command, open },
  read: readPackageJson,
  scans: open !== inPackageLock,
});
const python = (command: string, lock: string): LockFormat => ({
  manifest: /(?:^|\/)pyproject\.toml$/,
  locks: [lock],
  command,
  read: readPyproject,
  open: tomlPackage,
  scans: false,
});

/** Every package manager whose manifest and lock file are compared. */
export const lockFormats: readonly LockFormat[] = [
  node('npm install', ['package-lock.json', 'npm-shrinkwrap.json'], inPackageLock),
  node('yarn install', ['yarn.lock'], inYarnLock),
  node('pnpm install', ['pnpm-lock.yaml'], inPnpmLock),
  node('bun install', ['bun.lock'], inBunLock),
  python('poetry lock', 'poetry.lock'),
  python('uv lock', 'uv.lock'),
  python('pdm lock', 'pdm.lock'),
  {
    manifest: /(?:^|\/)Pipfile$/,
    locks: ['Pipfile.lock'],
    command: 'pipenv lock',
    scans: true,
    read: readPipfile,
    open: (lock) => (name) => has(lock, `"${quoted(pep503(name))}"[ \\t]*:`),
  },
  {
    manifest: /(?:^|\/)Cargo\.toml$/,
    locks: ['Cargo.lock'],
    command: 'cargo update --workspace',
    scans: true,
    read: readCargoToml,
    open: (lock) => (name) => has(lock, `^name = "${quoted(name)}"$`),
  },
  {
    manifest: /(?:^|\/)go\.mod$/,
    locks: ['go.sum'],
    command: 'go mod tidy',
    scans: true,
    read: readGoMod,
    open: (lock) => (name, wanted) => {
      if (has(lock, `^${quoted(name)} ${quoted(wanted)}(?:/go\\.mod)? h1:`) === 'present') return 'in_step';
      return has(lock, `^${quoted(name)} v`) === 'present' ? 'differs' : 'missing';
    },
  },
  {
    manifest: /(?:^|\/)(?:Gemfile|gems\.rb)$/,
    locks: ['Gemfile.lock', 'gems.locked'],
    command: 'bundle lock',
    scans: true,
    read: readGemfile,
    open: (lock) => (name) => has(lock, `^ {2,4}${quoted(name)}(?:[ !(]|$)`),
  },
  {
    manifest: /(?:^|\/)composer\.json$/,
    locks: ['composer.lock'],
    command: 'composer update --lock',
    scans: true,
    read: readComposerJson,
    open: (lock) => (name) => has(lock, `"name": "${quoted(name)}"`),
  },
];

const lockNames: ReadonlySet<string> = new Set(lockFormats.flatMap(({ locks }) => locks));

/** True for the lock file of any package manager that is known here. */
export function isLockFile(path: string): boolean {
  return lockNames.has(nameOf(path)) || nameOf(path) === 'bun.lockb';
}

/** Paths where the lock file of a manifest may lie, best first; empty for other files. */
export function lockPaths(path: string): string[] {
  const names = lockFormats.filter(({ manifest }) => manifest.test(path)).flatMap(({ locks }) => locks);
  if (names.length === 0) return [];
  return foldersUp(path).flatMap((folder) =>
    names.map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
}

/** The folder of a path and all above it, down to the root, which is ''. */
export function foldersUp(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return [...parts.keys()].map((count) => parts.slice(0, parts.length - count).join('/')).concat('');
}
