import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import {
  type SandboxLayout,
  systemArguments,
  workspaceArguments,
} from '../../../src/permissions/sandbox/sandbox-layout.ts';

const mebibyte = 2 ** 20;
const quarter = Math.floor(totalmem() / 4 / mebibyte) * mebibyte;

const layout: SandboxLayout = {
  root: '/srv/checkout',
  dotGit: 'folder',
  gitDirectory: '/runs/1/agent.git',
  objectFolders: ['/mirrors/a.git/objects'],
  alternatesFile: '/files/alternates',
  gitFile: '/files/gitfile',
  masked: ['/srv/checkout/other/.git/config'],
  harness: true,
  etc: { folder: '/files/etc', bound: [] },
  readOnly: ['/opt/go', '/runs/1/spill', '/srv/checkout/node_modules/node'],
  repositories: [{ folder: '/lib', places: ['/lib'], dotGit: 'folder' }],
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

it('starts every sandbox with flags of which each has its reason', () => {
  const given = flags(systemArguments(layout.etc));
  expect(given.slice(0, reasons.length)).toEqual(reasons.map(([flag]) => flag));
});

it('shows processes, devices and temporary folders of its own, bounded, and the settings of the kernel for reading', () => {
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

it('shows empty folders in place of the private keys of the machine', () => {
  const folders = ['/etc/ssl/private', '/etc/pki/tls/private', '/etc/pki/CA/private'];
  const given = flags(systemArguments(layout.etc));
  expect(given.filter((_, index) => given[index + 1]?.startsWith('--tmpfs /etc/'))).toEqual(
    folders.filter((folder) => existsSync(folder)).map(() => '--size 4096'),
  );
  expect(given.filter((flag) => flag.startsWith('--tmpfs /etc/'))).toEqual(
    folders.filter((folder) => existsSync(folder)).map((folder) => `--tmpfs ${folder}`),
  );
});

it('lays over that what a run has: toolchains, the workspace, and stand-ins for what is nobody`s to see', () => {
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
