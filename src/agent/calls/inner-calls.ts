import { ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/message.ts';
import { batch } from '../../tools/registry/batch.ts';
import type { InnerCall, Tool } from '../../tools/tool.ts';
import type { ToolSet } from '../profiles/tool-set.ts';
import { parseToolInput } from './parse-tool-input.ts';
import { routeCall } from './route-call.ts';

/** Returns true if a child with the named profile only reads in this run, whatever its task. */
export type ChildOnlyReads = (profile: string) => boolean;

/**
 * True if one call changes nothing: some tools know it by their input, and a call that starts
 * children is what they are.
 */
export function callOnlyReads(tool: Tool, input: JsonObject, childOnlyReads: ChildOnlyReads): boolean {
  if (tool.children !== undefined)
    return tool.children(input).every(({ profile, readOnly }) => readOnly || childOnlyReads(profile));
  return typeof tool.readOnly === 'function' ? tool.readOnly(input) : tool.readOnly;
}

/**
 * Returns true if a call can run beside others. Its tool changes nothing for any input, or starts
 * children that only read. A batch is evaluated by its inner calls.
 */
export function onlyReads(call: ToolCallPart, run: CallableTools): boolean {
  try {
    const { found, input } = routeCall(call, run.tools);
    if (found.tool.children !== undefined)
      return callOnlyReads(found.tool, parseToolInput(found, input).input, run.childOnlyReads);
    if (found.tool !== batch) return found.tool.readOnly === true;
    return innerParts(call.id, (parseToolInput(found, input).input as unknown as BatchInput).calls).every(
      (inner) => onlyReads(inner, run),
    );
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}

/** The tools that a call may reach, and what is known of the children it may start. */
interface CallableTools {
  readonly tools: ToolSet;
  readonly childOnlyReads: ChildOnlyReads;
}

interface BatchInput {
  readonly calls: readonly { readonly tool: string; readonly args: InnerCall['input'] }[];
}

function innerParts(id: string, calls: BatchInput['calls']): ToolCallPart[] {
  return calls.map((call, index) => innerPart(id, index, { tool: call.tool, input: call.args }));
}

const innerPart = (id: string, index: number, { tool, input }: InnerCall): ToolCallPart => ({
  type: 'tool_call',
  id: `${id}.${index + 1}`,
  name: tool,
  input,
});

/**
 * The tool that a call reaches in the end, through `use_tool` too; undefined where there is none.
 */
function toolOf(part: ToolCallPart, tools: ToolSet): Tool | undefined {
  try {
    return routeCall(part, tools).found.tool;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/**
 * Makes the calls inside a call, numbered after it: in parallel if all only read, else in order.
 * Refuses questions, which could not be resumed within a batch, and batches, which could nest
 * without end.
 */
export async function runInnerCalls(
  id: string,
  calls: readonly InnerCall[],
  run: CallableTools,
  call: (part: ToolCallPart) => Promise<ToolResultPart>,
): Promise<ToolResultPart[]> {
  const parts = calls.map((inner, index) => innerPart(id, index, inner));
  for (const part of parts) {
    const tool = toolOf(part, run.tools);
    if (tool !== batch && tool?.level !== 'interactive') continue;
    throw new ToolError('invalid_input', `${tool.name} cannot be called inside a batch. Call it by itself.`);
  }
  if (parts.every((part) => onlyReads(part, run))) return Promise.all(parts.map(call));
  const results: ToolResultPart[] = [];
  for (const part of parts) results.push(await call(part));
  return results;
}
