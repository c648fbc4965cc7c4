import { AzureOpenAI } from 'openai/azure';
import type { Cloud, Endpoint } from './model.ts';
import type { WireName } from './providers.ts';

/**
 * The last dated version of the API that is not a preview, for Chat Completions of one deployment.
 */
const datedVersion = '2024-10-21';

/**
 * OpenAI's client for Azure. Responses use the address without dates (`/openai/v1`), Chat
 * Completions the deployment's address. A version set by the operator applies to both, with the old
 * addresses.
 */
export function azureClient(endpoint: Endpoint, cloud: Cloud, wire: WireName): AzureOpenAI {
  const { apiVersion, bearer } = cloud;
  const key = endpoint.key ?? 'none';
  const undated = wire === 'openai' && apiVersion === null;
  const signIn = bearer ? { azureADTokenProvider: async () => key } : { apiKey: key };
  return new AzureOpenAI({
    baseURL: `${endpoint.baseUrl}/openai${undated ? '/v1' : ''}`,
    apiVersion: undated ? 'v1' : (apiVersion ?? datedVersion),
    ...signIn,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 3_600_000,
    fetch: endpoint.fetch,
    logLevel: 'off',
  });
}
