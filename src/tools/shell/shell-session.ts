import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { analyseScript } from '../../permissions/shell/analyse-script.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { flag, integer } from '../input/lenient.ts';
import { defineTool, type Prepared, type ToolContext, type ToolOutput } from '../tool.ts';
import { workingFolder } from './command-folder.ts';
import { recordChanges } from './record-changes.ts';
import { scriptIn, scriptOf } from './script-of.ts';
import { renderSession, sessionStatus, sessionStep } from './session-step.ts';
import type { ShellSession } from './sessions/open-shell.ts';
import { type SessionInput, terminalKey, typed } from './sessions/session-input.ts';

const longestYieldMs = 30_000;

/** Names of the actions in other harnesses. */
const otherActions: Readonly<Record<string, string>> = {
  start: 'open',
  create: 'open',
  send: 'write',
  input: 'write',
  read: 'poll',
  close: 'kill',
  stop: 'kill',
};

const input = z.object({
  action: z.preprocess(
    (value) => (typeof value === 'string' ? (otherActions[value] ?? value) : value),
    z.enum(['open', 'write', 'poll', 'list', 'kill']),
  ),
  command: z
    .union([z.string().min(1).transform(scriptIn), z.array(z.string()).min(1).transform(scriptOf)])
    .optional()
    .meta({ type: 'string', anyOf: undefined, description: 'for open: python3 -i' }),
  session_id: z
    .preprocess((value) => (/^\d+$/.test(String(value)) ? `session_${value}` : value), z.string())
    .optional(),
  input: z.string().optional().describe('for write; \\u0003 alone is Ctrl-C'),
  enter: flag().default(true).describe('a newline after input, default true'),
  cwd: z.string().optional(),
  yield_ms: integer(z.int().nonnegative())
    .default(1_500)
    .transform((ms) => Math.min(ms, longestYieldMs))
    .describe('the longest wait for output, default 1500'),
});

type Call = z.output<typeof input>;

/** Drives programs that keep running and read input: REPLs, servers, debuggers. */
export const shellSession = defineTool({
  name: 'shell_session',
  aliases: {
    write_stdin: { action: 'write', enter: false },
    BashOutput: { action: 'poll' },
    bash_output: { action: 'poll' },
    KillShell: { action: 'kill' },
    kill_shell: { action: 'kill' },
    KillBash: { action: 'kill' },
  },
  argumentAliases: {
    cmd: 'command',
    workdir: 'cwd',
    id: 'session_id',
    sessionId: 'session_id',
    bash_id: 'session_id',
    shell_id: 'session_id',
    chars: 'input',
    text: 'input',
    stdin: 'input',
    yield_time_ms: 'yield_ms',
    timeout_ms: 'yield_ms',
  },
  description:
    'Interactive programs that keep running, on a terminal: open a REPL, server or debugger, write input, poll output, list, kill.',
  exposure: 'deferred',
  findBy: ['shells that stay', 'interactive|persistent|background shell|command|process|terminal'],
  input,
  level: ({ action }) => {
    if (action === 'list' || action === 'poll') return 'auto_read';
    return action === 'kill' ? 'state_write' : 'confirm_execute';
  },
  startsCommands: ({ action }) => action === 'open',
  readOnly: ({ action }) => action === 'list',
  // Ending a session affects only the run's own processes.
  ownState: true,
  targets: targetsOf,
  prepare: async (args, context) => {
    if (args.action === 'open') return preparedOpen(args);
    return args.action === 'write' ? preparedWrite(args, context) : prepared(targetsOf(args));
  },
  async execute(args, context) {
    if (args.action === 'list') return listSessions(context);
    if (args.action === 'open') {
      const folder = await workingFolder(args.cwd ?? '', context.workspace);
      const command = requireField(args.command, 'command', 'open');
      const session = await context.sessions.open({ ...context, command, folder });
      const step = await sessionStep(session, { tool: 'shell_session', yieldMs: args.yield_ms }, context);
      return addNotes(step, sessionNotes(session, context.commands.sandboxed));
    }
    const session = sessionOf(args, context);
    if (args.action === 'kill') {
      await session.kill();
      await recordChanges(context, 'shell_session');
      return renderSession(session);
    }
    const step = { tool: 'shell_session', yieldMs: args.yield_ms };
    if (args.action === 'poll') return sessionStep(session, step, context);
    if (session.end !== null)
      throw new ToolError(
        'unavailable',
        `${session.id} ${sessionStatus(session)}: nobody reads input any more. poll shows its last output.`,
      );
    const since = session.output.total;
    session.write(inputOf(args));
    return sessionStep(session, { ...step, since }, context);
  },
});

/** Returns the targets of a call without a command to evaluate. */
function targetsOf({ action, command, session_id }: Call): Targets {
  return { what: [action, session_id ?? command].join(' ').trim() };
}

function preparedOpen(args: Call): Prepared {
  const command = requireField(args.command, 'command', 'open');
  return prepared({
    what: command,
    commands: [command],
    ...(args.cwd === undefined ? {} : { paths: [{ path: args.cwd, access: 'read' as const }] }),
  });
}

function preparedWrite(args: Call, context: ToolContext): Prepared {
  const session = sessionOf(args, context);
  const text = inputOf(args);
  checkInput(session, text);
  const targets = {
    what: `${session.id} (${session.command}) ← ${terminalKey(text) ?? text.text}`,
    commands: scriptsToEvaluate(session, text),
  };
  return { ...prepared(targets), endsWithRun: true };
}

function prepared(targets: Targets): Prepared {
  return { targets, diff: '', state: null };
}

function sessionOf(args: Call, { sessions }: ToolContext) {
  return sessions.find(requireField(args.session_id, 'session_id', args.action));
}

function inputOf(args: Call) {
  return { text: requireField(args.input, 'input', 'write'), enter: args.enter };
}

function requireField(value: string | undefined, name: string, action: string): string {
  if (value !== undefined) return value;
  throw invalidInput(`${name}: needed to ${action}.`);
}

function listSessions({ sessions }: ToolContext): ToolOutput {
  const all = sessions.list();
  const lines = all.map(
    (one) => `${one.id} ${sessionStatus(one)}, ${one.output.bytes} bytes not read yet: ${one.command}`,
  );
  return {
    content: lines.join('\n') || 'No session was opened.',
    data: {
      sessions: all.map((one) => ({
        session_id: one.id,
        command: one.command,
        status: one.end === null ? 'running' : 'exited',
        exit_code: one.end?.exitCode ?? null,
        unread_bytes: one.output.bytes,
      })),
    },
  };
}

/** Returns notes on a new session that the model cannot know. */
function sessionNotes(session: ReturnType<typeof sessionOf>, sandboxed: boolean): string[] {
  if (session.end !== null) return [];
  return [
    ...(session.terminal === false ? ['[It runs on pipes: no terminal could be made for it.]'] : []),
    ...(sandboxed && session.reader === 'shell'
      ? ['[It has its own network: only programs that it starts reach a server in it.]']
      : []),
    ...(session.reader === 'shell'
      ? [
          '[Its input is evaluated as shell commands. Open a REPL such as python3 -i as a session of its own.]',
        ]
      : []),
  ];
}

function addNotes(output: ToolOutput, notes: readonly string[]): ToolOutput {
  return { ...output, content: [output.content, ...notes].join('\n') };
}

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
    throw invalidInput(
      `input: at most ${longestInput} bytes at once. Write them to a file and have the program read that.`,
    );
  if (text.split(/[\r\n]/).some((line) => Buffer.byteLength(line) > longestLine))
    throw invalidInput(
      `input: a line on a terminal has at most ${longestLine} bytes. Write the text to a file and have the program read that.`,
    );
  if (session.reader !== 'shell' || terminalKey(input) !== null) return;
  // With each of these, a shell runs something other than the evaluated text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(text))
    throw invalidInput(
      'input: a shell gets no control characters, tabs among them, but \\u0003 (Ctrl-C), \\u0004 (Ctrl-D) and the like, each alone. Write the command out.',
    );
  if (/![^\s=(]|^\^/m.test(text))
    throw invalidInput(
      'input: a shell gets no `!` in front of a word and no `^` at the start of a line: they bring back earlier commands. Write the command out, or use bash.',
    );
  const { lines, others } = newLines(session, typed(input));
  // Ctrl-C, or a program that reads the first line, turns evaluated text into commands.
  if ([...lines, ...others].some(hidesNextLine))
    throw invalidInput(
      'input: a shell gets no here-document and no line that ends in a backslash. Write the command in one line, or use bash.',
    );
}

/**
 * Returns the scripts to evaluate before input is typed into a session. An interpreter's is its
 * command, which decided what it may do. Otherwise it is every line typed since the start, as a
 * shell keeps its folder and definitions, and a line may be typed in parts. A line that cannot be
 * parsed alone is evaluated alone too, since within the whole it may count as text. So is a line
 * begun before Ctrl-C.
 */
export function scriptsToEvaluate(session: ShellSession, input: SessionInput): string[] {
  if (session.reader === 'interpreter') return [session.command];
  const folder = session.folder === '' ? '' : `cd ${quotedWord(session.folder)}\n`;
  const text = terminalKey(input) === null ? typed(input) : '';
  const script = `${folder}${session.command}\n${session.typed.before}${text}`;
  if (script.length > longestScript)
    throw invalidInput(`${session.id} has too much input to evaluate it as a whole. Open another session.`);
  if (text === '') return [script];
  const { lines, others } = newLines(session, text);
  const doubtful = lines.some((line) => analyseScript(line).syntaxError !== null) ? lines : [];
  return [...new Set([script, ...doubtful, ...others])];
}

/** Returns the lines that the text ends or begins, and other possible readings of the first. */
function newLines({ typed: { before, others } }: ShellSession, text: string) {
  const begun = before.slice(before.lastIndexOf('\n') + 1);
  const [first = '', ...rest] = text.split('\n');
  const notBlank = (line: string) => line.trim() !== '';
  return {
    lines: [begun + first, ...rest].filter(notBlank),
    others: others.map((one) => one + first).filter(notBlank),
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
