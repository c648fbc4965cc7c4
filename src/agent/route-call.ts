import { ToolError } from '../contract/errors.ts';
import type { ToolCallPart } from '../contract/message.ts';
import type { FoundTool, ToolSet } from './tool-set.ts';

/**
 * Finds the tool a call is for, by canonical name, wire name or alias. A tool that does not exist, or that
 * this run may not see, is `ToolError('unknown_tool')` with what there is.
 */
export function routeCall(call: ToolCallPart, tools: ToolSet): FoundTool {
  const found = tools.find(call.name);
  if (found !== undefined) return found;
  const near = tools.near(call.name);
  const all = tools.tools.map((tool) => tool.name);
  throw new ToolError(
    'unknown_tool',
    `There is no tool "${call.name}" in this run. ${
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Tools: ${all.join(', ')}.`
    }`,
  );
}
