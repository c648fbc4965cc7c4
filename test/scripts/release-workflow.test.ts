import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const run = promisify(execFile);
const Step = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
});
const Workflow = z.object({
  jobs: z.object({ release: z.object({ env: z.record(z.string(), z.string()), steps: z.array(Step) }) }),
});
const { env: jobEnv, steps } = Workflow.parse(parse(await readFile('.github/workflows/release.yml', 'utf8')))
  .jobs.release;

const packages = ['ripgrep', 'ripgrep-linux-x64', 'ripgrep-linux-arm64'];

/** Stands in for GitHub's program: notes its calls, and stores the files of a release. */
const gh = `#!/bin/bash
set -e
echo "gh $*" >> "$CALLS"
[[ "$GH_TOKEN" == token-of-the-job ]]
if [[ "$1 $2" == "release create" ]]; then
  git ls-remote --exit-code origin "refs/tags/$3" > /dev/null
  mkdir -p "$ASSETS/$3"
  for file in "\${@:4}"; do if [[ -f "$file" ]]; then cp "$file" "$ASSETS/$3/"; fi; done
fi
`;

let folder: string;
const at = (...names: readonly string[]) => path.join(folder, ...names);
const git = async (where: string, ...words: readonly string[]) =>
  (
    await run('git', ['-C', where, '-c', 'user.name=ada', '-c', 'user.email=ada@example.com', ...words])
  ).stdout.trim();
const origin = (...words: readonly string[]) => git(at('origin.git'), ...words);
const commitOf = (tag: string) => origin('rev-parse', '--verify', `refs/tags/${tag}`);
const calls = async () => (await readFile(at('calls'), 'utf8')).trim().split('\n').filter(Boolean);

async function write(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Writes a package's archive where the release looks for it, and returns its row in a lock file. */
async function packArchive(name: string): Promise<readonly [string, object]> {
  await write(at('archive', 'package', 'package.json'), JSON.stringify({ name: `@vscode/${name}` }));
  const file = at('cache', `vscode-${name}-1.0.0.tgz`);
  await mkdir(at('cache'), { recursive: true });
  await run('tar', ['-czf', file, '-C', at('archive'), 'package']);
  const digest = createHash('sha512').update(await readFile(file));
  return [
    `node_modules/@vscode/${name}`,
    { version: '1.0.0', integrity: `sha512-${digest.digest('base64')}` },
  ];
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-release-'));
  await mkdir(at('origin.git'));
  await git(at('origin.git'), 'init', '-q', '--bare', '-b', 'main');
  await git(folder, 'clone', '-q', at('origin.git'), 'sources');
  const rows = [];
  for (const name of packages) rows.push(await packArchive(name));
  await write(at('sources', 'package-lock.json'), JSON.stringify({ packages: Object.fromEntries(rows) }));
  await write(at('sources', '.gitignore'), 'dist/\nnode_modules/\n');
  await write(at('sources', '.ci/run'), '#!/bin/bash\necho tests >> "$CALLS"\n');
  await chmod(at('sources', '.ci/run'), 0o755);
  for (const file of ['scripts/release-tree.ts', 'action/action.yml', 'LICENSE'])
    await cp(file, at('sources', file));
  for (const [name, text] of [
    ['gh', gh] as const,
    ['sudo', '#!/bin/bash\necho "sudo $*" >> "$CALLS"\n'] as const,
  ]) {
    await write(at('bin', name), text);
    await chmod(at('bin', name), 0o755);
  }
  await writeFile(at('calls'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a version on the branch, whose check and build are small ones. */
async function pushVersion(version: string, { check = 'echo check >> "$CALLS"' } = {}): Promise<void> {
  const build = `echo build >> "$CALLS"; mkdir -p action/dist dist; echo ${version} | tee action/dist/index.js dist/cli.js`;
  const manifest = { name: 'anode-ci', version, type: 'module', files: ['dist'], scripts: { check, build } };
  await write(at('sources', 'package.json'), JSON.stringify(manifest));
  await write(at('sources', 'CHANGELOG.md'), `# Changelog\n\n## ${version}\n`);
  await git(at('sources'), 'add', '.');
  await git(at('sources'), 'commit', '-q', '-m', `Version ${version}`);
  await git(at('sources'), 'push', '-q', 'origin', 'HEAD:main');
}

interface Played {
  /** The name of the step that failed, with what it printed; null if none did. */
  readonly failed: string | null;
  readonly printed: string;
  /** The checksums that were attested. */
  readonly attested: string | null;
  /** The commit that was built. */
  readonly built: string;
}

/** Plays the steps of the workflow as a runner does, on a checkout of depth 1. */
async function release(version: string): Promise<Played> {
  for (const name of ['workspace', 'temp']) await rm(at(name), { recursive: true, force: true });
  await mkdir(at('temp'));
  await git(folder, 'clone', '-q', '--depth', '1', `file://${at('origin.git')}`, 'workspace');
  await cp(at('cache'), at('workspace', 'node_modules/.cache/release'), { recursive: true });
  const built = await git(at('workspace'), 'rev-parse', 'HEAD');
  const expressions: Record<string, string> = {
    'inputs.version': version,
    'github.token': 'token-of-the-job',
    'runner.temp': at('temp'),
  };
  const filled = (text: string) =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
      const value = expressions[name];
      if (value === undefined) throw new Error(`no value for ${name}`);
      return value;
    });
  const fill = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, filled(text)]));
  let attested: string | null = null;
  for (const step of steps) {
    if (step.uses?.startsWith('actions/attest-build-provenance@'))
      attested = await readFile(filled(String(step.with['subject-checksums'])), 'utf8');
    if (step.run === undefined) continue;
    await writeFile(at('output'), '');
    await writeFile(at('script.sh'), filled(step.run));
    const environment = {
      ...{ PATH: `${at('bin')}:${process.env.PATH}`, HOME: at('temp'), CALLS: at('calls') },
      ...{ ASSETS: at('assets'), GITHUB_OUTPUT: at('output'), GITHUB_WORKSPACE: at('workspace') },
      ...{ RUNNER_TEMP: at('temp'), npm_config_registry: 'http://127.0.0.1:9' },
      ...{ ...fill(jobEnv), ...fill(step.env) },
    };
    const ended = await run('bash', ['-e', at('script.sh')], {
      cwd: at('workspace'),
      env: environment,
    }).catch((error: { readonly stdout: string; readonly stderr: string }) => ({ ...error, code: 1 }));
    if ('code' in ended)
      return { failed: step.name ?? '', printed: ended.stdout + ended.stderr, attested, built };
    for (const [, name, value] of (await readFile(at('output'), 'utf8')).matchAll(/^(\w+)=(.*)$/gm))
      expressions[`steps.${step.id}.outputs.${name}`] = value ?? '';
  }
  return { failed: null, printed: '', attested, built };
}

test('a release is a tag of what was built, with checksums that hold and are attested', async () => {
  await pushVersion('1.3.0');
  const { failed, printed, attested, built } = await release('1.3.0');
  expect([failed, printed]).toEqual([null, '']);
  const tag = await commitOf('v1.3.0');
  // A user's folder: the tag's checkout, with the files of the release beside it.
  await git(folder, 'clone', '-q', '-b', 'v1.3.0', `file://${at('origin.git')}`, 'released');
  await cp(at('assets', 'v1.3.0'), at('released'), { recursive: true });
  const sums = await readFile(at('released', 'SHA256SUMS'), 'utf8');
  const [verify = ''] = /^sha256sum .*$/m.exec(await readFile('docs/action.md', 'utf8')) ?? [];
  const verified = (command: string) => run('bash', ['-c', command], { cwd: at('released') });
  const { stdout } = await verified(verify.replace(' --quiet', ''));
  const files = await origin('ls-tree', '-r', '--name-only', tag);
  expect({
    files: files.split('\n'),
    parents: await origin('log', '-1', '--format=%P %an %s', tag),
    main: await origin('rev-parse', 'main'),
    major: await commitOf('v1'),
    bundle: await origin('show', `${tag}:action/dist/index.js`),
    verified: stdout.trim().split('\n'),
    isAttested: attested === sums,
    assets: (await readdir(at('assets', 'v1.3.0'))).sort(),
    calls: (await calls()).map((line) => line.replaceAll(folder, '')),
  }).toEqual({
    files: [
      'LICENSE',
      'action.yml',
      'action/action.yml',
      'action/dist/index.js',
      'action/dist/node_modules/@vscode/ripgrep-linux-arm64/package.json',
      'action/dist/node_modules/@vscode/ripgrep-linux-x64/package.json',
      'action/dist/node_modules/@vscode/ripgrep/package.json',
    ],
    parents: `${built} github-actions[bot] Release 1.3.0`,
    ...{ main: built, major: tag, bundle: '1.3.0' },
    verified: expect.arrayContaining(
      [...files.split('\n'), 'anode-ci-1.3.0.tgz'].map((file) => `${file}: OK`),
    ),
    ...{ isAttested: true, assets: ['SHA256SUMS', 'anode-ci-1.3.0.tgz'] },
    calls: [
      'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
      ...['check', 'tests', 'build'],
      'gh auth setup-git',
      'gh release create v1.3.0 --verify-tag --latest=true --title v1.3.0 --generate-notes ' +
        '/temp/release/SHA256SUMS /temp/release/anode-ci-1.3.0.tgz',
    ],
  });
  expect(stdout.trim().split('\n')).toHaveLength(files.split('\n').length + 1);
  await writeFile(at('released', 'action/dist/index.js'), 'changed\n');
  await expect(verified(verify)).rejects.toThrow('WARNING: 1 computed checksum did NOT match');
});

test('the major tag follows the newest version, and stays for a repair of an older one', async () => {
  const tags = async (version: string) => {
    await pushVersion(version);
    const { failed, printed } = await release(version);
    const [full, one] = [await commitOf(`v${version}`), await commitOf('v1')];
    const latest = (await calls()).at(-1)?.match(/--latest=(\w+)/)?.[1];
    return { failed, printed, isMoved: full === one, latest };
  };
  const moved = { failed: null, printed: '', isMoved: true, latest: 'true' };
  const stayed = { ...moved, isMoved: false, latest: 'false' };
  expect([await tags('1.3.0'), await tags('1.2.1'), await tags('1.10.0'), await tags('2.0.0')]).toEqual([
    ...[moved, stayed, moved, { ...moved, isMoved: false }],
  ]);
  expect([await commitOf('v2'), await commitOf('v1')]).toEqual([
    await commitOf('v2.0.0'),
    await commitOf('v1.10.0'),
  ]);
  // The newest version of its major, but not the newest of all.
  expect(await tags('1.10.1')).toEqual({ ...moved, latest: 'false' });
});

test('a wrong version is refused with the reason, before anything is built', async () => {
  await pushVersion('1.3.0');
  const refused = async (version: string) => {
    const { failed, printed, attested } = await release(version);
    return [failed, printed.trim(), attested];
  };
  const step = 'The version is the one in package.json, and new';
  const refusal = (reason: string) => [step, `::error::${reason}`, null];
  expect([await refused('1.3'), await refused('1.3.0; id'), await refused('1.4.0')]).toEqual([
    refusal('1.3 is no version such as 1.2.3.'),
    refusal('1.3.0; id is no version such as 1.2.3.'),
    refusal('package.json has the version 1.3.0, not 1.4.0.'),
  ]);
  await git(at('sources'), 'push', '-q', 'origin', 'HEAD:refs/tags/v1.3.0');
  expect(await refused('1.3.0')).toEqual(refusal('The tag v1.3.0 exists. A version is released once.'));
  await pushVersion('1.4.0');
  // A longer number that begins the same is another version.
  await write(at('sources', 'CHANGELOG.md'), '# Changelog\n\n## 1.4.01\n');
  await git(at('sources'), 'commit', '-q', '-a', '-m', 'No section');
  await git(at('sources'), 'push', '-q', 'origin', 'HEAD:main');
  expect(await refused('1.4.0')).toEqual(refusal('CHANGELOG.md has no section 1.4.0.'));
  expect([await calls(), await origin('tag')]).toEqual([[], 'v1.3.0']);
});

test('where GitHub cannot be asked for the tag, nothing is built', async () => {
  await pushVersion('1.3.0');
  const broken = '#!/bin/bash\n[[ "$1" != ls-remote ]] || exit 128\nexec /usr/bin/git "$@"\n';
  await write(at('bin', 'git'), broken);
  await chmod(at('bin', 'git'), 0o755);
  const { failed } = await release('1.3.0');
  expect([failed, await calls()]).toEqual(['The version is the one in package.json, and new', []]);
});

test('a failed check leaves no tag and no release', async () => {
  await pushVersion('1.3.0', { check: 'false' });
  const { failed, attested } = await release('1.3.0');
  expect([failed, attested, await calls(), await origin('tag')]).toEqual([
    ...['Check and test', null, ['sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'], ''],
  ]);
});
