/** Subcommands of git that only read whatever their arguments are, but for these options. */
const readers = new Map<string, RegExp>([
  ...'log show diff whatchanged diff-tree diff-index diff-files range-diff'
    .split(' ')
    .map((name): [string, RegExp] => [name, /^--(ou|ext|textc)/]),
  ...'status blame annotate shortlog rev-parse rev-list ls-files ls-tree describe name-rev merge-base for-each-ref show-ref count-objects cherry version check-ignore'
    .split(' ')
    .map((name): [string, RegExp] => [name, /^--(ou|ext|exec|textc|parseopt)/]),
  ['cat-file', /^--(textc|filters|batch)/],
  ['grep', /^(--(open|ext|textc)|-[^-]*O)/],
]);

const branchOptions =
  /^(--list|-l|-a|--all|-r|--remotes|-v|-vv|--verbose|--show-current|--no-color|--sort=.*|--format=.*)$/;

const configOptions =
  /^(--show-origin|--show-scope|--name-only|-z|--null|--local|--global|--system|--worktree|--includes|--type=\w+)$/;

/**
 * True when a call of git only reads. `values` are the words after `git`. Options before the subcommand
 * that move git to another repository or set its configuration (`-C`, `-c`, `--git-dir`) prove nothing.
 */
export function readsWithGit(values: readonly string[]): boolean {
  let index = 0;
  while (/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(values[index] ?? '')) index++;
  const [subcommand = '', ...rest] = values.slice(index);
  if (subcommand === '--version') return true;
  // Options end at `--`; after it stand paths, whatever they look like.
  const end = rest.indexOf('--');
  const options = end < 0 ? rest : rest.slice(0, end);
  const danger = readers.get(subcommand);
  if (danger !== undefined) return !options.some((value) => danger.test(value));
  switch (subcommand) {
    case 'branch':
      return (
        options.every((value) => branchOptions.test(value)) ||
        (isList(options) && options.slice(1).every(isPlain))
      );
    case 'tag':
      return options.length === 0 || (isList(options) && options.slice(1).every(isPlain));
    case 'remote':
      return (
        options.length === 0 ||
        (options.length === 1 && options[0] === '-v') ||
        (options.length === 2 && options[0] === 'get-url')
      );
    case 'config':
      return (
        /^(--get|--get-all|--get-regexp|--list|-l)$/.test(options[0] ?? '') &&
        options.slice(1).every((value) => isPlain(value) || configOptions.test(value))
      );
    case 'symbolic-ref':
      return (
        options.filter(isPlain).length === 1 &&
        options.every((value) => isPlain(value) || /^(-q|--short)$/.test(value))
      );
    case 'stash':
    case 'worktree':
      return options[0] === 'list' && options.length === 1;
    case 'reflog':
      return options.length === 0 || (options[0] === 'show' && options.slice(1).every(isPlain));
    default:
      return false;
  }
}

function isList(options: readonly string[]): boolean {
  return options[0] === '--list' || options[0] === '-l';
}

function isPlain(value: string): boolean {
  return !value.startsWith('-');
}
