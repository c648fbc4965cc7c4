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

/** What a lock file says of one dependency of a manifest. */
export type Locked = 'in_step' | 'differs' | 'missing' | 'present';

/** A package manager: its manifest, its lock files, and how each is read. */
export interface LockFormat {
  readonly manifest: RegExp;
  /** The names of its lock files; they lie beside the manifest or in a folder above. */
  readonly locks: readonly string[];
  /** The command that writes the lock file. */
  readonly command: string;
  /** Dependencies by name, with what is asked for; throws for a text that is no manifest. */
  readonly read: (manifest: string) => Promise<Dependencies> | Dependencies;
  /** `folder` is the manifest's, relative to the lock file; '' where they lie together. */
  readonly locked: (lock: string, name: string, wanted: string, folder: string) => Locked;
}

const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const has = (lock: string, pattern: string): Locked =>
  new RegExp(pattern, 'm').test(lock) ? 'present' : 'missing';

/** package-lock.json: `packages` names for each folder what its manifest asked for (npm, "package-lock.json"). */
function inPackageLock(lock: string, name: string, wanted: string, folder: string): Locked {
  const parsed: unknown = JSON.parse(lock);
  const own = objectIn(objectIn(parsed, 'packages'), folder);
  if (own === null) return objectIn(objectIn(parsed, 'dependencies'), name) === null ? 'missing' : 'present';
  const known = npmDependencies(own).get(name);
  if (known === undefined) return 'missing';
  return known === wanted ? 'in_step' : 'differs';
}

/** yarn.lock, of Yarn 1 (`name@^1.0.0:`) and later (`"name@npm:^1.0.0":`). */
function inYarnLock(lock: string, name: string, wanted: string): Locked {
  const range = wanted.replace(/^npm:/, '');
  if (has(lock, `^[^#\\s].*(?:^|["\\s,])${quoted(name)}@(?:npm:)?${quoted(range)}["',:\\s]`) === 'present')
    return 'in_step';
  if (has(lock, `^"?(?:.*[\\s,"])?${quoted(name)}@`) === 'missing') return 'missing';
  return /^[\d^~<>=*]/.test(range) ? 'differs' : 'present';
}

const inPnpmLock = (lock: string, name: string): Locked => has(lock, `^\\s+'?${quoted(name)}'?:`);
const inBunLock = (lock: string, name: string): Locked => has(lock, `"${quoted(name)}"\\s*:`);
const tomlPackage = (lock: string, name: string): Locked => {
  const names = [...lock.matchAll(/^name = "([^"]+)"/gm)].map(([, one = '']) => pep503(one));
  return names.includes(pep503(name)) ? 'present' : 'missing';
};

const nodeLock = (lockName: string): LockFormat['locked'] =>
  lockName.startsWith('yarn')
    ? inYarnLock
    : lockName.startsWith('pnpm')
      ? inPnpmLock
      : lockName.startsWith('bun')
        ? inBunLock
        : inPackageLock;

const node = (command: string, locks: readonly string[]): LockFormat => ({
  manifest: /(?:^|\/)package\.json$/,
  locks,
  command,
  read: readPackageJson,
  locked: nodeLock(locks[0] ?? ''),
});
const python = (command: string, lock: string): LockFormat => ({
  manifest: /(?:^|\/)pyproject\.toml$/,
  locks: [lock],
  command,
  read: readPyproject,
  locked: tomlPackage,
});

/** Every package manager whose manifest and lock file are compared. */
export const lockFormats: readonly LockFormat[] = [
  node('npm install', ['package-lock.json', 'npm-shrinkwrap.json']),
  node('yarn install', ['yarn.lock']),
  node('pnpm install', ['pnpm-lock.yaml']),
  node('bun install', ['bun.lock']),
  python('poetry lock', 'poetry.lock'),
  python('uv lock', 'uv.lock'),
  python('pdm lock', 'pdm.lock'),
  {
    manifest: /(?:^|\/)Pipfile$/,
    locks: ['Pipfile.lock'],
    command: 'pipenv lock',
    read: readPipfile,
    locked: (lock, name) => has(lock, `"${quoted(pep503(name))}"\\s*:`),
  },
  {
    manifest: /(?:^|\/)Cargo\.toml$/,
    locks: ['Cargo.lock'],
    command: 'cargo update --workspace',
    read: readCargoToml,
    locked: (lock, name) => has(lock, `^name = "${quoted(name)}"$`),
  },
  {
    manifest: /(?:^|\/)go\.mod$/,
    locks: ['go.sum'],
    command: 'go mod tidy',
    read: readGoMod,
    locked: (lock, name, wanted) => {
      if (has(lock, `^${quoted(name)} ${quoted(wanted)}(?:/go\\.mod)? h1:`) === 'present') return 'in_step';
      return has(lock, `^${quoted(name)} v`) === 'present' ? 'differs' : 'missing';
    },
  },
  {
    manifest: /(?:^|\/)(?:Gemfile|gems\.rb)$/,
    locks: ['Gemfile.lock', 'gems.locked'],
    command: 'bundle lock',
    read: readGemfile,
    locked: (lock, name) => has(lock, `^ {2,4}${quoted(name)}(?:[ !(]|$)`),
  },
  {
    manifest: /(?:^|\/)composer\.json$/,
    locks: ['composer.lock'],
    command: 'composer update --lock',
    read: readComposerJson,
    locked: (lock, name) => has(lock, `"name": "${quoted(name)}"`),
  },
];

const lockNames: ReadonlySet<string> = new Set(lockFormats.flatMap(({ locks }) => locks));

/** True for the lock file of any package manager that is known here. */
export function isLockFile(path: string): boolean {
  return lockNames.has(nameOf(path)) || nameOf(path) === 'bun.lockb';
}

/** Where the lock files of a manifest may lie, best first; empty for a file that is none. */
export function lockPlaces(path: string): string[] {
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
