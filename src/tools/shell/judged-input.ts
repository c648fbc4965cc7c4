import { ToolError } from '../../contract/errors.ts';
import { analyseScript } from '../../permissions/shell/analyse-script.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import type { ShellSession } from './sessions/open-shell.ts';
import { keyOf, type SessionInput, typed } from './sessions/session-input.ts';

/** Maximum bytes a terminal takes while its reader is busy. */
const longestInput = 16 * 1024;

/** Maximum bytes of a line that a terminal passes on (termios(3), canonical mode), with reserve. */
const longestLine = 4_000;

/** Maximum length of a script to evaluate; a longer one takes too long to parse. */
const longestScript = 60_000;

/** Throws `ToolError` for input that could not arrive intact, or that a shell would change. */
export function checkInput(session: ShellSession, input: SessionInput): void {
  const { text } = input;
  if (Buffer.byteLength(text) > longestInput)
    throw new ToolError(
      'invalid_input',
      `input: at most ${longestInput} bytes at once. Write them to a file and have the program read that.`,
    );
  if (text.split(/[\r\n]/).some((line) => Buffer.byteLength(line) > longestLine))
    throw new ToolError(
      'invalid_input',
      `input: a line on a terminal has at most ${longestLine} bytes. Write the text to a file and have the program read that.`,
    );
  if (session.reader !== 'shell' || keyOf(input) !== null) return;
  // With each of these, a shell runs something other than the evaluated text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(text))
    throw new ToolError(
      'invalid_input',
      'input: a shell gets no control characters, tabs among them, but \\u0003 (Ctrl-C), \\u0004 (Ctrl-D) and the like, each alone. Write the command out.',
    );
  if (/![^\s=(]|^\^/m.test(text))
    throw new ToolError(
      'invalid_input',
      'input: a shell gets no `!` in front of a word and no `^` at the start of a line: they bring back earlier commands. Write the command out, or use bash.',
    );
  const { lines, others } = newLines(session, typed(input));
  // Ctrl-C, or a program that reads the first line, turns evaluated text into commands.
  if ([...lines, ...others].some(hidesNextLine))
    throw new ToolError(
      'invalid_input',
      'input: a shell gets no here-document and no line that ends in a backslash. Write the command in one line, or use bash.',
    );
}

/**
 * Returns the scripts to evaluate before input is typed into a session. An interpreter's is its
 * command, which decided what it may do. Otherwise it is every line typed since the start, as a
 * shell keeps its folder and definitions, and a line may be typed in parts. A line that cannot be
 * parsed alone is evaluated alone too, and so is one begun before Ctrl-C: within the whole it may
 * pass for text.
 */
export function judgedScripts(session: ShellSession, input: SessionInput): string[] {
  if (session.reader === 'interpreter') return [session.command];
  const folder = session.folder === '' ? '' : `cd ${quotedWord(session.folder)}\n`;
  const text = keyOf(input) === null ? typed(input) : '';
  const script = `${folder}${session.command}\n${session.typed.before}${text}`;
  if (script.length > longestScript)
    throw new ToolError(
      'invalid_input',
      `${session.id} was given so much that it can no longer be judged as a whole. Open another session.`,
    );
  if (text === '') return [script];
  const { lines, others } = newLines(session, text);
  const doubtful = lines.some((line) => analyseScript(line).syntaxError !== null) ? lines : [];
  return [...new Set([script, ...doubtful, ...others])];
}

/** Returns the lines that the text ends or begins, and other possible readings of the first. */
function newLines({ typed: { before, others } }: ShellSession, text: string) {
  const begun = before.slice(before.lastIndexOf('\n') + 1);
  const [first = '', ...rest] = text.split('\n');
  const said = (line: string) => line.trim() !== '';
  return {
    lines: [begun + first, ...rest].filter(said),
    others: others.map((one) => one + first).filter(said),
  };
}

/** A word that is a command of its own only if nothing before it is left open. */
const next = ':next-command';

/** True for a line that makes a shell read the next one as part of it: `cat <<EOF`, `echo \`. */
function hidesNextLine(line: string): boolean {
  const { commands, syntaxError } = analyseScript(`${line}\n${next}`);
  const last = commands.at(-1)?.words ?? [];
  return syntaxError === null && !(last.length === 1 && last[0]?.value === next);
}
