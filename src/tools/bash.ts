import { resolve } from 'node:path';
import * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import type { CommandResult } from '../permissions/sandbox/command-runner.ts';
import { scriptReadsOnly } from '../permissions/shell/script-reads-only.ts';
import { integer } from './input/integer.ts';
import { OutputCapture } from './shell/output-capture.ts';
import { scriptOf } from './shell/script-of.ts';
import { defineTool, type ToolContext } from './tool.ts';

const longestTimeoutMs = 1_800_000;

const input = z.object({
  command: z
    .union([z.string().min(1), z.array(z.string()).min(1).transform(scriptOf)])
    .meta({ type: 'string', anyOf: undefined }),
  cwd: z.string().optional(),
  timeout_ms: integer(z.int().positive())
    .default(30_000)
    .transform((ms) => Math.min(ms, longestTimeoutMs))
    .describe('default 30000'),
});

/** Runs a shell command in the checkout. */
export const bash = defineTool({
  name: 'bash',
  aliases: { shell: {}, shell_command: {}, Bash: {} },
  argumentAliases: { cmd: 'command', workdir: 'cwd', timeout: 'timeout_ms' },
  description: 'Run a bash command in the workspace, without network or input.',
  input,
  level: 'confirm_execute',
  readOnly: (args) => scriptReadsOnly(args.command),
  targets: (args) => ({
    what: args.command,
    commands: [args.command],
    ...(args.cwd === undefined ? {} : { paths: [{ path: args.cwd, access: 'read' as const }] }),
  }),
  async execute(args, context) {
    if (args.command.trimStart().startsWith('*** Begin Patch')) {
      throw new ToolError('invalid_input', 'This is a patch, not a command. Call apply_patch with it.');
    }
    const cwd = await workingDirectory(args.cwd ?? '', context);
    const { result, output } = await runCommand(args, cwd, context);
    const { text, bytes, spill } = output;
    if (result.timedOut) throw timedOut(args, text, context.commands.sandboxed);
    const ending = [endingOf(result), commitNote(args.command)];
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
      // One stream for both, so that errors stand among the output where they came.
      command: `exec 2>&1; ${args.command}`,
      cwd,
      timeoutMs: args.timeout_ms,
      signal: context.signal,
      onOutput: capture.push,
    });
    return { result, output: await capture.finish() };
  } finally {
    await capture.finish();
    // A look at the whole tree costs more than most commands; one that only reads leaves nothing to see.
    if (!context.onlyReads) {
      const by = { tool: 'bash', callId: context.callId };
      for (const change of await context.workspace.changes.observe(by)) {
        context.record({ type: 'change', change });
      }
    }
  }
}

async function workingDirectory(path: string, context: ToolContext): Promise<string> {
  const relative = context.workspace.files.relative(path);
  if (relative === '') return context.workspace.root;
  const info = await context.workspace.files.stat(relative);
  if (info?.kind !== 'directory') {
    throw new ToolError(
      info === null ? 'not_found' : 'invalid_input',
      `cwd: ${path} is ${info === null ? 'not there' : `a ${info.kind}, not a directory`}. Leave cwd out to run in the workspace's root.`,
    );
  }
  return resolve(context.workspace.root, relative);
}

function endingOf(result: CommandResult): string {
  if (result.signal !== null) return `[ended by ${result.signal}]`;
  return result.exitCode === 0 ? '' : `[exit code ${result.exitCode}]`;
}

/** What the run changed is published by its end, not by what the agent does with git. */
function commitNote(command: string): string {
  return /\bgit\s+(?:-\S+\s+|\S+=\S*\s+|-C\s+\S+\s+)*(?:commit|push)\b(?!-)/.test(command)
    ? 'Note: commits made here are not published as such; the changed files are.'
    : '';
}

/** Commands that fetch something, and wait in vain where there is no network. */
const fetches = new RegExp(
  [
    String.raw`(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:i|ci|install|add|exec|create|dlx|update|upgrade)`,
    String.raw`(?:pip3?|uv\s+pip|pipx|poetry|gem|bundle|composer|cargo|go|apt|apt-get|apk|brew)\s+(?:-\S+\s+)*(?:install|add|download|require|update|get|fetch|mod|sync)`,
    String.raw`git\s+(?:clone|fetch|pull|push)`,
    'npx|pnpx|bunx|uvx|curl|wget',
  ]
    .map((one) => String.raw`(?:^|[\s;&|(])(?:${one})(?![\w-])`)
    .join('|'),
);

function timedOut(args: z.output<typeof input>, output: string, sandboxed: boolean): ToolError {
  const { command, timeout_ms } = args;
  const advice =
    timeout_ms < longestTimeoutMs
      ? 'Give a larger timeout_ms, or run less.'
      : 'Run less, or in smaller parts.';
  const network =
    sandboxed && fetches.test(command)
      ? ' There is no network here: what would have to be downloaded never comes.'
      : '';
  return new ToolError(
    'timeout',
    `The command was stopped after ${timeout_ms} ms.${network} ${advice}${output === '' ? ' It had printed nothing.' : ` Its output until then:\n${output}`}`,
  );
}
