import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { GoogleAuth } from 'google-auth-library';
import { cloudMessages } from './cloud-messages.ts';
import type { Cloud, Endpoint, Wire } from './model.ts';

type VertexOptions = NonNullable<ConstructorParameters<typeof AnthropicVertex>[0]>;

/**
 * Claude on Google's Vertex AI by Anthropic's package for it. `key` is an access token of Google.
 * Without one, Google's library finds credentials (`GOOGLE_APPLICATION_CREDENTIALS`, workload
 * identity, the machine's own).
 */
export function vertexMessages(endpoint: Endpoint, { region, project, credentialsFile }: Cloud): Wire {
  const signIn = endpoint.key === null ? googleSignIn(credentialsFile, project) : tokenSignIn(endpoint.key);
  const client = new AnthropicVertex({
    region: region ?? 'global',
    projectId: project,
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

/** The part of a client of Google's library that the package for Vertex uses. */
export interface GoogleSignIn {
  /** Known after the first sign-in; null if nothing reports it. */
  projectId: string | null;
  getRequestHeaders(): Promise<Headers>;
}

/** Signs in with a token that is there already. */
export function tokenSignIn(token: string): GoogleSignIn {
  return {
    projectId: null,
    getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }),
  };
}

/**
 * Signs in at first use with what Google's library finds, `file` first. Otherwise the package would
 * search for it immediately, and its unhandled error would end the process.
 */
export function googleSignIn(file: string | null, project: string | null): GoogleSignIn {
  const scopes = 'https://www.googleapis.com/auth/cloud-platform';
  const auth = new GoogleAuth(file === null ? { scopes } : { scopes, keyFilename: file });
  const signIn: GoogleSignIn = {
    projectId: project,
    async getRequestHeaders() {
      const headers = await (await auth.getClient()).getRequestHeaders();
      signIn.projectId ??= await auth.getProjectId();
      return headers;
    },
  };
  return signIn;
}
