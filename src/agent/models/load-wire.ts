import type { Endpoint, Wire } from './model.ts';
import type { ResolvedModel } from './resolve-provider.ts';

/** Loads the SDK that a model is reached by, and nothing of the others. */
export async function loadWire({ wire, host, cloud }: ResolvedModel, endpoint: Endpoint): Promise<Wire> {
  switch (host) {
    case 'bedrock':
      return (await import('./bedrock-messages.ts')).bedrockMessages(endpoint, cloud);
    case 'vertex':
      return (await import('./vertex-messages.ts')).vertexMessages(endpoint, cloud);
    case 'azure': {
      const { azureClient } = await import('./azure-client.ts');
      const client = azureClient(endpoint, cloud, wire);
      if (wire === 'openai') return (await import('./openai-responses.ts')).openaiResponses(endpoint, client);
      return (await import('./openai-chat.ts')).openaiChat(endpoint, client);
    }
    case null:
      break;
  }
  switch (wire) {
    case 'anthropic':
      return (await import('./anthropic-messages.ts')).anthropicMessages(endpoint);
    case 'openai':
      return (await import('./openai-responses.ts')).openaiResponses(endpoint);
    case 'openai-compatible':
      return (await import('./openai-chat.ts')).openaiChat(endpoint);
  }
}
