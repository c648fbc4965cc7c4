import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { etcParts } from '../../src/sandbox/mounted-etc.ts';
import { type SandboxLayout, workspaceArguments } from '../../src/sandbox/sandbox-layout.ts';
import { setupArguments } from '../../src/sandbox/setup-layout.ts';
import { isFolderBelow, isReachable, toolchainFolders } from '../../src/sandbox/toolchain-folders.ts';

const layout: SandboxLayout = {
  root: '/srv/tree',
  mounts: ['/srv/tree/a', '/srv/tree/b'],
  dotGit: 'none',
  gitDirectory: null,
  objectFolders: [],
  borrowing: [],
  alternatesFile: '/files/alternates',
  emptyFile: '/files/empty',
  gitFile: '/files/gitfile',
  pins: [],
  masked: [],
  harness: false,
  etc: { folder: '/files/etc', bound: ['/etc/ssl'] },
  readOnly: [],
  repositories: [],
};

/** Lists a layout's additions to the sandbox of the system, by flag; `=` for the root. */
function added(change: Partial<SandboxLayout>): string[] {
  const args = workspaceArguments({ ...layout, ...change });
  const text = args.slice(args.indexOf('/var/run') + 1).join(' ');
  return text.split(/ (?=--)/);
}
const first = '--bind /srv/tree /srv/tree';
const last = ['--remount-ro /', '--chdir /srv/tree'];

test('a workspace without git is mounted by itself', () => {
  expect(added({})).toEqual([first, ...last]);
});

test.each<[title: string, change: Partial<SandboxLayout>, between: string[]]>([
  ['an empty .git folder', { dotGit: 'folder' }, ['--size 67108864', '--tmpfs /srv/tree/.git']],
  ['an empty .git file', { dotGit: 'file' }, ['--ro-bind /dev/null /srv/tree/.git']],
  [
    'a git directory behind a .git file',
    { dotGit: 'file', gitDirectory: '/g', objectFolders: ['/o', '/p'] },
    [
      ...[
        '--ro-bind /o /run/anode/objects/0',
        '--ro-bind /p /run/anode/objects/1',
        '--bind /g /run/anode/git',
      ],
      ...['--ro-bind /files/gitfile /srv/tree/.git'],
      '--ro-bind /files/alternates /run/anode/git/objects/info/alternates',
    ],
  ],
  [
    'all of it for reading',
    { dotGit: 'folder', gitDirectory: '/g', readOnlyRoot: true },
    [
      ...['--ro-bind /srv/tree/a /srv/tree/a', '--ro-bind /srv/tree/b /srv/tree/b'],
      ...['--ro-bind /g /srv/tree/.git', '--remount-ro /srv/tree'],
    ],
  ],
  [
    'what a set-up made',
    {
      setup: {
        folders: [{ folder: '/s/0', target: '/srv/tree/node_modules' }],
        scratch: ['/srv/tree/node_modules/.cache'],
        builtAt: '/var/old',
      },
    },
    [
      ...['--ro-bind /s/0 /srv/tree/node_modules', '--perms 1777', '--size 268435456'],
      ...['--tmpfs /srv/tree/node_modules/.cache', '--symlink /srv/tree /var/old'],
    ],
  ],
  ['what is masked', { masked: ['/srv/tree/a'] }, ['--ro-bind /dev/null /srv/tree/a']],
])('a sandbox mounts %s', (_, change, between) => {
  expect(added(change)).toEqual([first, ...between, ...last]);
});

test('other repositories are mounted at each of their paths, without their git directory', () => {
  const repository = { folder: '/r', targets: ['/r', '/q'] };
  expect(
    added({
      repositories: [
        { ...repository, dotGit: 'file' },
        { ...repository, dotGit: 'none' },
      ],
    }),
  ).toEqual([
    ...['--ro-bind /r /r', '--ro-bind /dev/null /r/.git', '--ro-bind /r /q', '--ro-bind /dev/null /q/.git'],
    ...['--ro-bind /r /r', '--ro-bind /r /q'],
    first,
    ...last,
  ]);
});

test('a toolchain that is the workspace itself is mounted once', () => {
  expect(added({ readOnly: ['/srv/tree', '/opt/go'] })).toEqual([
    '--ro-bind /opt/go /opt/go',
    first,
    ...last,
  ]);
});

test('folders of /etc that are not copied are mounted over the copies', () => {
  const args = workspaceArguments(layout).join(' ');
  expect(args.includes('--ro-bind /files/etc /etc --ro-bind /etc/ssl /etc/ssl')).toBe(true);
});

test('a set-up has a copy of the checkout, a home on disk and one socket', () => {
  const args = setupArguments({
    ...{ root: '/srv/tree', tree: '/copy', home: '/home-on-disk', proxySocket: '/s.sock' },
    etc: layout.etc,
    readOnly: ['/opt/go', '/srv/tree', '/srv/tree/sub'],
  });
  expect(args.slice(args.indexOf('/var/run') + 1)).toEqual([
    ...['--ro-bind', '/opt/go', '/opt/go', '--bind', '/home-on-disk', '/tmp/home'],
    ...['--ro-bind', '/s.sock', '/run/anode/registries.sock', '--bind', '/copy', '/srv/tree'],
    ...['--remount-ro', '/', '--chdir', '/srv/tree'],
  ]);
});

test('the parts of /etc that programs need are mounted if they exist', () => {
  const parts =
    'passwd group nsswitch.conf hosts protocols services localtime timezone os-release debian_version alternatives ld.so.cache ld.so.conf ld.so.conf.d ssl ca-certificates ca-certificates.conf pki crypto-policies mime.types magic terminfo inputrc bash.bashrc java-17-openjdk java-21-openjdk java-25-openjdk maven python3 python3.11 python3.12 python3.13 perl php fonts dpkg R';
  expect(etcParts()).toEqual(
    parts
      .split(' ')
      .map((name) => `/etc/${name}`)
      .filter((part) => existsSync(part)),
  );
});

test('system folders and folders with homes or data are no toolchains', () => {
  const system =
    '/ /home /root /tmp /run /var /etc /proc /sys /dev /mnt /srv /usr /bin /sbin /lib /lib64 /usr/bin /usr/local/sbin';
  expect(toolchainFolders(system.split(' ').join(':'))).toEqual([]);
  expect(toolchainFolders('', ['/usr/bin/node', 'node'])).toEqual([]);
  expect(toolchainFolders('usr:.:proc')).toEqual([]);
});

test('a folder is reachable if each parent folder may be entered', () => {
  expect([isReachable('/usr/bin', {}), isReachable('/usr/bin', { uid: 65_534, gid: 65_534 })]).toEqual([
    true,
    true,
  ]);
  expect([
    isFolderBelow('/a/b', '/a'),
    isFolderBelow('/a', '/a'),
    isFolderBelow('/ab', '/a'),
    isFolderBelow('/a', '/'),
  ]).toEqual([true, false, false, true]);
});
