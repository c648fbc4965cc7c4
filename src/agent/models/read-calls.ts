import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { parseUnescapedObject, repairObject } from '../json/repair-object.ts';

/** One part of a model's reply by the text protocol, in order. */
export type TextDirective =
  /** Text without a word in front. Counts as an answer if there is no action beside it. */
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'bash'; readonly command: string }
  /** `input` is the raw text of the arguments if they are not JSON even after a repair. */
  | { readonly kind: 'tool'; readonly name: string; readonly input: Json }
  | { readonly kind: 'patch'; readonly patch: string };

/** A directive that calls a tool by its name. */
export type ToolDirective = Extract<TextDirective, { kind: 'tool' }>;

/** Calls at the start of a text, and the text after them. */
export interface FoundCalls {
  readonly calls: readonly ToolDirective[];
  readonly rest: string;
}

/** The name of a call whose payload has none: the model gets an error instead of silence. */
export const namelessTool = 'TOOL';

/** The index after the object that starts at `start`, or -1 if it never ends. */
export function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') depth += 1;
    else if (!inString && character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

/** Counts the lines after one that belong to the object it starts. 0 if it cannot be parsed. */
export function countObjectLines(
  line: string,
  lines: readonly string[],
  from: number,
  searches: { most: number },
): number {
  if (searches.most <= 0 || endOfObject(line, line.indexOf('{')) >= 0) return 0;
  const text = [line, ...lines.slice(from)].join('\n');
  const end = endOfObject(text, text.indexOf('{'));
  const object = text.slice(0, Math.max(end, 0)).trim();
  if (parseUnescapedObject(object) !== undefined) return text.slice(0, end).split('\n').length - 1;
  searches.most -= 1;
  return 0;
}

/** The object in a text, repaired if there is a single reading; else undefined. */
export function parseLooseObject(text: string): JsonObject | undefined {
  const repaired = repairObject(text);
  return 'object' in repaired ? repaired.object : undefined;
}

const argumentKeys = ['args', 'arguments', 'parameters', 'input'];

/**
 * A `TOOL` payload: `{"name": …, "args": …}` or `name {args}`; later text is ignored. For a payload
 * that is not JSON, the name is saved with the arguments as raw text.
 */
export function readCall(payload: string): ToolDirective {
  const brace = payload.indexOf('{');
  const end = brace < 0 ? -1 : endOfObject(payload, brace);
  const value = brace < 0 ? undefined : parseLooseObject(payload.slice(brace, end < 0 ? undefined : end));
  if (value === undefined) return brokenCall(payload);
  const outside = payload.slice(0, brace).trim();
  return callWith(/^[\w.-]+$/.test(outside) ? outside : undefined, value);
}

/**
 * The calls in a text that consists only of JSON objects with a name and arguments, one or more or
 * in an array. Null for any other text, which is an answer.
 */
export function readBareCalls(text: string): ToolDirective[] | null {
  const calls: ToolDirective[] = [];
  let rest = text.trim().replace(/^\[([\s\S]*)\]$/, '$1');
  for (;;) {
    rest = rest.replace(/^[\s,;]+/, '');
    if (rest === '') return calls.length > 0 ? calls : null;
    const end = rest.startsWith('{') ? endOfObject(rest, 0) : -1;
    const value = end < 0 ? undefined : parseLooseObject(rest.slice(0, end));
    const call = value === undefined || !looksLikeCall(value) ? undefined : callOf(value);
    if (call === undefined) return null;
    calls.push(call);
    rest = rest.slice(end);
  }
}

/**
 * Returns the call of a `TOOL` payload at the start of a text, and the text after it and its
 * fence. Its strings contain no directives. Null if its end is uncertain, for example without a
 * closing quote.
 */
export function readLeadingCall(text: string): FoundCalls | null {
  const [before, name, fence] =
    /^\s*([\w.-]+(?=\s*[{`~]))?\s*(?:(`{3,}|~{3,})[\w+-]*\s*)?(?=\{)/.exec(text) ?? [];
  if (before === undefined) return null;
  const end = endOfObject(text, before.length);
  const value = end < 0 ? undefined : parseUnescapedObject(text.slice(before.length, end));
  if (value === undefined) return null;
  const [after = ''] = fence === undefined ? [] : (/^\s*(?:`{3,}|~{3,})/.exec(text.slice(end)) ?? []);
  return { calls: [callWith(name, value)], rest: text.slice(end + after.length) };
}

/** The call of an object that follows its name, or contains it. */
export function callWith(name: string | undefined, value: JsonObject): ToolDirective {
  if (name !== undefined) return { kind: 'tool', name, input: value };
  return callOf(value) ?? { kind: 'tool', name: namelessTool, input: value };
}

/**
 * Returns the call in an object: the name under any usual key, the arguments under one or beside
 * the name.
 */
function callOf(value: JsonObject): ToolDirective | undefined {
  if (isJsonObject(value.function)) return callOf(value.function);
  const argumentKey = argumentKeys.find((key) => key in value);
  const nameKeys = argumentKey === undefined ? ['tool', 'name'] : ['name', 'tool', 'function'];
  const nameKey = nameKeys.find((key) => typeof value[key] === 'string');
  const name = nameKey === undefined ? undefined : value[nameKey];
  if (typeof name !== 'string') return undefined;
  const beside = Object.fromEntries(Object.entries(value).filter(([key]) => key !== nameKey));
  const input = argumentKey === undefined ? beside : (value[argumentKey] ?? {});
  return {
    kind: 'tool',
    name,
    input: typeof input === 'string' ? (parseLooseObject(input) ?? input) : input,
  };
}

/**
 * Returns true if an object without the word `TOOL` is a call. Data may have a name too, but no
 * arguments.
 */
function looksLikeCall(value: JsonObject): boolean {
  if (isJsonObject(value.function)) return looksLikeCall(value.function);
  if (typeof value.tool === 'string') return true;
  const input = argumentKeys.map((key) => value[key]).find((argument) => argument !== undefined);
  return isJsonObject(input) || (typeof input === 'string' && parseLooseObject(input) !== undefined);
}

/** Saves parts of a payload that is not JSON: the name, and the arguments as raw text. */
function brokenCall(payload: string): ToolDirective {
  const name = /"(?:name|tool)"\s*:\s*"([^"]+)"/.exec(payload)?.[1];
  const [marker] = /"(?:args|arguments|parameters|input)"\s*:\s*/.exec(payload) ?? [];
  if (name === undefined || marker === undefined) {
    return { kind: 'tool', name: name ?? namelessTool, input: payload };
  }
  const raw = payload.slice(payload.indexOf(marker) + marker.length).trim();
  return { kind: 'tool', name, input: raw.endsWith('}') ? raw.slice(0, -1).trim() : raw };
}

/**
 * The tags in which models were trained to put calls: `<tool_call>`, `<function_call>`,
 * `<|tool_call|>`, `[TOOL_CALLS]`, `<|python_tag|>`, `<function=name>`, `<invoke name="name">`.
 */
const opening =
  /<\|?(?:tool|function)_?(?:calls?|use)(?:_?(?:begin|start))?\|?>|\[TOOL_CALLS?\]|<\|python_tag\|>|<function=["']?([\w.-]+)["']?>|<invoke name=["']?([\w.-]+)["']?>/i;
const closing =
  /<\|?\/(?:tool|function|invoke)[\w|]*>|<\|?(?:tool|function)_?calls?_?end\|?>|<\|eo[tm]_id\|>/i;
const parameter = /^<parameter(?:=|\s+name=)["']?([\w.-]+)["']?>\n?([\s\S]*?)\n?<\/parameter>/;

/**
 * Returns the index of a tag that a line opens, or -1. Inside a line it needs a payload after it,
 * because prose may mention a tag.
 */
export function findCallTag(line: string): number {
  const tag = opening.exec(line);
  if (tag === null) return -1;
  const leads = line.slice(0, tag.index).trim() === '';
  return leads || /^\s*[{[<]/.test(line.slice(tag.index + tag[0].length)) ? tag.index : -1;
}

/** The calls in the tags at the start of a text, at least one, and the text after them. */
export function readTaggedCalls(text: string): FoundCalls {
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
