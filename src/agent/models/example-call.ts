import type { Advert, ToolCallPart } from '../../contract/message.ts';
import { namelessTool } from './text-directive.ts';

/**
 * One line that says how a call is written, for one that could not be read: with the tool it seems to have
 * meant, or else the first one, and with what it has in quotes as the first required argument.
 */
export function exampleCall(call: ToolCallPart, tools: readonly Advert[]): string {
  if (call.name === 'bash') return 'Start a line with BASH: and write the whole command behind it.';
  const payload = typeof call.input === 'string' ? call.input : '';
  const named = call.name === namelessTool ? /[\w.-]+/.exec(payload)?.[0] : call.name;
  const tool =
    tools.find(({ name }) => name === named) ?? tools.find(({ name }) => name === 'read') ?? tools[0];
  const required = Array.isArray(tool?.input_schema.required) ? tool.input_schema.required : [];
  const quoted = call.name === namelessTool ? /["']([^"'\n]{1,200})["']/.exec(payload)?.[1] : undefined;
  const args = required.map(
    (name, index) => `${JSON.stringify(name)}: ${JSON.stringify((index === 0 ? quoted : undefined) ?? '…')}`,
  );
  return `Write a call on one line, as valid JSON: TOOL: {"name": ${JSON.stringify(tool?.name ?? 'NAME')}, "args": {${args.join(', ')}}}`;
}
