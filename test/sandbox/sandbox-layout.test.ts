import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { etcParts } from '../../src/sandbox/mounted-etc.ts';
import { type SandboxLayout, systemArguments, workspaceArguments } from '../../src/sandbox/sandbox-layout.ts';

const mebibyte = 2 ** 20;
const quarter = Math.floor(totalmem() / 4 / mebibyte) * mebibyte;

const layout: SandboxLayout = {
  root: '/srv/checkout',
  mounts: ['/srv/checkout/volume'],
  dotGit: 'folder',
  gitDirectory: '/runs/1/agent.git',
  objectFolders: ['/mirrors/a.git/objects'],
  borrowing: [],
  alternatesFile: '/files/alternates',
  emptyFile: '/files/empty',
  gitFile: '/files/gitfile',
  pins: [],
  masked: ['/srv/checkout/other/.git/config'],
  harness: true,
  etc: { folder: '/files/etc', bound: [] },
  readOnly: ['/opt/go', '/runs/1/spill', '/srv/checkout/node_modules/node'],
  repositories: [{ folder: '/lib', targets: ['/lib'], dotGit: 'folder' }],
};

/** Groups a list of arguments by flag, parameters behind. */
function flags(args: readonly string[]): string[] {
  const lines: string[] = [];
  for (const arg of args) {
    if (arg.startsWith('--')) lines.push(arg);
    else lines[lines.length - 1] += ` ${arg}`;
  }
  return lines;
}

/** Every flag and what would be possible without it, in the order in which bubblewrap works them off. */
const reasons: readonly (readonly [flag: string, without: string])[] = [
  ['--unshare-user', 'as root it would be no sandbox: / remounted, /usr written'],
  ['--unshare-pid', 'processes and environments of others in /proc, signals to them, survivors'],
  ['--unshare-net', 'the network, services of the machine, abstract sockets'],
  ['--unshare-ipc', 'shared memory and queues of others, which outlast the command'],
  ['--unshare-uts', 'the name of the machine, to read and as root to set'],
  ['--unshare-cgroup-try', 'where in the cgroups of the machine it runs'],
  ['--disable-userns', 'a user namespace inside, with all capabilities towards the kernel'],
  ['--cap-drop ALL', 'mount, chroot, ptrace of others, as root of its own namespace'],
  ['--new-session', 'input typed into the terminal of whoever started us (TIOCSTI)'],
  ['--die-with-parent', 'commands that go on after we were killed'],
  ['--seccomp 4', 'VSOCK to the host of a virtual machine, key rings, io_uring'],
  ['--hostname sandbox', 'output that differs by machine'],
  ['--ro-bind /usr /usr', 'no programs; an allow-list, as `--ro-bind / /` shows sockets'],
];

it('every flag that starts a sandbox has a reason', () => {
  const given = flags(systemArguments(layout.etc));
  expect(given.slice(0, reasons.length)).toEqual(reasons.map(([flag]) => flag));
});

it('a sandbox has its own processes, devices and limited temporary folders, and read-only kernel settings', () => {
  const given = flags(systemArguments(layout.etc));
  const own = given.slice(given.indexOf('--proc /proc'));
  const bounded = (folder: string, size: number) => ['--perms 1777', `--size ${size}`, `--tmpfs ${folder}`];
  expect(own).toEqual([
    '--proc /proc',
    // As root, the owner of the settings could have the kernel start a program outside (core_pattern).
    '--ro-bind /proc/sys /proc/sys',
    '--dev /dev',
    ...bounded('/dev/shm', 256 * mebibyte),
    '--remount-ro /dev',
    ...bounded('/tmp', quarter),
    ...bounded('/var/tmp', 256 * mebibyte),
    ...bounded('/run', 64 * mebibyte),
    ...bounded('/home', 64 * mebibyte),
    ...bounded('/root', 64 * mebibyte),
    '--dir /tmp/home',
    '--symlink /run /var/run',
  ]);
});

it("a sandbox has empty folders in place of the machine's private keys", () => {
  const folders = ['/etc/ssl/private', '/etc/pki/tls/private', '/etc/pki/CA/private'];
  const given = flags(systemArguments(layout.etc));
  expect(given.filter((_, index) => given[index + 1]?.startsWith('--tmpfs /etc/'))).toEqual(
    folders.filter((folder) => existsSync(folder)).map(() => '--size 4096'),
  );
  expect(given.filter((flag) => flag.startsWith('--tmpfs /etc/'))).toEqual(
    folders.filter((folder) => existsSync(folder)).map((folder) => `--tmpfs ${folder}`),
  );
});

it("the run's toolchains and workspace and the stand-ins for hidden files are mounted over them", () => {
  const system = flags(systemArguments(layout.etc)).length;
  expect(flags(workspaceArguments(layout)).slice(system)).toEqual([
    '--ro-bind /opt/go /opt/go',
    '--ro-bind /runs/1/spill /runs/1/spill',
    '--ro-bind /lib /lib',
    '--tmpfs /lib/.git',
    '--remount-ro /lib/.git',
    '--bind /srv/checkout /srv/checkout',
    '--ro-bind /srv/checkout/node_modules/node /srv/checkout/node_modules/node',
    '--ro-bind /mirrors/a.git/objects /run/anode/objects/0',
    // A mount cannot be moved away, so `mv .git old; cp -r` ends here.
    '--bind /runs/1/agent.git /srv/checkout/.git',
    '--ro-bind /files/alternates /srv/checkout/.git/objects/info/alternates',
    '--ro-bind /dev/null /srv/checkout/other/.git/config',
    '--perms 0555',
    '--tmpfs /srv/checkout/.anode-harness',
    '--remount-ro /srv/checkout/.anode-harness',
    '--remount-ro /',
    '--chdir /srv/checkout',
  ]);
});

/** The arguments of a layout that come behind the system's. */
const displayed = (change: Partial<SandboxLayout>) =>
  flags(workspaceArguments({ ...layout, ...change })).slice(flags(systemArguments(layout.etc)).length);

it('folders of programs and private keys look as on the machine: a link, a folder or missing', () => {
  const machine = mkdtempSync(join(tmpdir(), 'anode-machine-'));
  const keys = ['/etc/ssl/private', '/etc/pki/tls/private', '/etc/pki/CA/private'];
  const given = () => flags(systemArguments({ folder: '/files/etc', bound: ['/etc/alternatives'] }, machine));
  const without = given();
  const folders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
  for (const folder of [...folders, ...keys]) mkdirSync(join(machine, folder), { recursive: true });
  const asFolders = given();
  for (const folder of folders) {
    rmSync(join(machine, folder), { recursive: true });
    symlinkSync(`usr${folder}`, join(machine, folder));
  }
  const asLinks = given();
  for (const folder of folders) {
    rmSync(join(machine, folder));
    writeFileSync(join(machine, folder), '');
  }
  const asFiles = given();
  rmSync(machine, { recursive: true });
  const first = without.slice(0, reasons.length);
  const etc = ['--ro-bind /files/etc /etc', '--ro-bind /etc/alternatives /etc/alternatives'];
  const hidden = keys.flatMap((folder) => ['--size 4096', `--tmpfs ${folder}`]);
  const rest = without.slice(without.indexOf('--proc /proc'));
  expect([without, asFolders, asLinks, asFiles]).toEqual([
    [...first, ...etc, ...rest],
    [...first, ...folders.map((folder) => `--ro-bind ${folder} ${folder}`), ...etc, ...hidden, ...rest],
    [...first, ...folders.map((folder) => `--symlink usr${folder} ${folder}`), ...etc, ...hidden, ...rest],
    [...first, ...etc, ...hidden, ...rest],
  ]);
});

it('parts of /etc without a copy are bound one by one', () => {
  const given = flags(systemArguments(null));
  const bound = given.filter((flag) => flag.startsWith('--ro-bind /etc'));
  expect([bound, given.some((flag) => flag.endsWith(' /etc'))]).toEqual([
    etcParts().map((part) => `--ro-bind ${part} ${part}`),
    false,
  ]);
  expect(bound.length).toBeGreaterThan(0);
});

it('the stand-in for git replaces a folder, a file or nothing in the workspace', () => {
  const git = (change: Partial<SandboxLayout>) =>
    displayed({ ...change, harness: false, masked: [], readOnly: [], repositories: [] })
      .filter((flag) => !/^--(bind|ro-bind) \/srv\/checkout \/srv/.test(flag))
      .slice(0, -2);
  const objects = '--ro-bind /mirrors/a.git/objects /run/anode/objects/0';
  const own = { gitDirectory: null, objectFolders: [] };
  expect([
    git({ dotGit: 'none' }),
    git({ dotGit: 'folder', ...own }),
    git({ dotGit: 'file', ...own }),
    git({ dotGit: 'folder', objectFolders: [] }),
    git({ dotGit: 'file' }),
    git({ dotGit: 'file', objectFolders: ['/a', '/b'], borrowing: ['/b'] }),
    git({ dotGit: 'folder', readOnlyRoot: true }),
  ]).toEqual([
    [objects],
    ['--size 67108864', '--tmpfs /srv/checkout/.git'],
    ['--ro-bind /dev/null /srv/checkout/.git'],
    ['--bind /runs/1/agent.git /srv/checkout/.git'],
    [
      ...[objects, '--bind /runs/1/agent.git /run/anode/git', '--ro-bind /files/gitfile /srv/checkout/.git'],
      '--ro-bind /files/alternates /run/anode/git/objects/info/alternates',
    ],
    [
      ...['--ro-bind /a /run/anode/objects/0', '--ro-bind /b /run/anode/objects/1'],
      '--ro-bind /files/empty /run/anode/objects/1/info/alternates',
      ...['--bind /runs/1/agent.git /run/anode/git', '--ro-bind /files/gitfile /srv/checkout/.git'],
      '--ro-bind /files/alternates /run/anode/git/objects/info/alternates',
    ],
    [
      ...['--ro-bind /srv/checkout/volume /srv/checkout/volume', objects],
      '--ro-bind /runs/1/agent.git /srv/checkout/.git',
      ...[
        '--ro-bind /files/alternates /srv/checkout/.git/objects/info/alternates',
        '--remount-ro /srv/checkout',
      ],
    ],
  ]);
});

it('other checkouts are mounted without git data, and results of a set-up at their paths', () => {
  const own: Partial<SandboxLayout> = { dotGit: 'none', objectFolders: [], harness: false, masked: [] };
  const repositories = [
    { folder: '/a', targets: ['/a', '/b'], dotGit: 'file' as const },
    { folder: '/c', targets: ['/c'], dotGit: 'none' as const },
  ];
  const setup = {
    folders: [{ folder: '/store/0', target: '/srv/checkout/node_modules' }],
    scratch: ['/srv/checkout/node_modules/.cache'],
    builtAt: '/srv/old',
  };
  const readOnly = ['/srv/checkout', '/srv', '/srv/checkout2', '/srv/checkout/deep'];
  expect([
    displayed({ ...own, readOnly: [], repositories, setup }),
    displayed({ ...own, readOnly, repositories: [], setup: { ...setup, builtAt: null } }),
  ]).toEqual([
    [
      ...['--ro-bind /a /a', '--ro-bind /dev/null /a/.git', '--ro-bind /a /b', '--ro-bind /dev/null /b/.git'],
      ...['--ro-bind /c /c', '--bind /srv/checkout /srv/checkout'],
      ...['--ro-bind /store/0 /srv/checkout/node_modules', '--perms 1777', '--size 268435456'],
      ...['--tmpfs /srv/checkout/node_modules/.cache', '--symlink /srv/checkout /srv/old'],
      ...['--remount-ro /', '--chdir /srv/checkout'],
    ],
    [
      ...[
        '--ro-bind /srv /srv',
        '--ro-bind /srv/checkout2 /srv/checkout2',
        '--bind /srv/checkout /srv/checkout',
      ],
      '--ro-bind /srv/checkout/deep /srv/checkout/deep',
      ...['--ro-bind /store/0 /srv/checkout/node_modules', '--perms 1777', '--size 268435456'],
      ...['--tmpfs /srv/checkout/node_modules/.cache', '--remount-ro /', '--chdir /srv/checkout'],
    ],
  ]);
});
