import { posix } from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ToolCallPart } from '../../contract/message.ts';
import { editorCall } from '../../tools/edit/editor-call.ts';
import { interceptHeredoc } from '../../tools/patch/intercept-heredoc.ts';
import { wireName } from '../../tools/registry/json-schema.ts';
import { scriptIn, scriptOf } from '../../tools/shell/script-of.ts';
import { terminalCall } from '../../tools/shell/terminal-call.ts';
import { repairObject } from '../json/repair-object.ts';
import { findsDeferred, isAdvertised } from '../profiles/select-tools.ts';
import type { FoundTool, ToolSet } from '../profiles/tool-set.ts';

/** The tool a call is for, and what it is called with. */
export interface RoutedCall {
  readonly found: FoundTool;
  readonly input: ToolCallPart['input'];
}

/**
 * Finds the tool of a call by canonical name, wire name or alias. Throws
 * `ToolError('unknown_tool')` with the available tools if there is none, or none for this run.
 * Three kinds of calls go to another tool. A shell command that is only an `apply_patch`
 * here-document goes to that tool, since models are trained on it. A call of `use_tool` goes to the
 * named tool. A call of a combined editor or terminal goes to the tool of its command. `start` is
 * the folder that commands start in, '' for the root.
 */
export function routeCall(call: ToolCallPart, tools: ToolSet, start = ''): RoutedCall {
  const found = tools.find(call.name);
  if (found === undefined) throw unknownTool(call.name, tools);
  const inner = found.tool.name === 'use_tool' ? innerCall(call) : null;
  if (inner !== null) {
    if (tools.find(inner.name)?.tool === found.tool)
      throw new ToolError('invalid_input', 'use_tool calls other tools only: give the name of one of them.');
    return routeCall(inner, tools, start);
  }
  const other =
    editorCall(found.tool.name, call.input) ?? terminalCall(found.tool.name, call.name, call.input);
  if (other !== null) return routeCall({ ...call, name: other.tool, input: other.input }, tools, start);
  return intercepted(found, call.input, tools, start) ?? { found, input: call.input };
}

function unknownTool(name: string, tools: ToolSet): ToolError {
  const absent = tools.absent(name);
  if (absent !== null) {
    const isNamed = absent.includes(`no ${name}`);
    return new ToolError('unknown_tool', isNamed ? absent : `There is no tool "${name}" here. ${absent}`);
  }
  const near = tools.near(name).map(wireName);
  const advertised = tools.tools.filter((tool) => isAdvertised(tool, tools.tools));
  const all = advertised.map((tool) => wireName(tool.name)).join(', ');
  const more = findsDeferred(tools.tools) ? ' and what tool_search finds' : '';
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Tools: ${all}${more}.`;
  return new ToolError('unknown_tool', `There is no tool "${name}" in this run. ${hint}`);
}

/**
 * Returns the call inside `use_tool`. Null if it names no other tool, which its own schema reports.
 */
function innerCall(call: ToolCallPart): ToolCallPart | null {
  const input = objectOf(call.input);
  if (input === null) return null;
  const name = input.name ?? input.tool;
  if (typeof name !== 'string' || name === '') return null;
  return { ...call, name, input: input.args ?? input.arguments ?? input.input ?? {} };
}

/**
 * Returns arguments as an object, also from a text that can be repaired; null if the schema refuses
 * them.
 */
function objectOf(input: ToolCallPart['input']): JsonObject | null {
  if (typeof input === 'string') {
    const repaired = repairObject(input);
    return 'object' in repaired ? repaired.object : null;
  }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : null;
}

function intercepted(
  found: FoundTool,
  input: ToolCallPart['input'],
  tools: ToolSet,
  start: string,
): RoutedCall | null {
  const args = found.tool.name === 'bash' ? objectOf(input) : null;
  if (args === null) return null;
  const patch = patchIn(args.command ?? args.cmd);
  const applyPatch = tools.find('apply_patch');
  if (patch === null || applyPatch === undefined) return null;
  const from = args.cwd ?? args.workdir ?? (start === '' ? undefined : start);
  const folders = [from, patch.workdir].filter((folder) => typeof folder === 'string');
  const workdir = folders.length === 0 ? {} : { workdir: posix.join(...folders) };
  return { found: applyPatch, input: { patch: patch.patch, ...workdir } };
}

/**
 * Returns the patch in a command that is a text or a list of words: `["apply_patch", "*** Begin
 * Patch…"]`.
 */
function patchIn(command: ToolCallPart['input'] | undefined): ReturnType<typeof interceptHeredoc> {
  if (typeof command === 'string') return interceptHeredoc(scriptIn(command));
  if (!Array.isArray(command) || command.length === 0) return null;
  const words = command.filter((word) => typeof word === 'string');
  if (words.length < command.length) return null;
  const [program, patch] = words;
  const direct = /^apply_?patch$/.test(program ?? '') && words.length === 2;
  return direct && patch !== undefined ? { patch } : interceptHeredoc(scriptOf(words));
}
