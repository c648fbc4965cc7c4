import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { createRedactor } from '../../redaction/redact.ts';
import { createRedactStream } from '../../redaction/redact-stream.ts';
import { longestSecret } from '../../redaction/secret-forms.ts';
import type { CommandResult, CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { OutputCapture } from '../../tools/shell/output-capture.ts';
import { recordChanges } from '../../tools/shell/record-changes.ts';
import { describeEnd } from '../../tools/shell/render-exit.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { showArguments } from '../protocol/declared-tool.ts';
import type { ToolboxDescription } from './read-description.ts';
import type { ToolboxProgram } from './toolbox-folder.ts';

/** The environment of a toolbox program, apart from that of the model's commands. */
export interface ToolboxEnvironment {
  /** The runner, opened at the first call; its own if it has variables. */
  readonly runner: () => Promise<CommandRunner>;
  /** Variables from `env.pass`; their values are secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Default time-out of a program in seconds (`tools.externalTimeout`). */
  readonly timeoutSeconds: number;
}

/** Creates the tool for a program: arguments on standard input, output as the result. */
export function toolboxTool(
  program: ToolboxProgram,
  description: ToolboxDescription,
  place: ToolboxEnvironment,
): Tool {
  const { name, level } = description;
  const seconds = description.timeoutSeconds ?? place.timeoutSeconds;
  const hide = createRedactor(Object.values(place.variables));
  const onlyReads = level === 'auto_read' || level === 'external_read';
  return defineTool({
    name,
    description: description.description,
    exposure: 'deferred',
    input: description.schema.input,
    schema: description.schema.shown,
    level,
    readOnly: onlyReads,
    targets: (args) => ({ what: `${program.shown} ${showArguments(args as Json)}` }),
    async execute(args, context) {
      const stdin = description.takes === 'json' ? `${JSON.stringify(args)}\n` : asLines(args as Json);
      const { result, text, bytes, spill } = await run(program, stdin, seconds, {
        ...{ place, context, onlyReads },
        hide: Object.keys(place.variables).length === 0 ? null : hide,
      });
      // Also values that do not look like secrets: they are for this program alone.
      const output = hide(text.replace(/\n$/, ''));
      const problem = problemOf(result, seconds);
      if (problem !== null) {
        const until = output === '' ? ' It had printed nothing.' : ` What it had printed:\n${output}`;
        throw new ToolError(result.timedOut ? 'timeout' : 'failed', `${name} ${problem}.${until}`);
      }
      return {
        content: output || '(no output)',
        data: { exit_code: result.exitCode, duration_ms: result.durationMs, output_bytes: bytes },
        ...(spill === null ? {} : { spill }),
      };
    },
  });
}

async function run(
  program: ToolboxProgram,
  stdin: string,
  seconds: number,
  {
    place,
    context,
    onlyReads,
    hide,
  }: {
    readonly place: ToolboxEnvironment;
    readonly context: ToolContext;
    readonly onlyReads: boolean;
    /** Null if it has no secrets. */
    readonly hide: ((text: string) => string) | null;
  },
) {
  const capture = new OutputCapture(context.spillFolder, context.callId);
  // Commands of the model can read spilled output.
  const redacted = hide === null ? null : redactedOutput(hide, capture.push);
  try {
    const runner = await place.runner();
    const result = await runner.run({
      command: `exec ${quotedWord(program.file)} 2>&1`,
      cwd: context.workspace.root,
      timeoutMs: seconds * 1_000,
      signal: context.signal,
      env: {
        ...place.variables,
        ...{ TOOLBOX_ACTION: 'execute', TOOLBOX_WORKSPACE: context.workspace.root, AGENT: 'anode' },
      },
      stdin,
      // The sandbox enforces a claim to read only.
      readOnlyWorkspace: onlyReads,
      onOutput: redacted?.push ?? capture.push,
    });
    redacted?.end();
    return { result, ...capture.finish() };
  } finally {
    capture.finish();
    if (!onlyReads) await recordChanges(context, program.shown);
  }
}

function problemOf(result: CommandResult, seconds: number): string | null {
  if (result.timedOut) return `was stopped after ${seconds} seconds`;
  return result.exitCode === 0 ? null : describeEnd(result);
}

/** Arguments as lines `name: value`; a text of several lines becomes JSON. */
function asLines(args: Json): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return '';
  const lines = Object.entries(args).map(([name, value]) => {
    const plain = typeof value === 'string' && !value.includes('\n');
    return `${name}: ${plain ? value : JSON.stringify(value)}\n`;
  });
  return lines.join('');
}

/** Maximum redacted bytes, as redaction is slower than storing. */
const mostBytes = 8 * 1024 * 1024;

/** Output before it is stored. */
interface RedactedOutput {
  readonly push: (chunk: Buffer) => void;
  /** Flushes the pending output. */
  end(): void;
}

/**
 * Redacts output before it is stored, as commands may read the file. Invalid bytes are replaced.
 * Beyond 8 MiB output is dropped, with a note.
 */
export function redactedOutput(
  hide: (text: string) => string,
  passOn: (chunk: Buffer) => void,
): RedactedOutput {
  const decoder = new TextDecoder();
  const stream = createRedactStream(hide, longestSecret);
  let size = 0;
  const pass = (text: string) => {
    if (text !== '') passOn(Buffer.from(text));
  };
  return {
    push(chunk) {
      const budget = Math.max(0, mostBytes - size);
      size += chunk.length;
      if (budget > 0) pass(stream.push(decoder.decode(chunk.subarray(0, budget), { stream: true })));
    },
    end() {
      pass(stream.push(decoder.decode()) + stream.end());
      if (size > mostBytes)
        pass(
          `\n[${size - mostBytes} more bytes are not kept, as this program is given variables of its own]\n`,
        );
    },
  };
}
