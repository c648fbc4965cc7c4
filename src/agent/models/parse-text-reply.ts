import type { Json, JsonObject } from '../../contract/json.ts';

/** One thing a model said by the text protocol, in order. */
export type TextDirective =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'bash'; readonly command: string }
  /** `input` is the raw text of the arguments where the payload is no JSON. */
  | { readonly kind: 'tool'; readonly name: string; readonly input: Json }
  | { readonly kind: 'patch'; readonly patch: string };

/** The name a call gets whose payload gives none, so that the model is told instead of being ignored. */
export const namelessTool = 'TOOL';

type Word = 'ANSWER' | 'BASH' | 'TOOL' | 'PATCH';

interface Section {
  readonly word: Word | null;
  readonly lines: string[];
}

const directive = /^(?:\*\*)?(ANSWER|BASH|TOOL|PATCH):(?:\*\*)?[ \t]?(.*)$/;
const fence = /^(`{3,}|~{3,})[\w+-]*[ \t]*$/;

/**
 * Takes a reply apart. A directive is a word at the start of a line and reaches to the next one; text without
 * a directive is an answer. Forgives what small models do: a directive as the first thing in a code fence, a
 * payload in a fence of its own, bold words, prose after a payload, a thinking block in front.
 */
export function parseTextReply(reply: string): TextDirective[] {
  const text = reply.replace(/^\s*<think>[\s\S]*?<\/think>/, '').replaceAll('\r\n', '\n');
  return split(text).flatMap(read);
}

/** Cuts at directives, but not inside a fence that belongs to an answer or is a directive's payload. */
function split(text: string): Section[] {
  const sections: Section[] = [];
  let section: Section = { word: null, lines: [] };
  let open: string | null = null;
  /** The fence around a directive rather than within one: its end ends the directive. */
  let around: string | null = null;
  const start = (word: Word | null, rest: string[]) => {
    sections.push(section);
    section = { word, lines: rest };
  };
  for (const line of text.split('\n')) {
    const [, word, rest] = directive.exec(line) ?? [];
    if (word !== undefined && (open === null || mayStartIn(section, open))) {
      if (open !== null) {
        section.lines.pop();
        around = open;
        open = null;
      }
      start(word as Word, [rest ?? '']);
      const first = fence.exec(rest ?? '')?.[1];
      if (first !== undefined) open = first;
    } else if (around !== null && line.trimEnd() === around) {
      around = null;
      start(null, []);
    } else {
      section.lines.push(line);
      const marker = fence.exec(line)?.[1];
      if (open !== null && line.trimEnd() === open) open = null;
      else if (open === null && marker !== undefined) open = marker;
    }
  }
  sections.push(section);
  return sections;
}

/** Only as the very first thing in a fence, and not in one that an explicit answer shows. */
function mayStartIn(section: Section, open: string): boolean {
  return section.word === null && (section.lines.at(-1)?.startsWith(open) ?? false);
}

function read({ word, lines }: Section): TextDirective[] {
  const body = lines.join('\n');
  switch (word) {
    case 'BASH': {
      const { payload, rest } = unfence(body);
      const command = /^`[^`]+`$/.test(payload.trim()) ? payload.trim().slice(1, -1) : payload.trim();
      return [{ kind: 'bash', command }, ...answer(rest)];
    }
    case 'PATCH': {
      const { payload, rest } = unfence(body);
      return [{ kind: 'patch', patch: `${payload.replace(/^\n+|\s+$/g, '')}\n` }, ...answer(rest)];
    }
    case 'TOOL': {
      const { payload, rest } = unfence(body);
      const { call, after } = readCall(payload.trim());
      return [call, ...answer(`${after}\n${rest}`)];
    }
    default:
      return answer(body);
  }
}

function answer(text: string): TextDirective[] {
  return text.trim() === '' ? [] : [{ kind: 'answer', text: text.trim() }];
}

/** The content of the fence a body starts with, and what stands behind it; the whole body without one. */
function unfence(body: string): { payload: string; rest: string } {
  const lines = body.replace(/^\s*\n/, '').split('\n');
  const marker = fence.exec(lines[0] ?? '')?.[1];
  if (marker === undefined) return { payload: body, rest: '' };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === marker);
  if (end < 0) return { payload: lines.slice(1).join('\n'), rest: '' };
  return { payload: lines.slice(1, end).join('\n'), rest: lines.slice(end + 1).join('\n') };
}

/** A `TOOL` payload: `{"name": …, "args": …}`, or `name {args}`; prose may follow. */
function readCall(payload: string): { call: TextDirective; after: string } {
  const brace = payload.indexOf('{');
  const outside = brace > 0 ? payload.slice(0, brace).trim() : '';
  const end = brace < 0 ? -1 : endOfObject(payload, brace);
  const value = end < 0 ? undefined : parseObject(payload.slice(brace, end));
  if (value === undefined) return { call: brokenCall(payload), after: '' };
  const after = payload.slice(end);
  if (/^[\w.-]+$/.test(outside)) return { call: { kind: 'tool', name: outside, input: value }, after };
  const name = value.name ?? value.tool;
  if (typeof name !== 'string') return { call: { kind: 'tool', name: namelessTool, input: value }, after };
  const input = value.args ?? value.arguments ?? value.parameters ?? value.input ?? {};
  return { call: { kind: 'tool', name, input }, after };
}

/** What can be saved of a payload that is no JSON: the name, and the arguments as raw text. */
function brokenCall(payload: string): TextDirective {
  const name = /"(?:name|tool)"\s*:\s*"([^"]+)"/.exec(payload)?.[1];
  const [marker] = /"(?:args|arguments|parameters|input)"\s*:\s*/.exec(payload) ?? [];
  if (name === undefined || marker === undefined) {
    return { kind: 'tool', name: name ?? namelessTool, input: payload };
  }
  const raw = payload.slice(payload.indexOf(marker) + marker.length).trim();
  return { kind: 'tool', name, input: raw.endsWith('}') ? raw.slice(0, -1).trim() : raw };
}

/** The index behind the object that opens at `start`, or -1 when it never closes. */
function endOfObject(text: string, start: number): number {
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

function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
