import { nameTable } from './name-table.ts';
import { programName } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';

const any = /^/;
const runs = /^(run|exec|x|dlx|shell|develop|debug|ssh|netns|start)$/;

/**
 * Programs that run others in their own environment: package managers, containers, tracers. A rule
 * that allows such a call covers it as a whole. A restricting rule also matches the inner command.
 */
const runners = nameTable<RegExp>({
  'npx pnpx bunx uvx pipx cross-env cross-env-shell dotenv env-cmd concurrently valgrind perf rr heaptrack xvfb-run firejail proot numactl cgexec cpulimit gdb lldb catch time-machine with-contenv s6-setuidgid gosu su-exec tini dumb-init nix-shell nix onchange watchexec chokidar':
    any,
  'npm pnpm yarn bun poetry uv pdm pipenv hatch rye conda mamba micromamba mise rtx asdf devbox direnv bundle docker podman nerdctl docker-compose kubectl oc lxc lxc-attach ip vagrant adb op doppler aws-vault chamber infisical flatpak snap toolbox distrobox wsl':
    runs,
});

/**
 * Returns the commands that a call of such a program may run, longest first; none for other
 * programs. At most 20.
 */
export function commandsWithin(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const wanted = runners.get(programName(words[0]?.value ?? ''));
  if (wanted === undefined) return [];
  const at =
    wanted === any ? 0 : words.findIndex((word, index) => index > 0 && wanted.test(word.value ?? ''));
  if (at < 0) return [];
  return words
    .slice(at + 1, at + 21)
    .map((_word, index) => words.slice(at + 1 + index))
    .filter(([first]) => first?.value !== null && !first?.value.startsWith('-'));
}
