import { isJsonObject } from '../../contract/json.ts';
import { advertise } from '../../tools/registry/json-schema.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ParsedInput } from './parse-tool-input.ts';

/** Tells the model of arguments that were not understood, as it may have meant something by them; null where all were. */
export function argumentNote(tool: Tool, { ignored, undeclared }: ParsedInput): string | null {
  if (ignored.length > 0) {
    const { properties } = advertise(tool).input_schema;
    const taken = Object.keys(isJsonObject(properties) ? properties : {}).slice(0, 20);
    return `[Ignored: ${ignored.join(', ')}. ${tool.name} takes: ${taken.join(', ') || 'no argument'}.]`;
  }
  return undeclared.length === 0
    ? null
    : `[${tool.name} was given what it does not declare, and may have ignored it: ${undeclared.join(', ')}]`;
}
