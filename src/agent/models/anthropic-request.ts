import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ImagePart, Message, TextPart } from '../../contract/message.ts';
import { callInputObject, callName } from './call-input.ts';
import type { ModelRequest } from './model.ts';
import { claudeOutputTokens, claudeThinking } from './thinking-parameters.ts';
import type { Endpoint } from './wire.ts';

const cached = { cache_control: { type: 'ephemeral' as const } };

/**
 * A request in the words of the Messages API. Four cache breakpoints: the last tool, the system text, and
 * the last two user messages, so that a turn with many results still finds the prefix of the turn before.
 * All else is a function of the conversation alone: the same messages give the same bytes.
 */
export function anthropicRequest(request: ModelRequest, endpoint: Endpoint): MessageCreateParamsStreaming {
  const messages = request.messages.flatMap((message) => translate(message, endpoint.author));
  const breakpoints = messages.filter(({ role }) => role === 'user').slice(-2);
  const lastTool = request.tools.length - 1;
  return {
    model: endpoint.model,
    max_tokens: endpoint.maxOutputTokens ?? claudeOutputTokens(endpoint.model),
    stream: true,
    ...claudeThinking(endpoint, request.effort, resumesThinking(messages)),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema }, index) => ({
        name,
        description,
        input_schema: { ...input_schema, type: 'object' as const },
        ...(index === lastTool && cached),
      })),
    }),
    ...(request.system !== '' && { system: [{ type: 'text', text: request.system, ...cached }] }),
    messages: messages.map((message) =>
      breakpoints.includes(message) ? { ...message, content: markLast(message.content) } : message,
    ),
  };
}

type TranslatedMessage = { readonly role: Message['role']; readonly content: ContentBlockParam[] };

/** Whether the last calls, if there are any, stand behind signed thinking of this model. */
function resumesThinking(messages: readonly TranslatedMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? [];
  const first = last[0]?.type;
  return (
    !last.some(({ type }) => type === 'tool_use') || first === 'thinking' || first === 'redacted_thinking'
  );
}

function markLast(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return content.map((block, index) =>
    index === content.length - 1 && block.type !== 'thinking' && block.type !== 'redacted_thinking'
      ? { ...block, ...cached }
      : block,
  );
}

/** Empty texts are refused by the endpoint and left out; a message of nothing else disappears. */
function translate(message: Message, author: string): TranslatedMessage[] {
  const content =
    message.role === 'user' ? userBlocks(message.parts) : assistantBlocks(message.parts, author);
  return content.length === 0 ? [] : [{ role: message.role, content }];
}

function userBlocks(parts: Extract<Message, { role: 'user' }>['parts']): ContentBlockParam[] {
  const results = parts.flatMap((part): ContentBlockParam[] =>
    part.type === 'tool_result'
      ? [
          {
            type: 'tool_result',
            tool_use_id: part.call_id,
            content: part.content.flatMap(textOrImage),
            ...(part.is_error && { is_error: true }),
          },
        ]
      : [],
  );
  // Results come first, whatever was said with them: the endpoint refuses any other order.
  return [...results, ...parts.flatMap((part) => (part.type === 'tool_result' ? [] : textOrImage(part)))];
}

function textOrImage(part: TextPart | ImagePart): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  return [{ type: 'image', source: { type: 'base64', media_type: part.media_type, data: part.data } }];
}

function assistantBlocks(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  author: string,
): ContentBlockParam[] {
  return parts.flatMap((part): ContentBlockParam[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'tool_call') {
      return [
        { type: 'tool_use', id: part.id, name: callName(part.name), input: callInputObject(part.input) },
      ];
    }
    // Signed thinking comes back exactly as it was sent, and only to whom it came from.
    return part.provider === author ? [part.value as unknown as ContentBlockParam] : [];
  });
}
