import type { JsonObject } from '../../contract/json.ts';
import { wireName } from '../../tools/registry/json-schema.ts';
import type { Tool } from '../../tools/tool.ts';
import { isAdvertised } from '../profiles/select-tools.ts';

/** How a model calls one of these tools, which are all of its run, by its canonical name; null where it has none of that name. */
export function callInWords(name: string, args: JsonObject, tools: readonly Tool[]): string | null {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return null;
  const wire = wireName(name);
  return isAdvertised(tool, tools)
    ? `${wire} ${JSON.stringify(args)}`
    : `use_tool ${JSON.stringify({ name: wire, args })}`;
}
