import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../contract/json.ts';
import { RequestFailure } from '../../network/request-failure.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { tooLarge } from './too-large.ts';

/** A failed request, without the types of the protocol's package. */
export type McpFailure =
  | { readonly kind: 'late' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'answered' | 'broken'; readonly code: number; readonly message: string };

/** An initialised server. */
export interface Connection {
  /** Its declared capabilities. */
  readonly capabilities: ReadonlySet<string>;
  /** Its instructions; empty if there are none. */
  readonly instructions: string;
  /**
   * Sends a request and returns the unchecked result. Rejects with an error for `failureOf`, or the
   * signal's reason.
   */
  request(
    method: string,
    params: JsonObject | undefined,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<JsonObject>;
  close(): Promise<void>;
}

/**
 * Connects to a server and agrees on a version. The server may request the roots, which are the
 * workspace; every other request is refused as unknown. Results are not checked against their
 * declared schemas, as a hostile pattern could block us. Rejects if the server breaks the protocol.
 */
export async function connect(
  transport: Transport,
  options: {
    readonly root: string | null;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly onNotification: (method: string) => void;
    readonly onClose: () => void;
  },
): Promise<Connection> {
  const { root, signal, timeoutMs } = options;
  const client = new Client(
    { name: 'anode-ci', version: '1' },
    {
      capabilities: root === null ? {} : { roots: {} },
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  if (root !== null)
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: [{ uri: pathToFileURL(root).href, name: 'workspace' }],
    }));
  client.fallbackNotificationHandler = async ({ method }) => options.onNotification(method);
  client.onclose = options.onClose;
  await client.connect(transport, { signal, timeout: timeoutMs });
  return {
    capabilities: new Set(Object.keys(client.getServerCapabilities() ?? {})),
    instructions: client.getInstructions() ?? '',
    async request(method, params, { signal, timeoutMs }) {
      signal.throwIfAborted();
      try {
        const request = params === undefined ? { method } : { method, params };
        return (await client.request(request, ResultSchema, { signal, timeout: timeoutMs })) as JsonObject;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    close: () => client.close(),
  };
}

/** Reads an error of `request` or `connect`. */
export function failureOf(error: unknown): McpFailure {
  if (error instanceof McpError) {
    if (error.code === ErrorCode.RequestTimeout) return { kind: 'late' };
    if (error.code === ErrorCode.ConnectionClosed) return { kind: 'closed' };
    // Servers with the same library repeat the prefix.
    const message = error.message.replace(/^(?:MCP error -?\d+: ){1,2}/, '');
    return { kind: 'answered', code: error.code, message };
  }
  // Refused by its declared length.
  if (error instanceof RequestFailure && error.kind === 'too_large')
    return { kind: 'answered', code: tooLarge, message: `it ${error.message}` };
  const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0;
  return { kind: 'broken', code, message: error instanceof Error ? error.message : String(error) };
}

/**
 * Describes a failure as a clause with the server as its subject. `hide` removes its secrets before
 * texts are cut.
 */
export function describeMcpFailure(error: unknown, seconds: number, hide: (text: string) => string): string {
  const failure = failureOf(error);
  if (failure.kind === 'late') return `did not answer within ${seconds} s`;
  if (failure.kind === 'closed') return 'closed the connection';
  const message = hide(visibleText(failure.message)).slice(0, 500);
  return failure.kind === 'broken' ? `could not be asked: ${message}` : `answered with an error: ${message}`;
}
