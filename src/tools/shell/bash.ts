import { posix, resolve } from 'node:path';
import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { scriptReadsOnly } from '../../permissions/gate/script-reads-only.ts';
import { analyseScript } from '../../permissions/shell/analyse-script.ts';
import { leavesRunning } from '../../permissions/shell/leaves-running.ts';
import type { CommandResult } from '../../sandbox/command-runner.ts';
import { flag, integer } from '../input/lenient.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { bashAliases } from './bash-aliases.ts';
import { workingFolder } from './command-folder.ts';
import { OutputCapture } from './output-capture.ts';
import { recordChanges } from './record-changes.ts';
import { refuseFullScreen } from './refuse-full-screen.ts';
import { renderExit } from './render-exit.ts';
import { scriptIn, scriptOf } from './script-of.ts';
import { sessionStep } from './session-step.ts';

/** Long enough for the tests of an ordinary project. */
const standardTimeoutMs = 120_000;
const longestTimeoutMs = 1_800_000;

/** Milliseconds a background command is watched, to see one that fails at once. */
const firstMomentsMs = 1_000;

const input = z.object({
  command: z
    .union([z.string().min(1).transform(scriptIn), z.array(z.string()).min(1).transform(scriptOf)])
    .meta({ type: 'string', anyOf: undefined }),
  cwd: z.string().optional(),
  timeout_ms: integer(z.int().positive())
    .default(standardTimeoutMs)
    .transform((ms) => Math.min(ms, longestTimeoutMs))
    .describe(`default ${standardTimeoutMs}, at most ${longestTimeoutMs}`),
  run_in_background: flag().default(false),
});

/** Runs a shell command in the checkout. */
export const bash = defineTool({
  name: 'bash',
  aliases: bashAliases,
  argumentAliases: {
    cmd: 'command',
    workdir: 'cwd',
    directory: 'cwd',
    dir_path: 'cwd',
    timeout: 'timeout_ms',
    is_background: 'run_in_background',
  },
  description: 'Run bash in the workspace, without network or input; each call starts anew.',
  input,
  level: 'confirm_execute',
  startsCommands: () => true,
  readOnly: (args) => !args.run_in_background && scriptReadsOnly(args.command),
  targets: (args) => ({
    what: args.command,
    commands: [args.command],
    ...(args.cwd === undefined ? {} : { paths: [{ path: args.cwd, access: 'read' as const }] }),
  }),
  async execute(args, context) {
    if (args.command.trimStart().startsWith('*** Begin Patch')) {
      throw invalidInput('This is a patch, not a command. Call apply_patch with it.');
    }
    refuseFullScreen(args.command);
    const folder = await workingFolder(args.cwd ?? '', context.workspace);
    if (args.run_in_background) return runInBackground(args.command, folder, context);
    const cwd = resolve(context.workspace.root, folder);
    const cut = cutToRun(args.timeout_ms, context);
    const timeoutMs = cut ?? args.timeout_ms;
    const { result, output } = await runCommand({ ...args, timeout_ms: timeoutMs }, cwd, context);
    const { text, bytes, spill } = output;
    if (result.timedOut)
      throw timedOut({ ...args, timeout_ms: timeoutMs, cut }, text, context.commands.sandboxed);
    const ending = [
      exitNote(result),
      ...(context.commands.sandboxed
        ? [
            networkNote(args.command, text, result.exitCode !== 0),
            result.exitCode === 0 ? ownFoldersNote(args.command) : '',
          ]
        : []),
      commitNote(args.command),
      result.endedMore === true || (context.commands.sandboxed && leavesRunning(args.command))
        ? await backgroundNote(context)
        : '',
    ];
    return {
      content: [text.replace(/\n$/, ''), ...ending].filter((part) => part !== '').join('\n') || '(no output)',
      data: {
        exit_code: result.exitCode,
        signal: result.signal,
        duration_ms: result.durationMs,
        output_bytes: bytes,
      },
      ...(spill === null ? {} : { spill }),
    };
  },
});

async function runCommand(args: z.output<typeof input>, cwd: string, context: ToolContext) {
  const capture = new OutputCapture(context.spillFolder, context.callId);
  try {
    const result = await context.commands.run({
      // One stream for both, so that errors keep their position in the output.
      command: `exec 2>&1; ${args.command}`,
      cwd,
      timeoutMs: args.timeout_ms,
      signal: context.signal,
      // A wrongly permitted command can then only read.
      readOnlyWorkspace: context.onlyReads,
      onOutput: capture.push,
    });
    return { result, output: capture.finish() };
  } finally {
    capture.finish();
    await recordChanges(context, 'bash');
  }
}

/** Starts a command as a session, and returns its first output. */
async function runInBackground(command: string, folder: string, context: ToolContext): Promise<ToolOutput> {
  if ((await pollCall('', context)) === null)
    throw new ToolError(
      'unavailable',
      'This run has no shell_session, so nothing could read the output of a command in the background, or end it. Call bash without run_in_background and with the timeout_ms that it needs; put a server and its client into one command.',
    );
  // The session would end with the shell, so the shell must wait for the command.
  const awaited = command.replace(trailingAmpersand, '');
  const session = await context.sessions.open({ ...context, command: awaited, folder });
  const output = await sessionStep(session, { tool: 'bash', yieldMs: firstMomentsMs }, context);
  if (session.end !== null) return output;
  const network = context.commands.sandboxed
    ? ' Each command has its own network: only programs of the same command reach a server in it.'
    : '';
  return {
    ...output,
    content: `${output.content}\n[See its output with ${await pollCall(session.id, context)}; end it with the action kill. It ends with this run.${network}]`,
  };
}

/** Returns the call that polls a session; null if the run has no tool for it. */
function pollCall(session_id: string, context: Pick<ToolContext, 'describeCall'>): Promise<string | null> {
  return context.describeCall('shell_session', { action: 'poll', session_id });
}

function exitNote(result: CommandResult): string {
  return result.exitCode === 0 ? '' : `[${renderExit(result)}]`;
}

/** Warns that commits are lost: the run publishes the changed files at its end. */
function commitNote(command: string): string {
  return /\bgit\s+(?:-\S+\s+|\S+=\S*\s+|-C\s+\S+\s+)*(?:commit|push)\b(?!-)/.test(command)
    ? 'Note: commits exist only inside this run and are gone at its end. Only the changed files are kept: do not report a commit.'
    : '';
}

/** A trailing `&`, which tells the shell not to wait; `&&` and `>&` do not. */
const trailingAmpersand = /(?<![&>])&\s*$/;

/** Warns that background processes end with the command, unlike in shells models know. */
async function backgroundNote(context: Pick<ToolContext, 'describeCall'>): Promise<string> {
  const keeps = (await pollCall('', context)) !== null;
  return `Note: processes that a command leaves running end with it.${keeps ? ' run_in_background keeps it running.' : ''}`;
}

/** Warns that the next command does not find files outside the workspace. */
function ownFoldersNote(command: string): string {
  return /(?:>\s*|\b(?:mv|cp|tee|mkdir|tar|touch)\b[^;&|\n]*\s)["']?(?:\/tmp\/|~\/|\$HOME\b)/.test(command)
    ? 'Note: /tmp and the home folder are new for each command. Keep what is still needed in the workspace.'
    : '';
}

function longerTimeout(timeoutMs: number): string {
  if (timeoutMs < 1000)
    return `timeout_ms counts milliseconds: give a larger one (at most ${longestTimeoutMs}), or run less.`;
  if (timeoutMs < longestTimeoutMs)
    return `Give a larger timeout_ms (at most ${longestTimeoutMs}), or run less.`;
  return 'Run less, or in smaller parts.';
}

function timedOut(
  args: z.output<typeof input> & { readonly cut: number | null },
  output: string,
  sandboxed: boolean,
): ToolError {
  const { command, timeout_ms, cut } = args;
  const why = cut === null ? '.' : ": the run's time is nearly over.";
  const advice = cut === null ? longerTimeout(timeout_ms) : 'Answer with what there is now.';
  const network =
    sandboxed && waitedForNetwork(command, output)
      ? ' There is no network here: what would have to be downloaded never comes.'
      : '';
  return new ToolError(
    'timeout',
    `The command was stopped after ${timeout_ms} ms${why}${network} ${advice}${output === '' ? ' It had printed nothing.' : ` Its output until then:\n${output}`}`,
  );
}

const ownNetwork = 'Note: each command has its own network. Start the server and its client in one command.';
const noNetwork =
  'Note: commands have no network. What has to be downloaded comes by `setup` in the configuration, before a run.';

/**
 * Explains a failure for lack of network; empty otherwise. Decides by the output, as a download may
 * fail for other reasons; for curl and wget, which can be silent, by their targets.
 */
export function networkNote(command: string, output: string, failed: boolean): string {
  const targets = downloads(command);
  const here = targets.some(isLocal) || (targets.length === 0 && isLocal(command));
  if (here && (connectionRefused.test(output) || (failed && targets.length > 0))) return ownNetwork;
  const elsewhere = targets.filter((target) => !isLocal(target));
  if (elsewhere.some((target) => failed || urlScheme.test(target))) return noNetwork;
  return hostUnreachable.test(output) && (failed || downloadCommand.test(command)) ? noNetwork : '';
}

/** True if a timed-out command may have waited for a download. */
export function waitedForNetwork(command: string, output: string): boolean {
  return downloadCommand.test(command) && (output.trim() === '' || hostUnreachable.test(output));
}

const urlScheme = /^(?:https?|ftp):\/\//i;
const isLocal = (text: string): boolean => /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[::1?\]/.test(text);

/**
 * Returns the arguments of curl and wget that are not options: addresses, and values of options.
 */
function downloads(script: string): string[] {
  if (!/\b(?:curl|wget)\b/.test(script)) return [];
  return analyseScript(script).commands.flatMap(({ words: [program, ...args] }) => {
    if (!['curl', 'wget'].includes(posix.basename(program?.value ?? ''))) return [];
    const given = args.map(({ value, source }) => value ?? source);
    return given.filter(
      (word) => !word.startsWith('-') && (urlScheme.test(word) || word.includes('.') || isLocal(word)),
    );
  });
}

/** Output of programs when nothing listens at a local address. */
const connectionRefused =
  /ECONNREFUSED|connection refused|failed to connect|couldn.t connect|could not connect/i;

/** Output of programs that cannot reach another machine. */
const hostUnreachable = new RegExp(
  [
    'could(?:n.t| not) resolve (?:host|proxy)',
    'temporary failure (?:in name resolution|resolving)',
    'name or service not known',
    'unable to resolve host address',
    'failed to lookup address information',
    'failed to establish a new connection',
    'network is unreachable',
    'dial tcp: lookup',
    'no such host',
    'no matching distribution found',
    String.raw`\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH|ENOTCACHED)\b`,
  ].join('|'),
  'i',
);

/** Commands that download, and wait in vain without a network. */
const downloadCommand = new RegExp(
  [
    String.raw`(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:i|ci|install|add|exec|create|dlx|update|upgrade)`,
    String.raw`(?:pip3?|uv\s+pip|pipx|poetry|gem|bundle|composer|cargo|go|apt|apt-get|apk|brew)\s+(?:-\S+\s+)*(?:install|add|download|require|update|get|fetch|mod|sync)`,
    String.raw`git\s+(?:clone|fetch|pull|push)`,
    'npx|pnpx|bunx|uvx|curl|wget',
  ]
    .map((one) => String.raw`(?:^|[\s;&|(])(?:${one})(?![\w-])`)
    .join('|'),
);

/** Reserve of the remaining time for the answer: a tenth, but at least two seconds if possible. */
const answerShare = 0.1;
const answerMs = 2_000;

/** Returns a shorter timeout in milliseconds if the run has less time left; else null. */
export function cutToRun(
  timeoutMs: number,
  { conversation }: Pick<ToolContext, 'conversation'>,
): number | null {
  const left = conversation?.msLeft() ?? null;
  if (left === null) return null;
  const most = Math.max(1, Math.round(left - Math.max(left * answerShare, Math.min(answerMs, left / 2))));
  return most < timeoutMs ? most : null;
}
