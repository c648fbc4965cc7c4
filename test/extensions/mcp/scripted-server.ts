import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { McpServer } from '../../../src/extensions/mcp/mcp-server.ts';
import type { ServerTerms } from '../../../src/extensions/mcp/mcp-tool.ts';
import { type McpSourceOptions, openMcp } from '../../../src/extensions/mcp/open-mcp.ts';
import { openProcessTransport } from '../../../src/extensions/mcp/stdio-transport.ts';
import type { OpenProcess } from '../../../src/sandbox/command-runner.ts';
import type { ExternalSource, LoadedTools } from '../../../src/tools/registry/load-external-tools.ts';

/** What a played server can do. */
export interface Stage {
  /** Prints as it is. */
  print(text: string | Buffer): void;
  /** Sends a message, or answers the request that is asked. */
  send(message: JsonObject): void;
  answer(result: JsonObject): void;
  refuse(code: number, message: string): void;
  /** Ends it, perhaps with words on standard error. */
  end(exitCode: number, reply?: string): void;
  /** How often it was started, from 1 on. */
  readonly starts: number;
}

/** Plays a server: is asked for every request and notification; true where it has dealt with it. */
export type Script = (message: JsonObject, stage: Stage) => boolean | undefined;

type Starting = Parameters<typeof openProcessTransport>[0];

export const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});

/** A server whose program is played, up to the pipe: what it does not deal with is answered as a server with one tool `work` would. */
export function scripted(
  script: Script,
  options: {
    readonly timeoutSeconds?: number;
    readonly terms?: Partial<ServerTerms>;
    readonly tools?: McpSourceOptions['tools'];
    readonly signal?: AbortSignal;
  } = {},
): {
  readonly source: ExternalSource;
  readonly warnings: string[];
  /** What was loaded after the first time, newest last. */
  readonly changes: LoadedTools[];
  readonly received: JsonObject[];
} {
  let starts = 0;
  const warnings: string[] = [];
  const received: JsonObject[] = [];
  const timeoutSeconds = options.timeoutSeconds ?? 20;
  const hide = options.terms?.hide ?? ((text) => text);
  const start = async ({ onOutput, onError }: Parameters<Starting>[0]): Promise<OpenProcess> => {
    starts += 1;
    const ended = Promise.withResolvers<{
      exitCode: number | null;
      signal: string | null;
      durationMs: number;
    }>();
    let over = false;
    const end = (exitCode: number | null, signal: string | null) => {
      over = true;
      ended.resolve({ exitCode, signal, durationMs: 1 });
    };
    const print = (text: string | Buffer) => {
      if (!over) onOutput(typeof text === 'string' ? Buffer.from(text) : text);
    };
    const send = (message: JsonObject) => print(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const write = (text: string) => {
      const message = JSON.parse(text) as JsonObject;
      received.push(message);
      const stage: Stage = {
        print,
        send,
        answer: (result) => send({ id: message.id as Json, result }),
        refuse: (code, words) => send({ id: message.id as Json, error: { code, message: words } }),
        end(exitCode, replyText = '') {
          onError(Buffer.from(replyText));
          end(exitCode, null);
        },
        starts,
      };
      // As from another process: never within the call that wrote.
      setImmediate(() => {
        if (over || script(message, stage) === true || message.id === undefined) return;
        if (message.method === 'initialize')
          stage.answer({
            protocolVersion: '2025-06-18',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'played', version: '1' },
          });
        else if (message.method === 'tools/list') stage.answer({ tools: [tool('work')] });
        else stage.answer({ content: [{ type: 'text', text: 'worked' }] });
      });
    };
    const kill = async () => end(null, 'SIGKILL');
    return {
      write,
      closeInput: () => end(0, null),
      terminate: () => undefined,
      ended: ended.promise,
      kill,
    };
  };
  const open = () => openProcessTransport(start, hide);
  const server = new McpServer({
    ...{ name: 'played', root: '/srv/shop', timeoutSeconds, open },
    warn: (message) => void warnings.push(message),
    hide,
  });
  const source = openMcp({
    server,
    terms: { trusted: false, confined: false, outside: false, ...options.terms, hide },
    tools: options.tools ?? {},
    timeoutSeconds,
    signal: options.signal ?? new AbortController().signal,
    release: async () => undefined,
  });
  const changes: LoadedTools[] = [];
  source.watch?.((loaded) => void changes.push(loaded));
  return { source, warnings, changes, received };
}
