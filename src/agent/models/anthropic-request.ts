import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ImagePart, Message, TextPart } from '../../contract/message.ts';
import { callInputObject, callName } from './call-input.ts';
import type { ModelRequest } from './model.ts';
import type { Endpoint } from './wire.ts';

const cached = { cache_control: { type: 'ephemeral' as const } };

/**
 * A request in the words of the Messages API. Four cache breakpoints: the last tool, the system text, and
 * the last two user messages, so that a turn with many results still finds the prefix of the turn before.
 * All else is a function of the conversation alone: the same messages give the same bytes.
 */
export function anthropicRequest(request: ModelRequest, endpoint: Endpoint): MessageCreateParamsStreaming {
  const messages = request.messages.flatMap((message) => translate(message, endpoint.provider));
  const breakpoints = messages.filter(({ role }) => role === 'user').slice(-2);
  const lastTool = request.tools.length - 1;
  return {
    model: endpoint.model,
    max_tokens: endpoint.maxOutputTokens ?? maxOutputTokens(endpoint.model),
    stream: true,
    ...thinking(endpoint, request.effort),
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

function markLast(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return content.map((block, index) =>
    index === content.length - 1 && block.type !== 'thinking' && block.type !== 'redacted_thinking'
      ? { ...block, ...cached }
      : block,
  );
}

/** Empty texts are refused by the endpoint and left out; a message of nothing else disappears. */
function translate(message: Message, provider: string): TranslatedMessage[] {
  const content =
    message.role === 'user' ? userBlocks(message.parts) : assistantBlocks(message.parts, provider);
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
  provider: string,
): ContentBlockParam[] {
  return parts.flatMap((part): ContentBlockParam[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'tool_call') {
      return [
        { type: 'tool_use', id: part.id, name: callName(part.name), input: callInputObject(part.input) },
      ];
    }
    // Signed thinking comes back exactly as it was sent, and only to whom it came from.
    return part.provider === provider ? [part.value as unknown as ContentBlockParam] : [];
  });
}

/** A reply's limit where the operator set none: what every model of that kind can write. */
function maxOutputTokens(model: string): number {
  return adaptiveThinking.test(model) || manualThinking.test(model) ? 32_000 : 8_192;
}

/** Models that decide themselves when to think, by `output_config.effort`. */
const adaptiveThinking = /^claude-(opus-4-[6-9]|sonnet-4-6|(opus|sonnet|haiku|fable|mythos)-5)/;
/** Models that think within a budget of tokens. */
const manualThinking = /^claude-(opus|sonnet|haiku)-4-5/;

const efforts = ['low', 'low', 'low', 'medium', 'high'] as const;
const thinkingBudgets = [0, 0, 2_048, 8_192, 16_384];

/** Nothing at all for a model that we do not know to think: the parameter alone would be refused. */
function thinking(endpoint: Endpoint, effort: number): Partial<MessageCreateParamsStreaming> {
  if (adaptiveThinking.test(endpoint.model)) {
    return {
      output_config: { effort: efforts[effort] ?? 'medium' },
      ...(effort > 1 && { thinking: { type: 'adaptive' } }),
    };
  }
  const budget = thinkingBudgets[effort] ?? 0;
  const limit = endpoint.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  if (!manualThinking.test(endpoint.model) || budget === 0 || budget >= limit) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}
