import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { parseUnescapedObject } from '../json/repair-object.ts';
import { endOfObject, parseLooseObject } from './loose-json.ts';
import { namelessTool, type ToolDirective } from './text-directive.ts';

const argumentKeys = ['args', 'arguments', 'parameters', 'input'];

/**
 * A `TOOL` payload: `{"name": …, "args": …}` or `name {args}`; what follows it is ignored. Of a payload that is
 * no JSON the name is saved, with the arguments as raw text.
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
 * The calls a text is that is nothing but JSON objects, one or more or an array of them, each with a name and
 * arguments; null for any other text, which is an answer.
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
 * The call of a `TOOL` payload at the start of a text, and the index behind it and the fence it may stand in:
 * what its strings hold is no directive. Null where its end cannot be said for sure, since a quote is missing
 * or the like.
 */
export function readLeadingCall(text: string): { call: ToolDirective; end: number } | null {
  const [before, name, fence] =
    /^\s*([\w.-]+(?=\s*[{`~]))?\s*(?:(`{3,}|~{3,})[\w+-]*\s*)?(?=\{)/.exec(text) ?? [];
  if (before === undefined) return null;
  const end = endOfObject(text, before.length);
  const value = end < 0 ? undefined : parseUnescapedObject(text.slice(before.length, end));
  if (value === undefined) return null;
  const [after = ''] = fence === undefined ? [] : (/^\s*(?:`{3,}|~{3,})/.exec(text.slice(end)) ?? []);
  return { call: callWith(name, value), end: end + after.length };
}

/** The call of an object that stands behind its name, or else has it inside. */
export function callWith(name: string | undefined, value: JsonObject): ToolDirective {
  if (name !== undefined) return { kind: 'tool', name, input: value };
  return callOf(value) ?? { kind: 'tool', name: namelessTool, input: value };
}

/** The call an object says: the name under any usual key, the arguments under one or beside the name. */
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

/** Whether an object without the word `TOOL` is a call: data may have a name too, but no arguments. */
function looksLikeCall(value: JsonObject): boolean {
  if (isJsonObject(value.function)) return looksLikeCall(value.function);
  if (typeof value.tool === 'string') return true;
  const input = argumentKeys.map((key) => value[key]).find((argument) => argument !== undefined);
  return isJsonObject(input) || (typeof input === 'string' && parseLooseObject(input) !== undefined);
}

/** What can be saved of a payload that is no JSON: the name, and the arguments as raw text. */
function brokenCall(payload: string): ToolDirective {
  const name = /"(?:name|tool)"\s*:\s*"([^"]+)"/.exec(payload)?.[1];
  const [marker] = /"(?:args|arguments|parameters|input)"\s*:\s*/.exec(payload) ?? [];
  if (name === undefined || marker === undefined) {
    return { kind: 'tool', name: name ?? namelessTool, input: payload };
  }
  const raw = payload.slice(payload.indexOf(marker) + marker.length).trim();
  return { kind: 'tool', name, input: raw.endsWith('}') ? raw.slice(0, -1).trim() : raw };
}
