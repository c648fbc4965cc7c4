import { randomUUID } from 'node:crypto';
import type { AssistantMessage, Message, UserMessage } from '../../contract/message.ts';
import { callInputObject } from './call-input.ts';
import { parseTextReply, type TextDirective } from './parse-text-reply.ts';
import { textProtocolPrompt } from './text-protocol-prompt.ts';
import type { Wire } from './wire.ts';

/** The reserved name under which a `PATCH:` comes as a call, with input `{patch}`: a unified diff. */
export const patchCallName = 'PATCH';

/**
 * Any wire, for a model without native tool calls: the tools are told in the system text, calls are read out
 * of the reply, and results go back as the user's text. Text is passed on when the reply is whole, since only
 * then is it known what of it is an answer.
 */
export function withTextProtocol(wire: Wire): Wire {
  return async (request, onText) => {
    const reply = await wire(
      {
        ...request,
        system: [request.system, textProtocolPrompt(request.tools)]
          .filter((text) => text !== '')
          .join('\n\n'),
        tools: [],
        messages: request.messages.map(toText),
      },
      () => undefined,
    );
    const said = reply.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const message: AssistantMessage = {
      role: 'assistant',
      parts: [
        ...reply.message.parts.filter(({ type }) => type === 'opaque'),
        ...parseTextReply(said).map(toPart),
      ],
    };
    for (const part of message.parts) if (part.type === 'text') onText(part.text);
    const called = message.parts.some(({ type }) => type === 'tool_call');
    return { ...reply, message, stop: called && reply.stop === 'end' ? 'tool_calls' : reply.stop };
  };
}

function toPart(directive: TextDirective): AssistantMessage['parts'][number] {
  const id = `call_${randomUUID()}`;
  switch (directive.kind) {
    case 'answer':
      return { type: 'text', text: directive.text };
    case 'bash':
      return { type: 'tool_call', id, name: 'bash', input: { command: directive.command } };
    case 'tool':
      return { type: 'tool_call', id, name: directive.name, input: directive.input };
    case 'patch':
      return { type: 'tool_call', id, name: patchCallName, input: { patch: directive.patch } };
  }
}

function toText(message: Message): Message {
  return message.role === 'user' ? resultsAsText(message) : callsAsText(message);
}

/** The turn as the model could have written it, so that it sees its own protocol kept. */
function callsAsText(message: AssistantMessage): AssistantMessage {
  const called = message.parts.some(({ type }) => type === 'tool_call');
  const lines = message.parts.flatMap((part) => {
    if (part.type === 'text') return [called ? part.text : `ANSWER: ${part.text}`];
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

function callAsText({
  name,
  input,
}: Extract<AssistantMessage['parts'][number], { type: 'tool_call' }>): string {
  const args = callInputObject(input);
  if (name === 'bash' && typeof args.command === 'string') return `BASH: ${args.command}`;
  if (name === patchCallName && typeof args.patch === 'string') return `PATCH:\n${args.patch}`;
  return `TOOL: ${JSON.stringify({ name, args })}`;
}

function resultsAsText(message: UserMessage): UserMessage {
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
      return [{ type: 'text', text: `${title}\n${text}` }, ...images];
    }),
  };
}
