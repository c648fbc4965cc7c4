import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SandboxMode } from '../../src/contract/levels.ts';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts';
import { runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

let bin: string;
let machine: string;
beforeEach(() => {
  bin = join(place.folder, 'bin');
  machine = join(place.folder, 'machine');
  mkdirSync(bin);
});

/** Puts a `bwrap` on PATH that says something and fails. */
function failing(words: string, code = 1): void {
  script(`echo ${JSON.stringify(words)} >&2\nexit ${code}`);
}

function script(body: string, mode = 0o755): void {
  writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, 'bwrap'), mode);
}

/** Gives the machine a file such as a setting of the kernel. */
function machineHas(name: string, text: string): void {
  mkdirSync(dirname(join(machine, name)), { recursive: true });
  writeFileSync(join(machine, name), `${text}\n`);
}

const noNamespace =
  'bwrap: No permissions to create a new namespace, likely because the kernel does not allow non-privileged user namespaces.';

describe('a machine on which the sandbox does not work', () => {
  beforeEach(() => failing(noNamespace));

  const make = (mode: SandboxMode) =>
    createCommandRunner({
      mode,
      workspace: { root: place.root, agentGitDirectory: async () => null },
      spillFolder: place.spillFolder,
      environment: { PATH: bin },
    });

  it('stops a run that requires the sandbox, with the reason and the remedy', async () => {
    await expect(make('required')).rejects.toMatchObject({
      name: 'RunStopped',
      reason: {
        kind: 'sandbox_missing',
        message: expect.stringMatching(
          /requires a sandbox.*No permissions to create a new namespace.*(--security-opt|sysctl)/s,
        ),
      },
    });
  });

  it.each(['preferred', 'off'] as const)('lets a run with `%s` continue, with a notice', async (mode) => {
    const runner = await make(mode);
    expect(runner.sandboxed).toBe(false);
    await runner.close();
  });
});

describe('the probe names the missing part and its remedy', () => {
  const failures: readonly {
    readonly title: string;
    readonly words: string;
    readonly settings?: Readonly<Record<string, string>>;
    readonly summary: RegExp;
    readonly steps: RegExp;
  }[] = [
    {
      title: 'a bubblewrap too old for the flags',
      words: 'bwrap: Unknown option --disable-userns',
      summary: /^Install bubblewrap 0\.8 or newer: Debian 12, Ubuntu 24\.04/,
      steps: /apt-get install bubblewrap[\s\S]*github\.com\/containers\/bubblewrap/,
    },
    {
      title: 'a bubblewrap with the set-user-id bit',
      words: 'bwrap: --disable-userns is not supported in setuid mode',
      summary: /chmod u-s/,
      steps: /chmod u-s/,
    },
    {
      title: 'a kernel that filters no system calls',
      words: 'bwrap: prctl(PR_SET_SECCOMP): Invalid argument',
      summary: /CONFIG_SECCOMP_FILTER/,
      steps: /CONFIG_SECCOMP_FILTER/,
    },
    {
      title: 'no bash',
      words: 'bwrap: execvp /bin/bash: No such file or directory',
      summary: /apk add bash/,
      steps: /apk add bash/,
    },
    {
      title: 'AppArmor of Ubuntu 24.04 in the way of mapping users',
      words: 'bwrap: setting up uid map: Permission denied',
      settings: { 'proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1' },
      summary: /^AppArmor .*kernel\.apparmor_restrict_unprivileged_userns=0/,
      steps:
        /^sudo tee \/etc\/apparmor\.d\/bwrap <<'END'\nabi <abi\/4\.0>,\ninclude <tunables\/global>\n\nprofile bwrap \/usr\/bin\/bwrap flags=\(unconfined\) \{\n {2}userns,\n\n {2}include if exists <local\/bwrap>\n\}\nEND\nsudo apparmor_parser -r \/etc\/apparmor\.d\/bwrap\n/,
    },
    {
      title: 'AppArmor that lets the namespace be made and forbids what is done in it',
      words: 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
      settings: { 'proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1' },
      summary: /^AppArmor /,
      steps: /apparmor_parser/,
    },
    {
      title: 'user namespaces switched off by Debian`s setting',
      words: noNamespace,
      settings: { 'proc/sys/kernel/unprivileged_userns_clone': '0' },
      summary: /sudo sysctl -w kernel\.unprivileged_userns_clone=1/,
      steps: /sysctl\.d/,
    },
    {
      title: 'user namespaces switched off by their number',
      words: noNamespace,
      settings: { 'proc/sys/user/max_user_namespaces': '0' },
      summary: /sudo sysctl -w user\.max_user_namespaces=15000/,
      steps: /sysctl\.d/,
    },
    {
      title: 'user namespaces used up',
      words: 'bwrap: Creating new namespace failed: No space left on device',
      summary: /user\.max_user_namespaces/,
      steps: /sysctl\.d/,
    },
    {
      title: 'a container that masks /proc',
      words: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      summary: /masks \/proc: .*systempaths=unconfined/,
      steps: /procMount: Unmasked/,
    },
    {
      title: 'a container without user namespaces',
      words: noNamespace,
      summary: /container without user namespaces: .*--security-opt seccomp=unconfined/,
      steps:
        /docker:.*systempaths=unconfined[\s\S]*podman:.*unmask=ALL[\s\S]*kubernetes:[\s\S]*hostUsers: false[\s\S]*systemd:/,
    },
  ];

  it.each(failures)('$title', async ({ words, settings = {}, summary, steps }) => {
    failing(words);
    for (const [name, text] of Object.entries(settings)) machineHas(name, text);
    expect(await probeSandbox({ path: `${bin}:/bin`, machine })).toEqual({
      available: false,
      reason: `\`bwrap\` failed: ${words}`,
      summary: expect.stringMatching(summary),
      steps: expect.stringMatching(steps),
    });
  });

  it.each([
    ['ID=ubuntu\nID_LIKE=debian', '`apt-get install bubblewrap`'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"', '`dnf install bubblewrap`'],
    ['ID=alpine', '`apk add bubblewrap bash`'],
    ['ID=arch', '`pacman -S bubblewrap`'],
    ['ID="opensuse-leap"', '`zypper install bubblewrap`'],
  ])('a missing bwrap: the package of the distribution: %s', async (release, command) => {
    machineHas('etc/os-release', release);
    const probe = await probeSandbox({ path: join(place.folder, 'nowhere'), machine });
    expect(probe).toEqual({
      available: false,
      reason: '`bwrap` (bubblewrap) is not installed',
      summary: `Install it: ${command}.`,
      steps: expect.stringContaining('dnf install'),
    });
  });

  it('a missing bwrap on an unknown distribution: the packages of all', async () => {
    const { summary } = await probeSandbox({ path: join(place.folder, 'nowhere'), machine });
    expect(summary).toMatch(/apt-get install bubblewrap.*dnf.*apk.*pacman.*zypper/);
  });

  it('a bwrap that cannot be started or prints nothing', async () => {
    script('exit 0', 0o644);
    const { reason } = await probeSandbox({ path: bin, machine });
    script('exit 7');
    const silent = await probeSandbox({ path: `${bin}:/bin`, machine });
    expect([reason, silent.reason]).toEqual([
      '`bwrap` could not be started: spawn bwrap EACCES',
      '`bwrap` failed: exit code 7',
    ]);
  });

  it('the doctor: step by step', () => {
    failing(noNamespace);
    const text = execFileSync(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), 'doctor'], {
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: place.folder, ANTHROPIC_API_KEY: 'key' },
      encoding: 'utf8',
    });
    expect(text).toMatch(/^absent {2}sandbox: `bwrap` failed: .*\n( {10}.*\n)+/m);
  });
});

it('a probe without bwrap does not keep the program alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const { available } = await probeSandbox({ path: bin, machine });
  expect([available, timers()]).toEqual([false, before]);
});
