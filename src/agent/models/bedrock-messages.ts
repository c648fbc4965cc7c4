import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import { cloudMessages } from './cloud-messages.ts';
import type { Cloud, Endpoint, Wire } from './model.ts';

/**
 * Claude on Amazon Bedrock by Anthropic's package for it, which signs requests and reads AWS's
 * event streams. `key` is a Bedrock API key. Without it, requests are signed with the environment's
 * credentials, else with those of the AWS SDK (profile, role, web identity).
 */
export function bedrockMessages(endpoint: Endpoint, { region, aws }: Cloud): Wire {
  const options = {
    awsRegion: region ?? 'us-east-1',
    baseURL: endpoint.baseUrl,
    // Null, as the SDK reads omitted values from the process's own environment.
    apiKey: endpoint.key,
    maxRetries: 0,
    timeout: 3_600_000,
    fetch: endpoint.fetch,
    logLevel: 'off' as const,
    openTelemetry: false as const,
  };
  const client =
    endpoint.key !== null || aws === null
      ? new AnthropicBedrock({
          ...options,
          providerChainResolver: async () => (await import('./aws-credentials.ts')).awsCredentials(),
        })
      : new AnthropicBedrock({
          ...options,
          awsAccessKey: aws.id,
          awsSecretKey: aws.secret,
          awsSessionToken: aws.session,
        });
  return cloudMessages(client.messages, endpoint);
}
