import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { commandsWithin } from '../../../src/permissions/shell/runners.ts';

const within = (script: string) =>
  commandsWithin(analyseScript(script).commands[0]?.words ?? []).map((words) =>
    words.map(({ value }) => value ?? '?').join(' '),
  );

const anywhere =
  'npx pnpx bunx uvx pipx cross-env cross-env-shell dotenv env-cmd concurrently valgrind perf rr heaptrack xvfb-run firejail proot numactl cgexec cpulimit gdb lldb catch time-machine with-contenv s6-setuidgid gosu su-exec tini dumb-init nix-shell nix onchange watchexec chokidar';
const behindWord =
  'npm pnpm yarn bun poetry uv pdm pipenv hatch rye conda mamba micromamba mise rtx asdf devbox direnv bundle docker podman nerdctl docker-compose kubectl oc lxc lxc-attach ip vagrant adb op doppler aws-vault chamber infisical flatpak snap toolbox distrobox wsl';

test.each(anywhere.split(' '))('%s may run each of its words except options', (name) => {
  expect(within(`/opt/${name} -a rm x`)).toEqual(['rm x', 'x']);
});

test.each(behindWord.split(' '))('%s may run the word after a word that announces a program', (name) => {
  expect([within(`${name} -a run rm x`), within(`${name} rm x`)]).toEqual([['rm x', 'x'], []]);
});

test.each([
  ...['run', 'exec', 'x', 'dlx', 'shell', 'develop', 'debug', 'ssh', 'netns', 'start'],
])('the word %s announces a program', (word) => {
  expect(within(`docker ${word} rm`)).toEqual(['rm']);
});

test('other words, other programs and computed words do not count', () => {
  const scripts = ['docker rerun rm', 'docker runs rm', 'run docker rm', 'ls run rm', 'docker run "$x"'];
  expect(scripts.map(within)).toEqual([[], [], [], [], []]);
});

test('at most 20 commands are looked at', () => {
  const words = Array.from({ length: 25 }, (_, index) => `w${index}`);
  const found = within(`npx ${words.join(' ')}`);
  expect([found.length, found[0], found.at(-1)]).toEqual([20, words.join(' '), words.slice(19).join(' ')]);
});
