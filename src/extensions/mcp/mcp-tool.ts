import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { Level } from '../../contract/levels.ts';
import { recordChanges } from '../../tools/shell/record-changes.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { showArguments } from '../protocol/declared-tool.ts';
import type { McpServer } from './mcp-server.ts';
import type { DeclaredMcpTool } from './read-declared.ts';
import { renderResult } from './render-result.ts';

/** Permissions and services for the tools of one server. */
export interface ServerTerms {
  /** True if the configuration trusts its claims. */
  readonly trusted: boolean;
  /** True if it can change nothing: a read-only sandbox without network. */
  readonly confined: boolean;
  /** True if it runs elsewhere or reaches hosts. */
  readonly outside: boolean;
  /** Removes the server's secrets. */
  readonly hide: (text: string) => string;
  /** Resolves when changed lists were read again. */
  readonly refreshed: () => Promise<void>;
  /** The server's instructions at the first call; null later, or if there are none. */
  readonly introduce: () => string | null;
}

/**
 * The permission level of a server's calls: execution, unless the sandbox or a trusted claim limits
 * it to reading.
 */
export function levelOf(terms: ServerTerms, claimsToRead: boolean): Level {
  if (terms.confined) return 'auto_read';
  if (!terms.trusted || !claimsToRead) return 'confirm_execute';
  return terms.outside ? 'external_read' : 'auto_read';
}

/** Creates the tool for a server's tool. */
export function mcpTool(server: McpServer, declared: DeclaredMcpTool, terms: ServerTerms): Tool {
  const { name, given, schema } = declared;
  const level = levelOf(terms, declared.claimsToRead);
  return defineTool({
    name,
    description: declared.description,
    exposure: 'deferred',
    input: schema.input,
    schema: schema.shown,
    level,
    readOnly: level !== 'confirm_execute',
    targets: (args) => ({ what: `${given} ${showArguments(args as Json)}` }),
    async execute(args, context) {
      const params = { name: given, arguments: args as JsonObject };
      const ask = requester(name, server, terms, context);
      const result = declared.asTask ? await resultOfTask(ask, params) : await ask('tools/call', params);
      const output = await renderResult(name, result, terms.hide);
      const instructions = terms.introduce();
      if (instructions === null) return output;
      const parts =
        typeof output.content === 'string'
          ? [{ type: 'text' as const, text: output.content }]
          : output.content;
      return { ...output, content: [...parts, { type: 'text', text: instructions }] };
    },
  });
}

/** Runs a tool as a task and waits for its result (Tasks of the protocol, 2025-11-25). */
async function resultOfTask(
  ask: (method: string, params: JsonObject) => Promise<JsonObject>,
  params: JsonObject,
): Promise<JsonObject> {
  const { task } = await ask('tools/call', { ...params, task: {} });
  const taskId = isJsonObject(task) ? task.taskId : undefined;
  if (typeof taskId !== 'string')
    throw new ToolError('failed', 'The MCP server started no task for this call, so there is no result.');
  try {
    return await ask('tasks/result', { taskId });
  } catch (error) {
    // After a time-out the result is not wanted; an abort ends the server itself.
    if (error instanceof ToolError && error.kind === 'timeout')
      await ask('tasks/cancel', { taskId }).catch(() => undefined);
    throw error;
  }
}

/** Makes requests for a call of the tool `name`, and records what they changed in the checkout. */
export function requester(
  name: string,
  server: McpServer,
  terms: ServerTerms,
  context: ToolContext,
): (method: string, params: JsonObject) => Promise<JsonObject> {
  return async (method, params) => {
    try {
      return await server.ask(method, params, context.signal);
    } finally {
      if (!terms.confined && !context.onlyReads) await recordChanges(context, name);
      // The model learns of changed tools before it calls again.
      await terms.refreshed();
    }
  };
}
