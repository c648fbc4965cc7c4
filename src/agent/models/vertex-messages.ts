import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { cloudMessages } from './cloud-messages.ts';
import { googleSignIn, tokenSignIn } from './google-sign-in.ts';
import type { Cloud, Endpoint, Wire } from './wire.ts';

type VertexOptions = NonNullable<ConstructorParameters<typeof AnthropicVertex>[0]>;

/**
 * Claude on Google's Vertex AI by Anthropic's package for it. A key is an access token of Google's; without one its library
 * finds credentials (`GOOGLE_APPLICATION_CREDENTIALS`, workload identity, the machine's own).
 */
export function vertexMessages(endpoint: Endpoint, { region, project, credentialsFile }: Cloud): Wire {
  const signIn = endpoint.key === null ? googleSignIn(credentialsFile, project) : tokenSignIn(endpoint.key);
  const client = new AnthropicVertex({
    region: region ?? 'global',
    ...(project !== null && { projectId: project }),
    authClient: signIn as unknown as NonNullable<VertexOptions['authClient']>,
    baseURL: endpoint.baseUrl,
    maxRetries: 0,
    timeout: 3_600_000,
    fetch: endpoint.fetch,
    logLevel: 'off',
    openTelemetry: false,
  });
  return cloudMessages(client.messages, endpoint);
}
