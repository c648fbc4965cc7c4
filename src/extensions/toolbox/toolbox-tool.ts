import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { createRedactor } from '../../redaction/redact.ts';
import { createRedactStream } from '../../redaction/redact-stream.ts';
import { longestSecret } from '../../redaction/secret-forms.ts';
import type { CommandResult, CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { describeEnd } from '../../tools/shell/exit-words.ts';
import { OutputCapture } from '../../tools/shell/output-capture.ts';
import { recordChanges } from '../../tools/shell/record-changes.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { showArguments } from '../protocol/declared-tool.ts';
import type { ToolboxDescription } from './read-description.ts';
import type { ToolboxProgram } from './toolbox-folder.ts';

/** The environment of a toolbox program, apart from that of the model's commands. */
export interface ToolboxEnvironment {
  /** Its own runner where it is given variables; asked for at the first call. */
  readonly runner: () => Promise<CommandRunner>;
  /** Variables that `env.pass` gives it: their values are secrets of the run. */
  readonly variables: Readonly<Record<string, string>>;
  /** `tools.externalTimeout`, for a program that has no limit of its own. In seconds. */
  readonly timeoutSeconds: number;
}

/**
 * The tool that a program becomes: its arguments on standard input, what it prints as the result.
 */
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
      // Also what has not the form of a secret: the operator handed it to this program alone.
      const said = hide(text.replace(/\n$/, ''));
      const problem = problemOf(result, seconds);
      if (problem !== null) {
        const until = said === '' ? ' It had printed nothing.' : ` What it had printed:\n${said}`;
        throw new ToolError(result.timedOut ? 'timeout' : 'failed', `${name} ${problem}.${until}`);
      }
      return {
        content: said || '(no output)',
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
    /** Null where it is given nothing that is to be hidden. */
    readonly hide: ((text: string) => string) | null;
  },
) {
  const capture = new OutputCapture(context.spillFolder, context.callId);
  // Commands of the model can read what does not fit into a result.
  const hidden = hide === null ? null : hiddenOutput(hide, capture.push);
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
      onOutput: hidden?.push ?? capture.push,
    });
    hidden?.end();
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

/**
 * Arguments as lines `name: value`, for programs that describe themselves so; a text of several
 * lines is one line of JSON.
 */
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

/** Output on its way to where it is kept. */
interface HiddenOutput {
  readonly push: (chunk: Buffer) => void;
  /** Passes on what was held back. */
  end(): void;
}

/**
 * Takes values out of output before anybody keeps it: a file of it may be read by commands that
 * must not see them. It is text then, bytes that are none replaced. Beyond 8 MiB nothing is passed
 * on, but for a line that says so.
 */
export function hiddenOutput(hide: (text: string) => string, passOn: (chunk: Buffer) => void): HiddenOutput {
  const decoder = new TextDecoder();
  const stream = createRedactStream(hide, longestSecret);
  let size = 0;
  const pass = (text: string) => {
    if (text !== '') passOn(Buffer.from(text));
  };
  return {
    push(chunk) {
      const room = Math.max(0, mostBytes - size);
      size += chunk.length;
      if (room > 0) pass(stream.push(decoder.decode(chunk.subarray(0, room), { stream: true })));
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
