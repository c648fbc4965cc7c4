// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import type { CommandGlobs } from './glob-verdict.ts';

/** A command that contains one for which the globs decide, and the decision. */
export interface HiddenCommand {
  readonly globs: CommandGlobs;
  readonly command: string;
  readonly verdict: 'allow' | 'ask' | 'reject';
}

const rows = (
  globs: CommandGlobs,
  verdict: HiddenCommand['verdict'],
  commands: readonly string[],
): HiddenCommand[] => commands.map((command) => ({ globs, command, verdict }));

/** A denied command, hidden behind allowed ones. */
const denied = rows({ deny: ['shred *'], allow: ['*'] }, 'reject', [
  'shred -u notes.md',
  'cat notes.md && shred -u notes.md',
  'test -f lock || shred -u lock',
  'true; shred lock',
  'cat names | shred -',
  'pwd & shred lock',
  'pwd\nshred lock',
  '(cd out && shred lock)',
  '{ cd out; shred lock; }',
  'DEPTH=2 shred lock',
  '\\shred lock',
  '"shr"ed lock',
  "$'\\x73hred' lock",
  '/usr/bin/shred lock',
  'command shred lock',
  'timeout 9 nice shred lock',
  'ls out | xargs -n1 shred',
  'find out -name lock -exec shred {} +',
  'for one in *; do shred "$one"; done',
  'if test -f lock; then shred lock; fi',
  'wipe() { shred lock; }; wipe',
  'echo "$(shred lock)"',
  'echo `shred lock`',
  'diff <(shred lock) README.md',
  'tee >(shred lock) < README.md',
  'cat <<< "$(shred lock)"',
  'cat <<LIST\n$(shred lock)\nLIST',
  "sh -c 'shred lock'",
  'eval "shred lock"',
  'coproc shred lock',
  `${'true && '.repeat(70)}shred lock`,
]);

/** A command that needs approval, among allowed ones. */
const requested = rows({ ask: ['deploy', 'deploy *'], allow: ['*'] }, 'ask', [
  'cd site && deploy --now',
  "sort <<'LIST' | deploy\nb\na\nLIST",
  'deploy-all; deploy',
  'time deploy',
]);

/** Redirections and further commands around an allowed program, which no glob of its name covers. */
const beyond = rows({ allow: ['printf *', 'ls *', 'git show *', 'cd *'] }, 'ask', [
  'printf x > notes.md',
  'printf x >> notes.md',
  'printf x; tidy',
  'printf "$(tidy)"',
  'printf x & tidy',
  'printf x\ntidy',
  "sh -c 'printf x > notes.md'",
  'eval "printf x > notes.md"',
  'PATH=./tools ls src',
  'LD_PRELOAD=./a.so ls src',
  'ls() { tidy; }; ls src',
  'declare -i n=1; ls src',
  'ls${IFS}src',
  'ls >(tidy)',
  'git -c core.pager=./page show HEAD',
  'printfile x',
  'git shower',
]);

/** A place that no rule can open. */
const closed = rows({ allow: ['*'] }, 'reject', ['cd .git/hooks && printf x > post-merge']);

/** Scripts that no shell can read: they are not run. */
const unread = rows({ allow: ['*'] }, 'reject', ['ls &&& tidy', 'ls *(e:tidy:)', 'ls | | tidy', '&& ls']);

/** Commands that only look like more than one. */
const plain = rows({ allow: ['grep *', 'echo *', 'ls *', 'true'] }, 'allow', [
  'grep "one && two; three" notes.md',
  "grep '$(tidy)' notes.md",
  "grep '`tidy`' notes.md",
  'grep -e"a|b" -g\'*.md\'',
  'grep lock notes.md || true',
  'echo lock && ls out',
  'echo lock; ls',
  'echo lock | grep lock',
  'echo lock & ls',
  'echo "$(ls out)"',
  'echo $(grep $(ls))',
  'ls out 2>/dev/null',
  'ls out > /dev/null 2>&1',
  'echo "const pick = (one) => one > 2"',
  'echo one \\> two',
  // bash takes a carriage return for a letter.
  'echo one\rtidy',
]);

/** Commands that hide from an allow-list of globs, and some that do not. */
export const hiddenCommands: readonly HiddenCommand[] = [
  ...denied,
  ...requested,
  ...beyond,
  ...closed,
  ...unread,
  ...plain,
];
