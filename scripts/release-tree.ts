import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** The search program, which the bundle finds beside itself, for both architectures. */
const searchPackages = ['ripgrep', 'ripgrep-linux-x64', 'ripgrep-linux-arm64'].map(
  (name) => `@vscode/${name}`,
);

/**
 * Makes the tree of a release's tag in an empty folder: the Action at the root and in `action/`, its
 * bundle, and the search program. The bundle must be built. The registry is asked for a package
 * once; each must have the digest of `package-lock.json`.
 */
export async function makeReleaseTree(folder: string): Promise<void> {
  const dist = path.join(folder, 'action/dist');
  await cp(path.join(root, 'action/dist'), dist, { recursive: true });
  for (const name of searchPackages) {
    const target = path.join(dist, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', await packageFile(name), '-C', target, '--strip-components=1']);
  }
  const own = await readFile(path.join(root, 'action/action.yml'), 'utf8');
  await writeFile(path.join(folder, 'action/action.yml'), own);
  await writeFile(path.join(folder, 'action.yml'), atRoot(own));
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
}

/** Returns the Action's metadata for the root of the tag, from that of its folder. */
export function atRoot(metadata: string): string {
  return metadata.replaceAll(/^( {2}(?:pre|main|post): )(dist\/)/gm, '$1action/$2');
}

/**
 * Commits a tree to a repository without touching its branch or checkout. Returns the commit, whose
 * parent is HEAD. The author is that of git's configuration or environment.
 */
export async function commitTree(repository: string, folder: string, message: string): Promise<string> {
  const git = async (...words: readonly string[]) => {
    // The folder of git itself: an index of ours leaves the repository's own as it is.
    const env = { ...process.env, GIT_INDEX_FILE: path.join(path.dirname(folder), 'release-index') };
    return (await run('git', ['-C', repository, ...words], { env })).stdout.trim();
  };
  await git('read-tree', '--empty');
  await git(`--work-tree=${folder}`, 'add', '--all', '--force', '.');
  return git('commit-tree', await git('write-tree'), '-p', 'HEAD', '-m', message);
}

/** Returns lines of `sha256sum` for every file of a tree, sorted by path. */
export async function checksums(folder: string): Promise<string> {
  const lines = (await filesOf(folder)).map(async (file) => {
    const digest = createHash('sha256').update(await readFile(path.join(folder, file)));
    return `${digest.digest('hex')}  ${file}\n`;
  });
  return (await Promise.all(lines)).join('');
}

/** Returns the bytes of all files of a tree. */
export async function treeBytes(folder: string): Promise<number> {
  const sizes = (await filesOf(folder)).map(async (file) => (await stat(path.join(folder, file))).size);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Returns the path of a package's archive, as `package-lock.json` describes it. */
async function packageFile(name: string): Promise<string> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const cache = path.join(root, 'node_modules/.cache/release');
  const file = path.join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!(await hasDigest(file, integrity))) {
    await mkdir(cache, { recursive: true });
    await run('npm', ['pack', '--silent', '--pack-destination', cache, `${name}@${version}`]);
    if (!(await hasDigest(file, integrity)))
      throw new Error(`${name}@${version} is not the package of package-lock.json.`);
  }
  return file;
}

async function hasDigest(file: string, integrity: string): Promise<boolean> {
  const content = await readFile(file).catch(() => null);
  return content !== null && `sha512-${createHash('sha512').update(content).digest('base64')}` === integrity;
}

if (import.meta.main) {
  const [folder, version] = process.argv.slice(2);
  if (folder === undefined || version === undefined)
    throw new Error('Usage: release-tree.ts FOLDER VERSION. Prints the commit; writes FOLDER.sha256.');
  const target = path.resolve(folder);
  await makeReleaseTree(target);
  await writeFile(`${target}.sha256`, await checksums(target));
  console.log(await commitTree(root, target, `Release ${version}`));
}
