import type { ShellWord } from './simple-command.ts';

/** Builtins that take names of variables, and compute a place in brackets behind one. */
const takeNames = /^(unset|read|declare|typeset|local|export|readonly|mapfile|readarray|getopts|wait)$/;

/**
 * Why a builtin of bash runs or sets what nobody sees, by its words: it computes them, as in `test -v 'x[$(…)]'`, or sets a variable as
 * `printf '%n' PATH` does. A clause with its name, or null.
 */
export function evaluatesWords(name: string, rest: readonly ShellWord[]): string | null {
  if (name === 'printf') return printsInto(rest);
  if (name === 'let') return '`let` computes, which may run what variables hold';
  if (name === 'test' || name === '[')
    return rest.some(({ value }) => value === '-v' || value === '-R')
      ? `\`${name}\` computes with what it is given, which may run commands`
      : null;
  if (!takeNames.test(name)) return null;
  const computes = rest.some(({ value, source }) =>
    value === null && !/^[A-Za-z_]\w*\+?=/.test(source)
      ? /[[$`]/.test(source)
      : /^[^=]*\[/.test(value ?? '') || (name !== 'read' && /^-[A-Za-z]*[in]/.test(value ?? '')),
  );
  return computes ? `\`${name}\` computes with what it is given, which may run commands` : null;
}

/** Its format counts what was printed into a variable with `%n`, and its option names one. */
function printsInto(rest: readonly ShellWord[]): string | null {
  const [first, second] = rest;
  const format = first?.value === '--' ? second : first;
  if (format === undefined) return null;
  if (first?.value?.startsWith('-v')) return '`printf` sets a variable';
  if (format.value === null) return '`printf` may set a variable by its format, which is computed';
  // Bash takes these letters before the `n` for the size of a number.
  return /%[^%A-Za-z]*[hjlLtz]*n/.test(format.value.replaceAll('%%', '')) ? '`printf` sets a variable' : null;
}
