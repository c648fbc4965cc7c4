import { ToolError } from '../../contract/errors.ts';
import { analyseScript } from '../../permissions/shell/analyse-script.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import type { ShellSession } from './sessions/open-shell.ts';
import { keyOf, type SessionInput, typed } from './sessions/session-input.ts';

/** What a terminal takes without a reader who may be busy writing; more belongs into a file. */
const longestInput = 16 * 1024;

/** What a terminal passes on as one line (termios(3), canonical mode), with room to spare. */
const longestLine = 4_000;

/** What is judged as one script may be no longer, or it could not be parsed in time. */
const longestScript = 60_000;

/** Throws `ToolError` where input could not arrive as it is, or a shell would make something else of it. */
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
  // Each of these has a shell run something else than what stands there, and what stands there is judged.
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
  // Ctrl-C, or a program that reads the first line itself, makes commands of what was judged as text.
  if ([...lines, ...others].some(hidesNextLine))
    throw new ToolError(
      'invalid_input',
      'input: a shell gets no here-document and no line that ends in a backslash. Write the command in one line, or use bash.',
    );
}

/**
 * What is judged before input is typed into a session. For an interpreter that is its command: what it may do
 * was decided with that. For all else it is every line typed since the start, for a shell remembers its
 * folder and what was defined, and a line may be typed in parts. Each line that cannot be parsed by itself, and
 * what a line begun before Ctrl-C may have become, is judged alone too: as part of the whole it may pass for text.
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

/** The lines that the text ends or begins, and what else the first may be where one was begun before it. */
function newLines({ typed: { before, others } }: ShellSession, text: string) {
  const begun = before.slice(before.lastIndexOf('\n') + 1);
  const [first = '', ...rest] = text.split('\n');
  const said = (line: string) => line.trim() !== '';
  return {
    lines: [begun + first, ...rest].filter(said),
    others: others.map((one) => one + first).filter(said),
  };
}

/** A word that is a command of its own exactly where nothing before it is left open. */
const next = ':next-command';

/** True for a line that can be parsed, but has a shell take the next one for a part of it: `cat <<EOF`, `echo \`. */
function hidesNextLine(line: string): boolean {
  const { commands, syntaxError } = analyseScript(`${line}\n${next}`);
  const last = commands.at(-1)?.words ?? [];
  return syntaxError === null && !(last.length === 1 && last[0]?.value === next);
}
