import type { ModelReply, Wire } from './model.ts';
import { ProviderError } from './provider-error.ts';
import type { ResolvedModel } from './resolve-provider.ts';

/**
 * Base URLs of the endpoints that turned out to know Chat Completions only; one for all models of a
 * run.
 */
export type ChatOnlyEndpoints = Set<string>;

/**
 * A wire to a custom endpoint that may not support Responses. If it does not, all models with the
 * same `chatOnly` use Chat Completions from then on. `onNotice` gets one sentence about it. An
 * endpoint without either gives an error with both answers.
 */
export function withChatFallback(
  responses: Wire,
  openChat: () => Promise<Wire>,
  { baseUrl, provider }: Pick<ResolvedModel, 'baseUrl' | 'provider'>,
  {
    chatOnly,
    onNotice,
  }: { readonly chatOnly: ChatOnlyEndpoints; readonly onNotice: (message: string) => void },
): Wire {
  let chat: Promise<Wire> | null = null;
  const speakChat: Wire = async (request, onText) => {
    chat ??= openChat();
    return (await chat)(request, onText);
  };
  const remember = (refused: ProviderError) => {
    if (chatOnly.has(baseUrl)) return;
    chatOnly.add(baseUrl);
    onNotice(
      `${new URL(baseUrl).host} has no Responses API (POST ${baseUrl}/responses: ${oneLine(refused.message)}), so this run speaks Chat Completions to it. Set providers.${provider}.type to openai-compatible to do so from the start.`,
    );
  };
  /** Retries with Chat Completions, and remembers it if the endpoint supports them. */
  const askByChat = async (refused: ProviderError, ...request: Parameters<Wire>): Promise<ModelReply> => {
    try {
      const reply = await speakChat(...request);
      remember(refused);
      return reply;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (lacksEndpoint(error)) throw neither(refused, error);
      // The endpoint exists, and another error occurred. The next try uses it at once.
      remember(refused);
      throw error;
    }
  };
  return async (request, onText) => {
    if (chatOnly.has(baseUrl)) return speakChat(request, onText);
    try {
      return await responses(request, onText);
    } catch (refused) {
      if (!lacksEndpoint(refused)) throw refused;
      return askByChat(refused, request, onText);
    }
  };
}

/** True if an answer reports a missing endpoint, not a missing model. */
function lacksEndpoint(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError) || error.codes.includes('model_not_found')) return false;
  // LM Studio answers with 200 and an error for an address it does not know.
  return (
    [404, 405, 501].includes(error.status ?? 0) || (error.status === 200 && error.problem === 'rejected')
  );
}

function neither(responses: ProviderError, chat: ProviderError): ProviderError {
  const message = `POST /responses: ${oneLine(responses.message)}; POST /chat/completions: ${oneLine(chat.message)}`;
  return new ProviderError('not_found', message, { status: chat.status ?? 404, cause: chat });
}

function oneLine(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
