import { expect, test } from 'vitest';
import { type MachineFacts, nextSandboxStep, type SandboxStep } from '../../action/sandbox-step.ts';

/** A machine of GitHub with Ubuntu 24.04, as it is delivered. */
const hosted: MachineFacts = {
  mode: 'preferred',
  works: false,
  supported: true,
  installed: false,
  restricted: true,
  container: false,
  mayChange: true,
  canBeRoot: true,
  programs: ['apt-get', 'apparmor_parser', 'sysctl'],
};
const installed = { installed: true };

test.for<[string, Partial<MachineFacts>, readonly SandboxStep[], object]>([
  ['works', { works: true }, [], { kind: 'ready' }],
  ['is switched off', { mode: 'off' }, [], { kind: 'ready' }],
  ['lacks bubblewrap', {}, [], { kind: 'change', step: 'install' }],
  ['is required and lacks bubblewrap', { mode: 'required' }, [], { kind: 'change', step: 'install' }],
  ['is restricted by AppArmor', installed, ['install'], { kind: 'change', step: 'profile' }],
  ['fails with a profile', installed, ['install', 'profile'], { kind: 'change', step: 'sysctl' }],
  [
    'has no parser of profiles',
    { ...installed, programs: ['sysctl'] },
    [],
    { kind: 'change', step: 'sysctl' },
  ],
  ['fails after all', installed, ['install', 'profile', 'sysctl'], { kind: 'none', why: null }],
  ['could not be installed', {}, ['install'], { kind: 'none', why: null }],
  ['has no apt-get', { programs: ['sysctl'] }, [], { kind: 'none', why: null }],
  ['is unrestricted and fails', { ...installed, restricted: false }, [], { kind: 'none', why: null }],
  ['does not exist here', { supported: false }, [], { kind: 'none', why: null }],
  [
    'is restricted in a container',
    { ...installed, container: true },
    [],
    { kind: 'none', why: expect.stringContaining('container:') },
  ],
  ['lacks bubblewrap in a container', { container: true }, [], { kind: 'change', step: 'install' }],
  [
    'is on a self-hosted runner',
    { mayChange: false },
    [],
    { kind: 'none', why: expect.stringContaining('`sandbox_setup: true`') },
  ],
  [
    'may not be changed by this user',
    { canBeRoot: false },
    [],
    { kind: 'none', why: expect.stringContaining('`sudo` asks for a password') },
  ],
])('the next step for a sandbox that %s', ([, facts, tried, decision]) => {
  expect(nextSandboxStep({ ...hosted, ...facts }, tried)).toEqual(decision);
});
