import { randomUUID } from 'node:crypto';
import type { AssistantMessage, ToolCallPart, UserMessage } from '../../contract/message.ts';
import { announcesAction } from './announces-action.ts';
import { callInputObject } from './call-input.ts';
import { exampleCall } from './example-call.ts';
import type { ModelStop } from './model.ts';
import { parseTextReply } from './parse-text-reply.ts';
import { namelessTool, type TextDirective } from './text-directive.ts';
import { textProtocolPrompt } from './text-protocol-prompt.ts';
import type { Wire } from './wire.ts';

/** The reserved name under which a `PATCH:` comes as a call, with input `{patch}`: a unified diff. */
const patchCallName = 'PATCH';

/**
 * Any wire, for a model without native tool calls: the tools are told in the system text, calls are read out
 * of the reply, and results go back as the user's text. Text is passed on when the reply is whole, since only
 * then is it known what of it is an answer.
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
    const said = reply.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const directives = parseTextReply(said, reply.stop === 'length');
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

/** A call that could not be read: without a name, or with arguments that are no JSON. */
function isMisread({ name, input }: ToolCallPart): boolean {
  return name === namelessTool || typeof input === 'string';
}

function toParts(directives: readonly TextDirective[]): AssistantMessage['parts'] {
  const texts = directives.flatMap((said) => ('text' in said ? [said.text] : []));
  const calls = directives.flatMap((said) => ('text' in said ? [] : [toCall(said)]));
  return texts.length === 0 ? calls : [{ type: 'text', text: texts.join('\n\n') }, ...calls];
}

function toCall(said: Exclude<TextDirective, { readonly text: string }>): ToolCallPart {
  const call = { type: 'tool_call' as const, id: `call_${randomUUID()}` };
  switch (said.kind) {
    case 'bash':
      return { ...call, name: 'bash', input: { command: said.command } };
    case 'tool':
      return { ...call, name: said.name, input: said.input };
    case 'patch':
      return { ...call, name: patchCallName, input: { patch: said.patch } };
  }
}

/** The turn as the model could have written it, so that it sees its own protocol kept. */
function callsAsText(message: AssistantMessage): AssistantMessage {
  const called = message.parts.some(({ type }) => type === 'tool_call');
  const lines = message.parts.flatMap((part) => {
    // What was asked about for its missing word must not come back with one.
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

/** Arguments that are no JSON come back as they were written. */
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
