import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import type { ImagePart, TextPart } from '../../contract/message.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import { toImagePart } from '../../tools/image/to-image-part.ts';
import { recordChanges } from '../../tools/shell/record-changes.ts';
import { visibleStart, visibleText } from '../../tools/text/visible-text.ts';
import { defineTool, type Tool, type ToolOutput } from '../../tools/tool.ts';
import { type DeclaredTool, showArguments } from '../protocol/declared-tool.ts';
import { PluginFailure } from './line-connection.ts';

/** The plug-in that a tool belongs to. */
export interface PluginCalls {
  /** Its name in the configuration. */
  readonly name: string;
  /** True if the sandbox is read-only, so that claims to read can be trusted. */
  readonly readOnly: boolean;
  /** Default time-out of a tool in seconds (`tools.externalTimeout`). */
  readonly timeoutSeconds: number;
  readonly hide: (text: string) => string;
  /** Sends a request to its process, started on demand. Rejects with `PluginFailure`. */
  call(params: Json, limits: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<Json>;
}

/** Advice for the model by kind of failure. */
const advice = {
  answered: '',
  unknown: ' Find its current tools with tool_search.',
  unusable: ' Ask it for less, or for something else.',
  timeout: ' It was told to leave off. Ask for less at a time, or do it otherwise.',
  ended: ' The next call starts it again.',
  over: ' It is not started again in this run, so its tools cannot be called any more: do without them.',
};

function errorFor(
  tool: string,
  plugin: PluginCalls,
  { kind, stderr: said, message }: PluginFailure,
): ToolError {
  const clause = plugin.hide(message);
  const text = kind === 'answered' ? clause : `the plug-in ${plugin.name} ${clause}.`;
  const last = said === '' ? '' : ` The last it had printed to standard error:\n${said}`;
  return new ToolError(kind === 'timeout' ? 'timeout' : 'failed', `${tool}: ${text}${advice[kind]}${last}`);
}

/** One tool of a plug-in. */
export function pluginTool(declared: DeclaredTool, plugin: PluginCalls): Tool {
  const { name } = declared;
  const reads = declared.level === 'auto_read' || declared.level === 'external_read';
  // A claim to read only counts only if the sandbox enforces it.
  const level = reads && !plugin.readOnly ? 'confirm_execute' : declared.level;
  const seconds = declared.timeoutSeconds ?? plugin.timeoutSeconds;
  const onlyReads = reads && plugin.readOnly;
  return defineTool({
    name,
    description: declared.description,
    exposure: 'deferred',
    input: declared.schema.input,
    schema: declared.schema.shown,
    level,
    readOnly: onlyReads,
    targets: (args) => ({
      what: `${plugin.name} ${visibleStart(declared.given, 60, plugin.hide)} ${showArguments(args as Json)}`,
    }),
    async execute(args, context) {
      try {
        const params = {
          name: declared.given,
          arguments: args as Json,
          callId: context.callId,
          timeoutSeconds: seconds,
        };
        const result = await plugin.call(params, { timeoutMs: seconds * 1_000, signal: context.signal });
        return readPluginResult(result, plugin.hide);
      } catch (error) {
        throw error instanceof PluginFailure ? errorFor(name, plugin, error) : error;
      } finally {
        if (!plugin.readOnly) await recordChanges(context, name);
      }
    },
  });
}

const mostParts = 100;

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string() }),
]);

/** The result of a call: text or parts, and data for the record. `isError` marks a failure. */
const CallResult = z.union([
  z.string(),
  z.object({
    content: z.union([z.string(), z.array(Part).max(mostParts)]),
    isError: z.boolean().optional(),
    data: z.json().optional(),
  }),
]);

/** Reads the result of `call`. Throws `PluginFailure` for an invalid result or an error. */
export function readPluginResult(result: Json, hide: (text: string) => string): ToolOutput {
  const { data: read } = CallResult.safeParse(result);
  if (read === undefined)
    throw new PluginFailure(
      'unusable',
      `answered with neither a text nor {content: …}: ${JSON.stringify(hide(visibleText(JSON.stringify(result))).slice(0, 200))}`,
    );
  const { content, isError = false, data } = typeof read === 'string' ? { content: read } : read;
  const clean = (text: string) => hide(visibleText(text));
  if (typeof content === 'string' || isError) {
    const texts =
      typeof content === 'string'
        ? [content]
        : content.flatMap((part) => ('text' in part ? [part.text] : []));
    const text = clean(texts.join('\n'));
    if (isError)
      throw new PluginFailure('answered', text === '' ? 'answered with an error without words' : text);
    return { content: text || '(no output)', ...dataOf(data, hide) };
  }
  const parts = content.map((part, index): TextPart | ImagePart =>
    'text' in part
      ? { type: 'text', text: clean(part.text) }
      : imageOf(part.data, `Image ${index + 1} of the result`),
  );
  return { content: parts.length === 0 ? '(no output)' : parts, ...dataOf(data, hide) };
}

/** Maximum bytes of data, which is stored in the record. */
const mostData = 64 * 1024;

function dataOf(data: Json | undefined, hide: (text: string) => string): { readonly data?: Json } {
  return data === undefined || JSON.stringify(data).length > mostData
    ? {}
    : { data: redactValue(data, hide) };
}

function imageOf(base64: string, name: string): ImagePart {
  const bytes = Buffer.from(base64, 'base64');
  return toImagePart(name, bytes, bytes.length).part;
}
