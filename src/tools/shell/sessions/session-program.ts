import { analyseScript } from '../../../permissions/shell/analyse-script.ts';

/**
 * Programs that read code or queries of their own, no shell commands. Their input cannot be
 * evaluated as shell. Once allowed, each may do anything its language can.
 */
const interpreters = new Set(
  (
    'python python2 python3 ipython bpython node deno bun ts-node tsx ruby irb pry perl php psysh lua luajit ' +
    'psql mysql mariadb sqlite3 duckdb redis-cli mongosh clickhouse-client gdb lldb pdb jdb dlv ghci iex erl ' +
    'scala jshell groovysh clojure clj julia R Rscript octave maxima gp bc dc ocaml utop racket guile sbcl ' +
    'swipl swift evcxr kotlin'
  ).split(' '),
);

/** Folders of the machine's own programs; one in the checkout could be any program. */
const systemFolder = /^(?:\/usr(?:\/local)?)?\/bin\//;

/**
 * Returns the reader of a session's input. Only a single known interpreter of the machine counts as
 * one. Any other command may be a shell, or start one.
 */
export function readerOf(command: string): 'interpreter' | 'shell' {
  const { commands, redirections, syntaxError, unknown, doubt } = analyseScript(command);
  const [only, ...others] = commands;
  const plain = [syntaxError, unknown, doubt].every((problem) => problem === null);
  if (only === undefined || others.length > 0 || redirections.length > 0 || !plain) return 'shell';
  // A variable such as PATH may change the program.
  if (only.assignments.length > 0 || only.wrappers.some((wrapper) => wrapper !== 'timeout')) return 'shell';
  const name = (only.words[0]?.value ?? '').replace(systemFolder, '');
  return interpreters.has(name) || /^python[23]\.\d+$/.test(name) ? 'interpreter' : 'shell';
}
