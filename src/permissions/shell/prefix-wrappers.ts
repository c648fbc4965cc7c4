import { nameTable } from './name-table.ts';
import { type OptionSpec, type ParsedOption, readOptions } from './read-options.ts';
import { computed, literalWord, unknownWord } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';
import { joinedScript, type Wrapped } from './wrapped.ts';

/** A program that runs the program named after its own options. */
interface PrefixWrapper extends OptionSpec {
  /** Number of words between the options and the program. Default: 0. */
  readonly operands?: number;
  /** True if words with `=` before the program are its environment. */
  readonly assignments?: boolean;
  /** True if the wrapper itself is evaluated too. */
  readonly includesSelf?: boolean;
  /** Options with which it runs no program. */
  readonly plain?: readonly string[];
  /** Options that run the program in another folder. */
  readonly moves?: readonly string[];
  /** Options with further effects, so that the wrapper is evaluated too. */
  readonly more?: readonly string[];
  /** Options that hold a shell script or are followed by one. */
  readonly script?: readonly string[];
  /** Options after which it is unknown what runs. */
  readonly opaque?: readonly string[];
  /** True if the words that follow form one shell script. */
  readonly joins?: boolean;
  /** True if words of its input are appended. */
  readonly appends?: boolean;
}

const traced: PrefixWrapper = {
  short: 'a:A:b:cCdDe:E:fFhI:iko:O:p:P:qrs:S:tTu:U:vVwxX:yYzZ',
  long: 'help version',
  includesSelf: true,
  plain: ['p', 'help', 'version', 'h', 'V'],
  // A file name that begins with | or ! is a command.
  opaque: ['o'],
};

const architecture: PrefixWrapper = {
  short: 'BFILRSTXZv3hV',
  long: 'uname-2.6 3gb 4gb addr-compat-layout addr-no-randomize fdpic-funcptrs mmap-page-zero read-implies-exec short-inode sticky-timeouts verbose whole-seconds list help version',
};

/** Options from the manuals. An unlisted option makes a call unknown, never another call. */
export const prefixWrappers: ReadonlyMap<string, PrefixWrapper> = nameTable<PrefixWrapper>({
  timeout: {
    short: 'k:s:vfp',
    long: 'kill-after: signal: foreground preserve-status verbose help version',
    operands: 1,
  },
  nohup: { long: 'help version' },
  nice: { short: 'n:0123456789', long: 'adjustment: help version' },
  ionice: {
    short: 'c:n:p:P:u:thV',
    long: 'class: classdata: pid: pgid: uid: ignore help version',
    plain: ['p', 'P', 'u', 'pid', 'pgid', 'uid'],
  },
  setsid: { short: 'cfwhV', long: 'ctty fork wait help version' },
  stdbuf: { short: 'i:o:e:', long: 'input: output: error: help version' },
  chrt: {
    short: 'abdfiormpvT:P:D:RhV',
    long: 'all-tasks batch deadline fifo idle other rr max pid verbose reset-on-fork sched-runtime: sched-period: sched-deadline: help version',
    operands: 1,
    plain: ['m', 'p', 'max', 'pid'],
  },
  taskset: { short: 'apchV', long: 'all-tasks pid cpu-list help version', operands: 1, plain: ['p', 'pid'] },
  time: {
    short: 'af:o:pqvhV',
    long: 'append format: output: portability quiet verbose help version',
    more: ['o', 'output'],
  },
  command: { short: 'pvV', plain: ['v', 'V'] },
  builtin: {},
  exec: { short: 'a:cl' },
  env: {
    short: '0iu:vC:S:',
    long: 'null ignore-environment unset: debug chdir: split-string: block-signal:: default-signal:: ignore-signal:: list-signal-handling argv0: help version',
    assignments: true,
    moves: ['C', 'chdir'],
    opaque: ['S', 'split-string'],
  },
  sudo: {
    short: 'AbBEeHhiKklnPSsVva:C:c:D:g:p:R:r:T:t:U:u:',
    long: 'askpass background bell preserve-env:: edit set-home help login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell version validate close-from: chdir: group: host: prompt: chroot: role: command-timeout: type: other-user: user:',
    assignments: true,
    includesSelf: true,
    moves: ['D', 'chdir', 'R', 'chroot', 'i', 'login'],
  },
  doas: { short: 'a:C:Lnsu:', includesSelf: true },
  xargs: {
    short: '0a:d:E:e::I:i::L:l::n:oP:prs:tx',
    long: 'null arg-file: delimiter: eof:: replace:: max-lines:: max-args: interactive no-run-if-empty max-chars: verbose exit show-limits open-tty max-procs: process-slot-var: help version',
    appends: true,
  },
  flock: {
    short: 'c:eE:FhnosuVw:x',
    long: 'command: shared exclusive unlock nonblock nb timeout: wait: conflict-exit-code: close no-fork verbose help version',
    operands: 1,
    includesSelf: true,
    script: ['c', 'command'],
  },
  'busybox toybox': { includesSelf: true },
  'strace ltrace': traced,
  chroot: { long: 'groups: userspec: skip-chdir help version', operands: 1, includesSelf: true, moves: [''] },
  unshare: {
    short: 'm::u::i::n::p::U::C::T::fcrR:w:S:G:hV',
    long: 'mount:: uts:: ipc:: net:: pid:: user:: cgroup:: time:: fork map-user: map-group: map-root-user map-current-user map-auto keep-caps mount-proc:: propagation: setgroups: root: wd: setuid: setgid: kill-child:: monotonic: boottime: help version',
    includesSelf: true,
    moves: ['R', 'root', 'w', 'wd'],
  },
  nsenter: {
    short: 'at:m::u::i::n::p::U::C::T::S:G:r::w::W:FZehV',
    long: 'all target: mount:: uts:: ipc:: net:: pid:: user:: cgroup:: time:: setuid: setgid: preserve-credentials root:: wd:: wdns: no-fork follow-context env help version',
    includesSelf: true,
    moves: [''],
  },
  setpriv: {
    short: 'dhV',
    long: 'dump nnp no-new-privs ambient-caps: inh-caps: bounding-set: ruid: euid: rgid: egid: reuid: regid: clear-groups keep-groups init-groups groups: securebits: pdeathsig: selinux-label: apparmor-profile: reset-env help version',
    includesSelf: true,
  },
  watch: {
    short: 'bcCd::eghn:pqtrwxv',
    long: 'beep color no-color differences:: errexit chgexit interval: precise equexit: no-rerun no-title no-wrap exec help version',
    includesSelf: true,
    joins: true,
  },
  fakeroot: {
    short: 'l:s:i:ub:hv',
    long: 'lib: faked: unknown-is-real fd-base: help version',
    includesSelf: true,
  },
  eatmydata: {},
  catchsegv: {},
  chronic: { short: 've' },
  ifne: { short: 'n' },
  unbuffer: { short: 'p' },
  rlwrap: { short: 'aA', includesSelf: true },
  torsocks: { includesSelf: true },
  proxychains4: { short: 'qf:', includesSelf: true },
  prlimit: {
    short: 'c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::p:o:hV',
    long: 'pid: output: core:: data:: nice:: fsize:: sigpending:: memlock:: rss:: nofile:: msgqueue:: rtprio:: stack:: cpu:: nproc:: as:: locks:: rttime:: noheadings raw verbose help version',
    plain: ['p', 'pid'],
  },
  'linux32 linux64 i386 i486 i586 i686 x86_64': architecture,
  faketime: { short: 'fmp:', includesSelf: true, operands: 1 },
  'dbus-run-session': { long: 'config-file: dbus-daemon:', includesSelf: true },
});

/**
 * Returns what a wrapper such as `timeout` or `xargs` runs, or null. `rest`: the words after its
 * name.
 */
export function unwrapPrefix(
  name: string,
  rest: readonly ShellWord[],
  wrapper: PrefixWrapper,
): Wrapped | null {
  const read = readOptions(rest, wrapper);
  if (read.problem !== null) return { kind: 'unknown', why: `of \`${name}\`, ${read.problem}` };
  const given = optionIn(read.options);
  if (given(wrapper.plain) !== undefined) return null;
  const script = given(wrapper.script);
  if (script?.value) return joinedScript([script.value], name, { includesSelf: true, posix: true });
  const opaque = given(wrapper.opaque);
  const unknown = opaqueReason(name, opaque);
  const { assignments, words } = withoutAssignments(read.operands, wrapper);
  if (name === 'env' && opaque?.value) return splitByEnv(opaque.value, words, unknown);
  const operands = words.splice(0, wrapper.operands ?? 0);
  const [first] = words;
  // A computed word may be a duration or a lock file, but not an option.
  if ([...operands, first].some((word) => word?.value === null && word.mayBeOption))
    return { kind: 'unknown', why: `the arguments of \`${name}\` are computed` };
  if (first === undefined) return withoutProgram(name, read.options, unknown);
  const joined = scriptWords(name, words, wrapper);
  if (joined !== null) return joinedScript(joined, name, { includesSelf: true, posix: true });
  return {
    kind: 'programs',
    programs: [wrapper.appends ? replaced([...words, unknownWord], read.options) : words],
    assignments,
    includesSelf: includesWrapper(name, wrapper, read.options),
    elsewhere: given(wrapper.moves) !== undefined || wrapper.moves?.includes('') === true,
    unknown,
  };
}

/** Returns the words that form a shell script, null if they are a program with its arguments. */
function scriptWords(
  name: string,
  words: readonly ShellWord[],
  wrapper: PrefixWrapper,
): readonly ShellWord[] | null {
  if (name === 'flock' && /^(-c|--command)$/.test(words[0]?.value ?? '')) return words.slice(1, 2);
  return wrapper.joins ? words : null;
}

/** Returns true if the wrapper itself is evaluated besides its program. */
function includesWrapper(name: string, wrapper: PrefixWrapper, options: readonly ParsedOption[]): boolean {
  const given = optionIn(options);
  const isOpaque = name === 'env' && given(wrapper.opaque) !== undefined;
  return wrapper.includesSelf === true || given(wrapper.more) !== undefined || isOpaque;
}

function optionIn(
  options: readonly ParsedOption[],
): (names: readonly string[] | undefined) => ParsedOption | undefined {
  return (names) => options.find(({ name }) => names?.includes(name));
}

function opaqueReason(name: string, option: ParsedOption | undefined): string | undefined {
  if (option === undefined) return undefined;
  const dashes = option.name.length > 1 ? '--' : '-';
  return `\`${name}\` may run a program given with \`${dashes}${option.name}\``;
}

/** Returns what `env -S` runs: the words of its value and those after it. */
function splitByEnv(value: ShellWord, words: readonly ShellWord[], unknown: string | undefined): Wrapped {
  const inner = joinedScript([literalWord('env'), value, ...words], 'env', { includesSelf: true });
  return inner.kind === 'scripts' ? { ...inner, unknown } : inner;
}

/** Splits off the environment before a wrapped program. */
function withoutAssignments(
  operands: readonly ShellWord[],
  wrapper: PrefixWrapper,
): { assignments: string[]; words: ShellWord[] } {
  const assignments: string[] = [];
  const words = [...operands];
  if (wrapper.assignments !== true) return { assignments, words };
  // A lone dash is `env -i`.
  if (words[0]?.value === '-') words.shift();
  while (words[0]?.value?.includes('=')) assignments.push(words.shift()?.value ?? '');
  return { assignments, words };
}

/** Returns what some wrappers run without a program. */
function withoutProgram(
  name: string,
  options: readonly ParsedOption[],
  unknown: string | undefined,
): Wrapped | null {
  if (name === 'xargs')
    return { kind: 'programs', programs: [[literalWord('echo'), unknownWord]], includesSelf: false };
  if (unknown !== undefined) return { kind: 'unknown', why: unknown };
  const startsShell =
    (/^(chroot|unshare|nsenter|setarch|linux32|linux64|fakeroot)$/.test(name) &&
      !options.some((option) => /^(help|version|list|h|V)$/.test(option.name))) ||
    (/^(sudo|doas)$/.test(name) && options.some((option) => /^(s|i|shell|login)$/.test(option.name)));
  return startsShell ? { kind: 'standard_input', posix: true } : null;
}

/** With `xargs -I%`, every word with the mark is computed, even the program's name. */
function replaced(words: readonly ShellWord[], options: readonly ParsedOption[]): ShellWord[] {
  const option = options.findLast(({ name }) => name === 'I' || name === 'i' || name === 'replace');
  if (option === undefined) return [...words];
  const mark = option.value === null ? '{}' : option.value.value;
  return words.map((word) => (mark === null || word.value?.includes(mark) ? computed(word) : word));
}
