import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { AssistantMessage, ToolCallPart, ToolDefinition, UserMessage } from '../../contract/message.ts';
import type { ModelStop, Wire } from './model.ts';
import { parseTextReply } from './parse-text-reply.ts';
import { namelessTool, type TextDirective } from './read-calls.ts';
import { callInputObject } from './wire-calls.ts';

/** The reserved name for a `PATCH:` as a call, with input `{patch}`: a unified diff. */
const patchCallName = 'PATCH';

/**
 * Wraps any wire for a model without native tool calls. The system text describes the tools, calls
 * are parsed from the reply, and results are sent as the user's text. Text is passed on when the
 * reply is complete, because only then its answer is known.
 */
export function withTextProtocol(wire: Wire): Wire {
  return async (request, onText) => {
    const calls = request.messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
    const advice = (callId: string) => {
      const call = calls.find(({ id }) => id === callId);
      return call === undefined || !isMisread(call) ? '' : `\n${exampleCall(call, request.tools)}`;
    };
    const reply = await wire(
      {
        ...request,
        system: [request.system, textProtocolPrompt(request.tools)]
          .filter((text) => text !== '')
          .join('\n\n'),
        tools: [],
        messages: request.messages.map((message) =>
          message.role === 'user' ? resultsAsText(message, advice) : callsAsText(message),
        ),
      },
      () => undefined,
    );
    const text = reply.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const directives = parseTextReply(text, reply.stop === 'length');
    const native = reply.message.parts;
    const parts: AssistantMessage['parts'] = [
      ...native.filter(({ type }) => type === 'opaque'),
      ...toParts(directives),
      // Some endpoints take calls out of the text themselves.
      ...native.filter(({ type }) => type === 'tool_call'),
    ];
    for (const part of parts) if (part.type === 'text') onText(part.text);
    const called = parts.some(({ type }) => type === 'tool_call');
    const stop = reply.stop === 'end' ? stopOf(directives, called) : reply.stop;
    return { ...reply, message: { role: 'assistant', parts }, stop };
  };
}

function stopOf(directives: readonly TextDirective[], called: boolean): ModelStop {
  if (called) return 'tool_calls';
  const last = directives.at(-1);
  const answered = directives.some(({ kind }) => kind === 'answer');
  return last?.kind === 'prose' && !answered && announcesAction(last.text) ? 'unclear' : 'end';
}

/** A call that could not be parsed: without a name, or with arguments that are not JSON. */
function isMisread({ name, input }: ToolCallPart): boolean {
  return name === namelessTool || typeof input === 'string';
}

function toParts(directives: readonly TextDirective[]): AssistantMessage['parts'] {
  const texts = directives.flatMap((directive) => ('text' in directive ? [directive.text] : []));
  const calls = directives.flatMap((directive) => ('text' in directive ? [] : [toCall(directive)]));
  return texts.length === 0 ? calls : [{ type: 'text', text: texts.join('\n\n') }, ...calls];
}

function toCall(directive: Exclude<TextDirective, { readonly text: string }>): ToolCallPart {
  const call = { type: 'tool_call' as const, id: `call_${randomUUID()}` };
  switch (directive.kind) {
    case 'bash':
      return { ...call, name: 'bash', input: { command: directive.command } };
    case 'tool':
      return { ...call, name: directive.name, input: directive.input };
    case 'patch':
      return { ...call, name: patchCallName, input: { patch: directive.patch } };
  }
}

/** The turn in the form of the text protocol, so the model sees its own protocol followed. */
function callsAsText(message: AssistantMessage): AssistantMessage {
  const called = message.parts.some(({ type }) => type === 'tool_call');
  const lines = message.parts.flatMap((part) => {
    // A text that was asked about for its missing word must not come back with one.
    if (part.type === 'text')
      return [called || announcesAction(part.text) ? part.text : `ANSWER: ${part.text}`];
    return part.type === 'tool_call' ? [callAsText(part)] : [];
  });
  return {
    role: 'assistant',
    parts: [
      ...message.parts.filter(({ type }) => type === 'opaque'),
      { type: 'text', text: lines.join('\n') || 'ANSWER:' },
    ],
  };
}

/** Arguments that are not JSON are returned as written. */
function callAsText({ name, input }: ToolCallPart): string {
  if (typeof input === 'string') {
    if (name === namelessTool) return `TOOL: ${input}`;
    return `TOOL: {"name": ${JSON.stringify(name)}, "args": ${input}${input.endsWith('}') ? '}' : ''}`;
  }
  const args = callInputObject(input);
  if (Object.keys(args).length > 1) return `TOOL: ${JSON.stringify({ name, args })}`;
  if (name === 'bash' && typeof args.command === 'string') return `BASH: ${args.command}`;
  if (name === patchCallName && typeof args.patch === 'string') return `PATCH:\n${args.patch}`;
  return `TOOL: ${JSON.stringify({ name, args })}`;
}

/** `advice` is what to add to the error of a call, by the call's id. */
function resultsAsText(message: UserMessage, advice: (callId: string) => string): UserMessage {
  const calls = message.parts.filter(({ type }) => type === 'tool_result').length;
  let number = 0;
  return {
    role: 'user',
    parts: message.parts.flatMap((part): UserMessage['parts'] => {
      if (part.type !== 'tool_result') return [part];
      number += 1;
      const title = `RESULT${calls > 1 ? ` ${number} of ${calls}` : ''}${part.is_error ? ' (error)' : ''}:`;
      const text = part.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n');
      const images = part.content.filter((piece) => piece.type === 'image');
      const help = part.is_error ? advice(part.call_id) : '';
      return [{ type: 'text', text: `${title}\n${text}${help}` }, ...images];
    }),
  };
}

/**
 * Explains the protocol to a model without native tool calls. Tools are given as signatures: a
 * tenth of their JSON Schemas, which such models understand no better.
 */
export function textProtocolPrompt(tools: readonly ToolDefinition[]): string {
  return `# How you act

Every reply is one of these, with its word at the very start of a line:

ANSWER: your final answer to the user. It ends the task.
BASH: a shell command to run in the repository. It may have several lines.
TOOL: {"name": "TOOL_NAME", "args": {…}} on one line, as valid JSON.
PATCH: a unified diff on the lines below, as a proposal; a person decides on it.

After BASH, TOOL or PATCH stop and wait: the result is the next message. Never write results yourself. Text
without one of these words counts as the final answer.

# Tools for TOOL

${tools.map((tool) => `${tool.name}(${signature(tool.input_schema)})\n  ${tool.description.replaceAll('\n', '\n  ')}`).join('\n')}`;
}

/** The properties of an object schema as a parameter list: `path: string, limit?: integer`. */
function signature(schema: JsonObject): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asObject(schema.properties))
    .map(
      ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${typeName(asObject(property))}`,
    )
    .join(', ');
}

function typeName(schema: JsonObject): string {
  const choices = schema.enum ?? schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(choices)) {
    return choices
      .map((choice) => (isJsonObject(choice) ? typeName(choice) : JSON.stringify(choice)))
      .join(' | ');
  }
  if (schema.type === 'array') return `[${typeName(asObject(schema.items))}]`;
  if (schema.type === 'object') return `{${signature(schema)}}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const intent =
  /\b(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i need to|we'll|we need to|going to)\s+(?:(?:also|begin by|first|go ahead and|just|next|now|quickly|start by|start with|then)\s+)*(?:add|apply|call|change|check|continue|creat|edit|examin|execut|explor|fetch|find|fix|get|grep|implement|inspect|investigat|list|look|locat|make|modify|open|patch|read|replac|review|rewrit|run|scan|search|see|show|start|take a|test|trac|try|updat|us(?:e|ing)|verify|view|writ)/i;
const inProgress =
  /^(?:(?:now|next|first|then),?\s+)?(?:add|apply|check|creat|edit|examin|execut|explor|fix|inspect|list|look|open|read|runn|search|updat|view|writ)ing\b.*(?::|\.\.\.|…)$/i;
/** Text after which the other side's turn follows, as at the end of an answer. */
const offer = /\b(?:let me know|if you|would you|when you|once you|should i|shall i)\b/i;

/**
 * A word of the protocol behind a bullet or a backtick, and the names other protocols have for it.
 */
const unreadWord =
  /^[^\w\n]{1,6}(?:BASH|TOOL|PATCH): *\S|^(?:Action|Tool): .*\n+(?:(?:Action|Tool) )?(?:Input|Arguments|Args):/m;

/**
 * Returns true if a text without a directive seems to be an action. It announces one at its end, in
 * English, or has a word of the protocol in a wrong position.
 */
export function announcesAction(text: string): boolean {
  if (unreadWord.test(text)) return true;
  const sentences = text
    .trim()
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s+|\n+/);
  const last = sentences.at(-1)?.trim() ?? '';
  return !offer.test(last) && (intent.test(last) || inProgress.test(last));
}

/**
 * One line that explains how to write a call that could not be parsed. It uses the tool that was
 * probably intended, or else the first one, and quoted text as the first required argument.
 */
export function exampleCall(call: ToolCallPart, tools: readonly ToolDefinition[]): string {
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
