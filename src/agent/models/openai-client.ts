import { OpenAI } from 'openai/client';
import type { Endpoint } from './model.ts';

/**
 * OpenAI's client for any endpoint that speaks one of its wires. Its own retries and logging are
 * off. The settings that it would read from the environment (organisation, project) are not sent to
 * other servers.
 */
export function openaiClient(endpoint: Endpoint): OpenAI {
  return new OpenAI({
    // The client demands a key even if the endpoint needs none. Without one the header is omitted.
    apiKey: endpoint.key ?? 'none',
    defaultHeaders: endpoint.key === null ? { authorization: null } : undefined,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    maxRetries: 0,
    timeout: 3_600_000,
    fetch: endpoint.fetch,
    logLevel: 'off',
  });
}
