import { ConfigError } from '../../contract/errors.ts';
import type { ResolvedModel } from './resolve-provider.ts';
import type { Endpoint, Wire } from './wire.ts';

/**
 * Loads the SDK that a model is reached by, and nothing of the others. Throws `ConfigError` where a cloud's package was
 * left out when Anode CI was installed.
 */
export async function loadWire({ wire, host, cloud }: ResolvedModel, endpoint: Endpoint): Promise<Wire> {
  switch (host) {
    case 'bedrock': {
      const module = await optional(import('./bedrock-messages.ts'), 'bedrock', '@anthropic-ai/bedrock-sdk');
      return module.bedrockMessages(endpoint, cloud);
    }
    case 'vertex': {
      const module = await optional(import('./vertex-messages.ts'), 'vertex', '@anthropic-ai/vertex-sdk');
      return module.vertexMessages(endpoint, cloud);
    }
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

/** What an optional package is missing for, said by whom to install it and where. */
export async function optional<Module>(
  loading: Promise<Module>,
  provider: string,
  name: string,
): Promise<Module> {
  try {
    return await loading;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new ConfigError(
      `The provider ${provider} needs the package ${name}, which was left out here. The packaged Action and the App have it inside; where Anode CI was installed without optional packages, run npm install ${name} in its folder.`,
      { key: 'model' },
      { cause },
    );
  }
}
