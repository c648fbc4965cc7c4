import { quotedWord } from '../../../sandbox/quoted-word.ts';

/** Content of the first output line: whether the program got a terminal. */
export const onTerminal = 'terminal';
const onPipes = 'pipes';

/** Sets up a terminal on which programs draw nothing. Echo is off: the model knows its input. */
const setTerminal = 'stty -echo rows 40 cols 120; export TERM=dumb COLUMNS=120 LINES=40';

/**
 * Returns the script that runs a command on a terminal, made by `script` (util-linux), else on
 * pipes. It first prints a line that names which, when input may come. Job control works; inside a
 * sandbox the terminal is the sandbox's own.
 */
export function terminalCommand(command: string): string {
  const run = `exec bash -c ${quotedWord(command)}`;
  return `if script -qec true /dev/null </dev/null >/dev/null 2>&1
then exec script -qec ${quotedWord(`${setTerminal}; echo ${onTerminal}; ${run}`)} /dev/null
else echo ${onPipes}; exec 2>&1; ${run}
fi`;
}
