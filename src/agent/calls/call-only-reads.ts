import type { JsonObject } from '../../contract/json.ts';
import type { Tool } from '../../tools/tool.ts';

/** True if a child of the profile of that name only reads in this run, whatever it is asked for. */
export type ChildOnlyReads = (profile: string) => boolean;

/** True if one call changes nothing: some tools know it by their input, and a call that starts children is what they are. */
export function callOnlyReads(tool: Tool, input: JsonObject, childOnlyReads: ChildOnlyReads): boolean {
  if (tool.children !== undefined)
    return tool.children(input).every(({ profile, readOnly }) => readOnly || childOnlyReads(profile));
  return typeof tool.readOnly === 'function' ? tool.readOnly(input) : tool.readOnly;
}
