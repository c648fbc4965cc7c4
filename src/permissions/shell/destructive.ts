import { withoutGlobalOptions } from './global-options.ts';
import { nameTable } from './name-table.ts';
import { programName } from './shell-word.ts';
import type { SimpleCommand } from './simple-command.ts';

const always = nameTable<string>({
  'shutdown reboot halt poweroff init telinit': 'stops the machine',
  'mkfs mke2fs mkswap fdisk sfdisk parted wipefs blkdiscard shred': 'destroys what is stored',
  'sudo doas su pkexec': 'runs as another user',
});

/** Programs with untrusted output. */
export const downloaders: ReadonlySet<string> = new Set(['curl', 'wget', 'fetch', 'nc', 'ncat', 'socat']);
const interpreters = new Set('sh bash dash zsh ksh fish python python3 node perl ruby php'.split(' '));

type Check = (values: readonly string[]) => string | null;

/**
 * Programs that destroy with some arguments, with a function that returns how, or null. Global
 * options are already removed from the arguments.
 */
const checks = nameTable<Check>({
  rm: destroysWithRm,
  git: destroysWithGit,
  dd: (values) =>
    values.some((value) => value.startsWith('of=')) ? 'overwrites the file named by `of=`' : null,
  chmod: (values) =>
    values.some((value) => /^(0?777|a\+rwx|[ugo]*\+.*s.*|[24-7]\d{3})$/.test(value))
      ? 'opens files to all users'
      : null,
  chown: (values) =>
    has(values, 'R', '--recursive') && values.some(isRootLike) ? 'takes files from their owners' : null,
  find: (values) => (values.includes('-delete') ? 'deletes whatever it finds' : null),
  mv: (values) => (values.some((value) => value === '/dev/null') ? 'throws files away' : null),
  kill: (values) => (values.slice(-1).includes('-1') ? 'ends every process' : null),
  crontab: (values) => (values.includes('-r') ? 'deletes the timetable' : null),
  systemctl: (values) =>
    values.some((value) => /^(poweroff|reboot|halt|kexec|rescue|emergency)$/.test(value))
      ? 'stops the machine'
      : null,
  'npm pnpm yarn cargo poetry': (values) =>
    values[0] === 'publish' || values[0] === 'unpublish' ? 'publishes to the world' : null,
  terraform: (values) => (values.includes('destroy') ? 'destroys infrastructure' : null),
  kubectl: (values) => (values.includes('delete') ? 'destroys infrastructure' : null),
});

/** Returns what a simple command would destroy, as the end of a sentence ("deletes …"), or null. */
export function destroys(command: SimpleCommand): string | null {
  const name = programName(command.words[0]?.value ?? '');
  if (name === '') return null;
  const values = command.words.slice(1).map((word) => word.value ?? word.source);
  if (interpreters.has(name) && command.pipedFrom.some((from) => downloaders.has(from)))
    return 'runs what was just downloaded';
  if (name.startsWith('mkfs.')) return 'destroys what is stored';
  const check = checks.get(name);
  const bare = withoutGlobalOptions(name, values);
  const forms = bare.length > 0 ? bare : [values];
  const found = check === undefined ? null : forms.map(check).find((reason) => reason !== null);
  return always.get(name) ?? found ?? null;
}

function destroysWithRm(values: readonly string[]): string | null {
  const recursive = has(values, 'rR', '--recursive');
  if (recursive && has(values, 'f', '--force')) return 'deletes folders without asking';
  return recursive && values.some(isRootLike) ? 'deletes everything' : null;
}

const gitChecks: Readonly<Record<string, (rest: readonly string[], forced: boolean) => string | null>> = {
  push: (rest, forced) =>
    forced || rest.some((value) => /^(--force.*|--mirror|--delete|--prune|-d|\+.+|:.+)$/.test(value))
      ? 'overwrites or deletes what others have pushed'
      : null,
  reset: (rest) => (rest.includes('--hard') ? 'throws away uncommitted work' : null),
  clean: (_rest, forced) => (forced ? 'deletes untracked files' : null),
  checkout: discardsChanges,
  switch: discardsChanges,
  branch: (rest, forced) =>
    rest.some((value) => /^-[a-zA-Z]*D/.test(value)) || (forced && has(rest, 'd', '--delete'))
      ? 'deletes unmerged work'
      : null,
  stash: ([action]) => (action === 'clear' || action === 'drop' ? 'throws away stashed work' : null),
  reflog: ([action]) => (action === 'expire' || action === 'delete' ? 'deletes history' : null),
  'filter-branch': () => 'rewrites history',
  'filter-repo': () => 'rewrites history',
};

function discardsChanges(rest: readonly string[], forced: boolean): string | null {
  return forced || rest.includes('--discard-changes') ? 'throws away uncommitted work' : null;
}

function destroysWithGit([subcommand = '', ...rest]: readonly string[]): string | null {
  const check = Object.hasOwn(gitChecks, subcommand) ? gitChecks[subcommand] : undefined;
  return check?.(rest, has(rest, 'f', '--force')) ?? null;
}

function has(values: readonly string[], letters: string, long: string): boolean {
  const cluster = new RegExp(`^-[A-Za-z]*[${letters}]`);
  return values.some(
    (value) => cluster.test(value) || (value.length > 2 && long.startsWith(value.split('=')[0] ?? '')),
  );
}

function isRootLike(value: string): boolean {
  return /^(\/|[~*]\/?|\.{1,2}\/?|"?\$\{?HOME\}?"?\/?)$/.test(value) || /^\/[^/]+\/?$/.test(value);
}
