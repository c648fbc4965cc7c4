import { quotedWord } from '../../../sandbox/quoted-word.ts';

/** What the first line of output tells: whether the program got a terminal. */
export const onTerminal = 'terminal';
const onPipes = 'pipes';

/** Programs draw nothing on such a terminal, and ask nothing of it. Its echo is off: the model knows what it wrote. */
const setTerminal = 'stty -echo rows 40 cols 120; export TERM=dumb COLUMNS=120 LINES=40';

/**
 * The script that runs a command on a terminal of its own, made by `script` (util-linux); where that cannot be
 * had, on pipes. It first prints a line that says which, when input may come. Job control and whatever else
 * asks for a terminal works; inside a sandbox it is one of the sandbox's own.
 */
export function terminalCommand(command: string): string {
  const run = `exec bash -c ${quotedWord(command)}`;
  return `if script -qec true /dev/null </dev/null >/dev/null 2>&1
then exec script -qec ${quotedWord(`${setTerminal}; echo ${onTerminal}; ${run}`)} /dev/null
else echo ${onPipes}; exec 2>&1; ${run}
fi`;
}
