import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installRemedy, remedyFor } from '../../src/sandbox/sandbox-remedies.ts';

let machine: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'anode-remedies-'));
});
afterEach(() => rmSync(machine, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(machine, path)), { recursive: true });
  writeFileSync(join(machine, path), text);
}

const packages = [
  'apt-get install bubblewrap',
  'dnf install bubblewrap',
  'apk add bubblewrap bash',
  'pacman -S bubblewrap',
  'zypper install bubblewrap',
];
const allSteps = [...packages, 'nix: add `pkgs.bubblewrap` to the environment.'].join('\n');

test.each([
  ['ID=debian', 0],
  ['NAME="x"\nID=mint\nID_LIKE="Ubuntu x"', 0],
  ['ID=fedora', 1],
  ['ID="rhel"', 1],
  ['ID_LIKE=centos', 1],
  ['ID=alpine', 2],
  ['ID=arch', 3],
  ['ID_LIKE="suse opensuse"', 4],
])('%j installs with its own package manager', (release, index) => {
  put('etc/os-release', release);
  expect(installRemedy(machine)).toEqual({ summary: `Install it: \`${packages[index]}\`.`, steps: allSteps });
});

test('an unknown machine gets the packages of all distributions, whatever else its file says', () => {
  const all = packages.map((one) => `\`${one}\``).join(', or ');
  const summary = { summary: `Install it: ${all}.`, steps: allSteps };
  const without = installRemedy(machine);
  put('etc/os-release', 'ID=other\nVERSION_ID=debian\nHOME_URL=https://alpine.test\n');
  expect([without, installRemedy(machine)]).toEqual([summary, summary]);
});

test.each<[errors: string, summary: string]>([
  [
    'bwrap: Unknown option --disable-userns',
    'Install bubblewrap 0.8 or newer: Debian 12, Ubuntu 24.04, Fedora 38, Alpine 3.18 and everything after have it.',
  ],
  [
    'bwrap: SETUID',
    'This bubblewrap is installed with the set-user-id bit, which is not needed where user namespaces work: run `sudo chmod u-s "$(command -v bwrap)"`.',
  ],
  ['Seccomp failed', 'This kernel cannot filter system calls: it needs CONFIG_SECCOMP_FILTER.'],
  ['bwrap: execvp /bin/bash: no', 'Commands run in bash: install it (on Alpine `apk add bash`).'],
  [
    'bwrap: No space left on device',
    'User namespaces are switched off: run `sudo sysctl -w user.max_user_namespaces=15000`.',
  ],
  [
    'raise Max_user_namespaces',
    'User namespaces are switched off: run `sudo sysctl -w user.max_user_namespaces=15000`.',
  ],
])('%j is the summary of what bwrap printed', (errors, summary) => {
  expect(remedyFor(errors, machine).summary).toBe(summary);
});

test('an old bubblewrap gets the advice of a newer package or the source', () => {
  const { summary, steps } = remedyFor('unknown option', machine);
  expect(steps).toBe(
    `${summary}\n${allSteps}\nFrom source: https://github.com/containers/bubblewrap/releases (meson setup build && meson install -C build)`,
  );
});

test.each([
  ['user/max_user_namespaces', 'user.max_user_namespaces=15000'],
  ['kernel/unprivileged_userns_clone', 'kernel.unprivileged_userns_clone=1'],
])('the setting %s means that user namespaces are off only if it is 0', (name, setting) => {
  put(`proc/sys/${name}`, '0\n');
  const off = remedyFor('', machine);
  put(`proc/sys/${name}`, '1\n');
  expect([off, remedyFor('', machine).summary.slice(0, 25)]).toEqual([
    {
      summary: `User namespaces are switched off: run \`sudo sysctl -w ${setting}\`.`,
      steps: `sudo sysctl -w ${setting}\necho ${setting} | sudo tee /etc/sysctl.d/60-user-namespaces.conf`,
    },
    'This looks like a contain',
  ]);
});

test('the advice contains the AppArmor profile if its setting is on', () => {
  put('proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1\n');
  const { summary, steps } = remedyFor('', machine);
  put('proc/sys/kernel/apparmor_restrict_unprivileged_userns', '0\n');
  expect([summary.slice(0, 65), steps, remedyFor('', machine).summary === summary]).toEqual([
    'AppArmor forbids user namespaces to programs without a profile. I',
    `sudo tee /etc/apparmor.d/bwrap <<'END'
abi <abi/4.0>,
include <tunables/global>

profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,

  include if exists <local/bwrap>
}
END
sudo apparmor_parser -r /etc/apparmor.d/bwrap
Or, for a machine that is thrown away after the job: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`,
    false,
  ]);
});

test('a container gets the advice how to start it, and more if it masks /proc', () => {
  const masked = ["bwrap: Can't MOUNT PROC on /newroot", 'cannot open /proc'].map((one) =>
    remedyFor(one, machine),
  );
  const other = remedyFor('bwrap: operation not permitted', machine);
  expect(
    [...masked, other].map(({ summary, steps }) => [summary.slice(0, 28), steps.split('\n')[0]]),
  ).toEqual([
    ...masked.map(() => [
      'This container masks /proc: ',
      expect.stringMatching(/^docker: {5}docker run --sec/),
    ]),
    ['This looks like a container ', expect.stringMatching(/^docker: {5}docker run --security-opt secc/)],
  ]);
  expect(other.steps.split('\n').map((line) => line.slice(0, 12))).toEqual([
    ...['docker:     ', 'podman:     ', 'kubernetes: ', '  hostUsers:', '  containers', '    - securi'],
    ...[
      '        proc',
      '        secc',
      '          ty',
      '        appA',
      '          ty',
      'systemd:    ',
      'The machine ',
    ],
  ]);
});
