import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Machine, machineOf, prepareSandbox, undoChange } from '../../action/prepare-sandbox.ts';

let folder: string;
let said: string[];
let remembered: (string | null)[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-machine-'));
  said = [];
  remembered = [];
  for (const name of ['bin', 'workspace', 'proc/sys/kernel'])
    await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(setting(), '1\n');
});
afterEach(() => rm(folder, { recursive: true }));

const setting = () => path.join(folder, 'proc/sys/kernel/apparmor_restrict_unprivileged_userns');
const at = (name: string) => path.join(folder, name);

/** Puts a program on the machine. Each program notes its call before it does its work. */
async function program(name: string, body: string): Promise<void> {
  await writeFile(at(`bin/${name}`), `#!/bin/bash\necho "${name} $*" >> ${at('calls')}\n${body}\n`);
  await chmod(at(`bin/${name}`), 0o755);
}

const sandbox = `#!/bin/bash
[[ -e ${'$'}{0%/bin/bwrap}/permitted ]] || { echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1; }`;

/** A machine with Ubuntu 24.04: no bubblewrap, and a kernel that forbids what it does. */
async function ubuntu(): Promise<void> {
  await writeFile(at('bwrap'), sandbox, { mode: 0o755 });
  // As `sudo` does, it takes its own PATH; the job's programs never run as root.
  await program('sudo', '[[ $1 = -n ]] && shift; exec "$@"');
  await program('apt-get', `[[ "$*" == *install* ]] && cp ${at('bwrap')} ${at('bin/bwrap')}; exit 0`);
  await program('apparmor_parser', `cat > ${at('profile')}; touch ${at('permitted')}`);
  await program('sysctl', `touch ${at('permitted')}`);
}

const machine = (change: Partial<Machine> = {}): Machine => ({
  path: at('bin'),
  systemPath: `${at('bin')}:/usr/bin:/bin`,
  root: folder,
  workspace: at('workspace'),
  mayChange: true,
  signal: new AbortController().signal,
  log: { print: (text) => said.push(text), warning: (text) => said.push(`warning: ${text}`) },
  remember: (one) => remembered.push(one),
  ...change,
});

/** The calls that changed something, without `sudo` in front. */
async function calls(): Promise<string[]> {
  const text = await readFile(at('calls'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('sudo '));
}

const install = 'apt-get -q -o DPkg::Lock::Timeout=60 install -y --no-install-recommends bubblewrap';

test('a GitHub-hosted runner gets bubblewrap and an AppArmor profile for bubblewrap only', async () => {
  await ubuntu();
  await prepareSandbox('preferred', machine());
  expect({ calls: await calls(), said, remembered, profile: await readFile(at('profile'), 'utf8') }).toEqual({
    calls: [install, 'apparmor_parser --replace'],
    said: [
      'The sandbox: installed bubblewrap.',
      'The sandbox: loaded an AppArmor profile that permits user namespaces to bubblewrap.',
    ],
    remembered: ['profile'],
    profile: `abi <abi/4.0>,
include <tunables/global>

profile anode-ci-bwrap ${at('bin/bwrap')} flags=(unconfined) {
  userns,

  include if exists <local/bwrap>
}`,
  });
});

test('a profile without effect is removed before the restriction is lifted', async () => {
  await ubuntu();
  await program('apparmor_parser', 'exit 0');
  await prepareSandbox('preferred', machine());
  expect({ calls: await calls(), remembered }).toEqual({
    calls: [
      install,
      'apparmor_parser --replace',
      'apparmor_parser --remove',
      'sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    remembered: ['profile', null, 'sysctl'],
  });
});

test('package lists are updated once after a failure, and a second failure is reported by its last line', async () => {
  await ubuntu();
  await program('apt-get', 'echo one >&2; echo "E: Unable to locate package" >&2; exit 100');
  await prepareSandbox('preferred', machine());
  expect({ calls: await calls(), said }).toEqual({
    calls: [install, 'apt-get -q -o DPkg::Lock::Timeout=60 update'],
    said: ['warning: The sandbox: `apt-get` failed: E: Unable to locate package'],
  });
});

test('a self-hosted runner is not changed, and the log names the input and the commands', async () => {
  await ubuntu();
  await prepareSandbox('preferred', machine({ mayChange: false }));
  expect({ calls: await calls(), said }).toEqual({
    calls: [],
    said: [expect.stringMatching(/`bwrap` .* is not installed.*`sandbox_setup: true`.*bubblewrap/)],
  });
});

test('nothing is prepared if the sandbox works or is switched off', async () => {
  await ubuntu();
  await writeFile(at('bin/bwrap'), '#!/bin/bash\nexit 0\n', { mode: 0o755 });
  await prepareSandbox('required', machine());
  await rm(at('bin/bwrap'));
  await prepareSandbox('off', machine());
  expect([await calls(), said]).toEqual([[], []]);
});

test('the end of the job removes the profile or restores the setting', async () => {
  await ubuntu();
  await undoChange('profile', machine());
  await undoChange('sysctl', machine());
  expect(await calls()).toEqual([
    'apparmor_parser --remove',
    'sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=1',
  ]);
});

test('a cancelled job changes nothing', async () => {
  await ubuntu();
  await prepareSandbox('preferred', machine({ signal: AbortSignal.abort() }));
  expect(await calls()).toEqual([]);
});

test('only a GitHub-hosted runner is changed without an input, and only a self-hosted one records it', () => {
  const kept: (string | null)[] = [];
  const of = (RUNNER_ENVIRONMENT: string | undefined, permitted: boolean | null) => {
    const { signal, log } = machine();
    const made = machineOf({ RUNNER_ENVIRONMENT }, permitted, {
      ...{ signal, log, remember: (one) => kept.push(one) },
    });
    made.remember('profile');
    return { mayChange: made.mayChange, kept: kept.splice(0) };
  };
  expect([
    of('github-hosted', null),
    of('github-hosted', false),
    of('self-hosted', null),
    of('self-hosted', true),
    of(undefined, null),
  ]).toEqual([
    { mayChange: true, kept: [] },
    { mayChange: false, kept: [] },
    { mayChange: false, kept: ['profile'] },
    { mayChange: true, kept: ['profile'] },
    { mayChange: false, kept: ['profile'] },
  ]);
});
