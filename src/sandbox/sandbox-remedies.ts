import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The steps to make the sandbox work: `summary` in a sentence, `steps` as lines of text with
 * complete files.
 */
export interface Remedy {
  readonly summary: string;
  readonly steps: string;
}

const packages: readonly (readonly [distributions: RegExp, command: string])[] = [
  [/debian|ubuntu/, 'apt-get install bubblewrap'],
  [/fedora|rhel|centos/, 'dnf install bubblewrap'],
  [/alpine/, 'apk add bubblewrap bash'],
  [/arch/, 'pacman -S bubblewrap'],
  [/suse/, 'zypper install bubblewrap'],
];

const nixStep = 'nix: add `pkgs.bubblewrap` to the environment.';

/**
 * Returns an AppArmor profile that permits user namespaces to bubblewrap and restricts nothing.
 * Ubuntu 23.10 and newer need one. `program` is the path of `bwrap`.
 */
export function bwrapProfile(name: string, program: string): string {
  return `abi <abi/4.0>,
include <tunables/global>

profile ${name} ${program} flags=(unconfined) {
  userns,

  include if exists <local/bwrap>
}`;
}

const containerSteps = `docker:     docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined …
podman:     podman run --security-opt seccomp=unconfined --security-opt label=disable --security-opt unmask=ALL …
kubernetes: in the pod's spec (procMount needs hostUsers: false)
  hostUsers: false
  containers:
    - securityContext:
        procMount: Unmasked
        seccompProfile:
          type: Unconfined
        appArmorProfile:
          type: Unconfined
systemd:    no RestrictNamespaces=, ProtectKernelTunables=, ProtectProc= or SystemCallFilter= in the unit
The machine itself must allow user namespaces as well; a container cannot give what its machine refuses.`;

/** Returns how to install `bwrap`. `machine` is the folder above `etc/os-release`. */
export function installRemedy(machine: string): Remedy {
  const release = readText(join(machine, 'etc/os-release')) ?? '';
  const own = /^ID=.*$|^ID_LIKE=.*$/gm;
  const names = (release.match(own) ?? []).join(' ').toLowerCase();
  const fitting = packages.filter(([distributions]) => distributions.test(names));
  const commands = (fitting.length > 0 ? fitting : packages).map(([, command]) => command);
  return {
    summary: `Install it: ${commands.map((command) => `\`${command}\``).join(', or ')}.`,
    steps: [...packages.map(([, command]) => command), nixStep].join('\n'),
  };
}

/**
 * Returns the remedy for a failing `bwrap`, by its message and the kernel's settings. `machine` is
 * the folder above `proc/sys` and `etc/os-release`.
 */
export function remedyFor(errors: string, machine: string): Remedy {
  const setting = (name: string) => readText(join(machine, 'proc/sys', name))?.trim();
  if (/unknown option/i.test(errors)) return tooOld(machine);
  if (/setuid/i.test(errors))
    return singleStep(
      'This bubblewrap is installed with the set-user-id bit, which is not needed where user namespaces work: run `sudo chmod u-s "$(command -v bwrap)"`.',
    );
  if (/seccomp/i.test(errors))
    return singleStep('This kernel cannot filter system calls: it needs CONFIG_SECCOMP_FILTER.');
  if (/execvp \/bin\/bash/i.test(errors))
    return singleStep('Commands run in bash: install it (on Alpine `apk add bash`).');
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1') return appArmorRemedy();
  if (setting('kernel/unprivileged_userns_clone') === '0')
    return sysctlRemedy('kernel.unprivileged_userns_clone=1');
  if (setting('user/max_user_namespaces') === '0') return sysctlRemedy('user.max_user_namespaces=15000');
  if (/no space left|max_.*_namespaces/i.test(errors)) return sysctlRemedy('user.max_user_namespaces=15000');
  if (/mount proc|\/proc/i.test(errors))
    return {
      summary:
        'This container masks /proc: start it with `--security-opt systempaths=unconfined --security-opt seccomp=unconfined --security-opt apparmor=unconfined` (`anode doctor` has the options for podman and Kubernetes).',
      steps: containerSteps,
    };
  return {
    summary:
      'This looks like a container without user namespaces: start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined` (`anode doctor` has the options for podman and Kubernetes), or run on the machine itself.',
    steps: containerSteps,
  };
}

function tooOld(machine: string): Remedy {
  const { steps } = installRemedy(machine);
  const summary =
    'Install bubblewrap 0.8 or newer: Debian 12, Ubuntu 24.04, Fedora 38, Alpine 3.18 and everything after have it.';
  return {
    summary,
    steps: `${summary}\n${steps}\nFrom source: https://github.com/containers/bubblewrap/releases (meson setup build && meson install -C build)`,
  };
}

function appArmorRemedy(): Remedy {
  return {
    summary:
      'AppArmor forbids user namespaces to programs without a profile. In a job on a hosted runner: run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` in a step before. On a machine of your own: give /usr/bin/bwrap an AppArmor profile with the rule `userns,` (`anode doctor` prints the file).',
    steps: `sudo tee /etc/apparmor.d/bwrap <<'END'
${bwrapProfile('bwrap', '/usr/bin/bwrap')}
END
sudo apparmor_parser -r /etc/apparmor.d/bwrap
Or, for a machine that is thrown away after the job: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`,
  };
}

function sysctlRemedy(setting: string): Remedy {
  return {
    summary: `User namespaces are switched off: run \`sudo sysctl -w ${setting}\`.`,
    steps: `sudo sysctl -w ${setting}\necho ${setting} | sudo tee /etc/sysctl.d/60-user-namespaces.conf`,
  };
}

function singleStep(summary: string): Remedy {
  return { summary, steps: summary };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
