import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { recordChanges } from '../../tools/shell/record-changes.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { DeclaredTool } from '../protocol/declared-tool.ts';
import { showArguments } from '../protocol/show-arguments.ts';
import { PluginFailure } from './plugin-failure.ts';
import { readPluginResult } from './plugin-result.ts';

/** The plug-in that a tool belongs to. */
export interface PluginCalls {
  /** What it is called in the configuration. */
  readonly name: string;
  /** True where the sandbox keeps it from changing the workspace, so that what it says of its tools can be believed. */
  readonly readOnly: boolean;
  /** `tools.externalTimeout`, for a tool that has no limit of its own. In seconds. */
  readonly timeoutSeconds: number;
  readonly hide: (text: string) => string;
  /** Asks its process, which is started again where it is gone; rejects with `PluginFailure`. */
  call(params: Json, limits: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<Json>;
}

/** What to do about a failure of a kind. */
const advice = {
  answered: '',
  unknown: ' Look for what it has now with tool_search.',
  unusable: ' Ask it for less, or for something else.',
  timeout: ' It was told to leave off. Ask for less at a time, or do it otherwise.',
  ended: ' The next call starts it again.',
  over: ' It is not started again in this run, so its tools cannot be called any more: do without them.',
};

/** One tool of a plug-in. */
export function pluginTool(declared: DeclaredTool, plugin: PluginCalls): Tool {
  const { name } = declared;
  const reads = declared.level === 'auto_read' || declared.level === 'external_read';
  // What nothing holds it to is not believed.
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
        if (!(error instanceof PluginFailure)) throw error;
        const { kind, said } = error;
        const message = plugin.hide(error.message);
        const words =
          kind === 'answered' ? `${name}: ${message}` : `${name}: the plug-in ${plugin.name} ${message}.`;
        const last = said === '' ? '' : ` The last it had printed to standard error:\n${said}`;
        throw new ToolError(kind === 'timeout' ? 'timeout' : 'failed', `${words}${advice[kind]}${last}`);
      } finally {
        if (!plugin.readOnly) await recordChanges(context, name);
      }
    },
  });
}
