import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { flag } from '../input/flag.ts';
import { integer } from '../input/integer.ts';
import { defineTool, type Prepared, type ToolContext, type ToolOutput } from '../tool.ts';
import { checkInput, judgedScripts } from './judged-input.ts';
import { recordChanges } from './record-changes.ts';
import { scriptIn, scriptOf } from './script-of.ts';
import { sessionStep, statusOf, told } from './session-step.ts';
import { keyOf } from './sessions/session-input.ts';
import { workingFolder } from './working-folder.ts';

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
    if (args.action === 'list') return listed(context);
    if (args.action === 'open') {
      const folder = await workingFolder(args.cwd ?? '', context.workspace);
      const command = requireField(args.command, 'command', 'open');
      const session = await context.sessions.open({ ...context, command, folder });
      const step = await sessionStep(session, { tool: 'shell_session', yieldMs: args.yield_ms }, context);
      return withNotes(step, noteOn(session, context.commands.sandboxed));
    }
    const session = sessionOf(args, context);
    if (args.action === 'kill') {
      await session.kill();
      await recordChanges(context, 'shell_session');
      return told(session);
    }
    const step = { tool: 'shell_session', yieldMs: args.yield_ms };
    if (args.action === 'poll') return sessionStep(session, step, context);
    if (session.end !== null)
      throw new ToolError(
        'unavailable',
        `${session.id} ${statusOf(session)}: nobody reads input any more. poll shows its last output.`,
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
    what: `${session.id} (${session.command}) ← ${keyOf(text) ?? text.text}`,
    commands: judgedScripts(session, text),
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
  throw new ToolError('invalid_input', `${name}: needed to ${action}.`);
}

function listed({ sessions }: ToolContext): ToolOutput {
  const all = sessions.list();
  const lines = all.map(
    (one) => `${one.id} ${statusOf(one)}, ${one.output.bytes} bytes not read yet: ${one.command}`,
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
function noteOn(session: ReturnType<typeof sessionOf>, sandboxed: boolean): string[] {
  if (session.end !== null) return [];
  return [
    ...(session.terminal === false ? ['[It runs on pipes: no terminal could be made for it.]'] : []),
    ...(sandboxed && session.reader === 'shell'
      ? ['[It has a network of its own: only what it starts itself reaches a server in it.]']
      : []),
    ...(session.reader === 'shell'
      ? ['[Its input is judged as shell commands. Open a REPL such as python3 -i as a session of its own.]']
      : []),
  ];
}

function withNotes(output: ToolOutput, notes: readonly string[]): ToolOutput {
  return { ...output, content: [output.content, ...notes].join('\n') };
}
