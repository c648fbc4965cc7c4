import { analyseScript } from '../../../permissions/shell/analyse-script.ts';

/**
 * Programs that read code or queries of their own and no shell commands: what is typed into them says nothing
 * to a judge of shell commands. Each may do anything its own language can from the moment it is allowed.
 */
const interpreters = new Set(
  (
    'python python2 python3 ipython bpython node deno bun ts-node tsx ruby irb pry perl php psysh lua luajit ' +
    'psql mysql mariadb sqlite3 duckdb redis-cli mongosh clickhouse-client gdb lldb pdb jdb dlv ghci iex erl ' +
    'scala jshell groovysh clojure clj julia R Rscript octave maxima gp bc dc ocaml utop racket guile sbcl ' +
    'swipl swift evcxr kotlin'
  ).split(' '),
);

/** Where a program of that name is the machine's own; in the checkout it could be any. */
const systemFolder = /^(?:\/usr(?:\/local)?)?\/bin\//;

/**
 * What reads the input of a session opened with `command`. Only a command that is one known interpreter, as
 * the machine has it, counts as such; any other may be a shell, or start one.
 */
export function readerOf(command: string): 'interpreter' | 'shell' {
  const { commands, redirections, syntaxError, unknown, doubt } = analyseScript(command);
  const [only, ...others] = commands;
  const plain = [syntaxError, unknown, doubt].every((problem) => problem === null);
  if (only === undefined || others.length > 0 || redirections.length > 0 || !plain) return 'shell';
  // A variable such as PATH may make another program of it.
  if (only.assignments.length > 0 || only.wrappers.some((wrapper) => wrapper !== 'timeout')) return 'shell';
  const name = (only.words[0]?.value ?? '').replace(systemFolder, '');
  return interpreters.has(name) || /^python[23]\.\d+$/.test(name) ? 'interpreter' : 'shell';
}
