import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installSystemPackages } from '../../scripts/system-packages.ts';

let bin: string;
beforeEach(() => {
  bin = mkdtempSync(path.join(tmpdir(), 'anode-bin-'));
  vi.spyOn(console, 'log').mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(bin, { recursive: true });
});

test('nothing is installed if all packages are there', () => {
  program('bwrap', '');
  program('socat', '');
  program('google-chrome', '');
  for (const name of ['jq', 'psql']) program(name, '');
  aptGet('exit 1');
  expect({ missing: installSystemPackages({ PATH: bin }), calls: calls() }).toEqual({
    missing: [],
    calls: [],
  });
});

test('root installs missing packages, with fresh package lists if the first try fails', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  program('socat', '');
  program('google-chrome', '');
  for (const name of ['jq', 'psql']) program(name, '');
  aptGet(
    `case "$1" in update) : > ${bin}/fresh ;; install) [ -e ${bin}/fresh ] && : > ${bin}/bwrap && /bin/chmod +x ${bin}/bwrap ;; esac`,
  );
  const install = 'install -y -q --no-install-recommends bubblewrap';
  expect({ missing: installSystemPackages({ PATH: bin }), calls: calls() }).toEqual({
    missing: [],
    calls: [install, 'update -q', install],
  });
});

test('a user whose sudo needs no password installs through it', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  program('socat', '');
  program('google-chrome', '');
  for (const name of ['jq', 'psql']) program(name, '');
  program('sudo', '[ "$1" = -n ] && shift && exec "$@"');
  program('true', '');
  aptGet(`: > ${bin}/bwrap; /bin/chmod +x ${bin}/bwrap`);
  expect({ missing: installSystemPackages({ PATH: bin }), calls: calls() }).toEqual({
    missing: [],
    calls: ['install -y -q --no-install-recommends bubblewrap'],
  });
});

test('a user without sudo gets a message with the missing packages, and nothing is tried', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  aptGet('exit 0');
  expect({ missing: installSystemPackages({ PATH: bin }), calls: calls() }).toEqual({
    missing: ['bubblewrap', 'socat', 'chromium', 'jq', 'postgresql'],
    calls: [],
  });
});

test('a failed installation leaves the packages missing', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  program('bwrap', '');
  aptGet('exit 100');
  expect(installSystemPackages({ PATH: bin })).toEqual(['socat', 'chromium', 'jq', 'postgresql']);
});

/** An executable on the test's own path, which is all the path there is. */
function program(name: string, script: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin, name), 0o755);
}

/** An `apt-get` that notes how it was called. */
function aptGet(script: string): void {
  program('apt-get', `echo "$@" >> ${bin}/calls\n${script}`);
}

function calls(): string[] {
  const file = path.join(bin, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
