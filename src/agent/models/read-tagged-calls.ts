import type { JsonObject } from '../../contract/json.ts';
import { endOfObject, parseLooseObject } from './loose-json.ts';
import { callWith, readCall } from './read-call-text.ts';
import type { ToolDirective } from './text-directive.ts';

/**
 * The tags in which models were trained to put calls: `<tool_call>`, `<function_call>`, `<|tool_call|>`,
 * `[TOOL_CALLS]`, `<|python_tag|>`, `<function=name>`, `<invoke name="name">`.
 */
const opening =
  /<\|?(?:tool|function)_?(?:calls?|use)(?:_?(?:begin|start))?\|?>|\[TOOL_CALLS?\]|<\|python_tag\|>|<function=["']?([\w.-]+)["']?>|<invoke name=["']?([\w.-]+)["']?>/i;
const closing =
  /<\|?\/(?:tool|function|invoke)[\w|]*>|<\|?(?:tool|function)_?calls?_?end\|?>|<\|eo[tm]_id\|>/i;
const parameter = /^<parameter(?:=|\s+name=)["']?([\w.-]+)["']?>\n?([\s\S]*?)\n?<\/parameter>/;

/**
 * Where a line opens such a tag, or -1. Within a line only with a payload behind it: prose may speak of a tag.
 */
export function findCallTag(line: string): number {
  const tag = opening.exec(line);
  if (tag === null) return -1;
  const leads = line.slice(0, tag.index).trim() === '';
  return leads || /^\s*[{[<]/.test(line.slice(tag.index + tag[0].length)) ? tag.index : -1;
}

/** The calls in the tags at the start of a text, at least one, and the text behind them. */
export function readTaggedCalls(text: string): { calls: ToolDirective[]; rest: string } {
  const calls: ToolDirective[] = [];
  let rest = text;
  let name: string | undefined;
  for (;;) {
    rest = rest.replace(/^[\s,[\]]+(?!TOOL_CALL)/, '');
    const tag = at(opening, rest) ?? at(closing, rest);
    if (tag !== undefined) {
      name = tag[1] ?? tag[2] ?? name;
      rest = rest.slice(tag[0].length);
      continue;
    }
    const read = rest.startsWith('{') ? readObject(rest, name) : readParameters(rest, name);
    if (read === undefined) break;
    calls.push(read.call);
    rest = rest.slice(read.length);
    name = undefined;
  }
  if (calls.length > 0) return { calls, rest };
  const end = rest.search(closing);
  const raw = end < 0 ? rest : rest.slice(0, end);
  const call: ToolDirective =
    name === undefined ? readCall(raw.trim()) : { kind: 'tool', name, input: raw.trim() || {} };
  return { calls: [call], rest: end < 0 ? '' : rest.slice(end).replace(closing, '') };
}

interface ReadCall {
  readonly call: ToolDirective;
  readonly length: number;
}

function readObject(text: string, name: string | undefined): ReadCall | undefined {
  const length = endOfObject(text, 0);
  const value = length < 0 ? undefined : parseLooseObject(text.slice(0, length));
  if (value === undefined) return undefined;
  return { call: callWith(name, value), length };
}

/** Arguments as tags of their own: `<parameter=path>a.ts</parameter>`. */
function readParameters(text: string, name: string | undefined): ReadCall | undefined {
  if (name === undefined) return undefined;
  const input: JsonObject = {};
  let rest = text;
  for (let found = parameter.exec(rest); found !== null; found = parameter.exec(rest)) {
    const [whole, key = '', value = ''] = found;
    input[key] = value;
    rest = rest.slice(whole.length).trimStart();
  }
  return rest === text
    ? undefined
    : { call: { kind: 'tool', name, input }, length: text.length - rest.length };
}

function at(tag: RegExp, text: string): RegExpExecArray | undefined {
  const found = tag.exec(text);
  return found?.index === 0 ? found : undefined;
}
