import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { diagnosticsTool } from '../../../src/extensions/language/diagnostics-tool.ts';
import { getDiagnosticsTool } from '../../../src/extensions/language/get-diagnostics-tool.ts';
import type { LanguageServers } from '../../../src/extensions/language/language-run.ts';
import { createLanguageServers } from '../../../src/extensions/language/language-servers.ts';
import { lspTool } from '../../../src/extensions/language/lsp-tool.ts';
import type { LanguageServerEntry } from '../../../src/extensions/language/server-entry.ts';
import type { CommandRunner, OpenProcess } from '../../../src/sandbox/command-runner.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { openTools, type ToolHarness, type TreeEntry } from '../../tools/tool-harness.ts';

/** A message of ours, as the server got it. */
export interface ReceivedMessage {
  readonly id?: number;
  readonly method: string;
  readonly params: JsonObject;
}

/** What a scripted server can do besides answering. */
export interface Speaker {
  readonly root: string;
  send(message: JsonObject): void;
  print(bytes: string | Buffer): void;
  exit(code: number, words?: string): void;
}

/** Says what a request is answered with; undefined: nothing, ever. Notifications are told, too. */
export type Script = (received: ReceivedMessage, server: Speaker) => Json | undefined;

const everything = {
  ...{ definitionProvider: true, referencesProvider: true, hoverProvider: true },
  ...{ documentSymbolProvider: true, workspaceSymbolProvider: true, callHierarchyProvider: true },
};

/** A server that can do everything and answers nothing but what a script says. */
export const able = (script: Script, capabilities: JsonObject = everything): Script => {
  return (received, server) => {
    if (received.method === 'exit') server.exit(0);
    if (received.method === 'initialize') return script(received, server) ?? { capabilities };
    return received.method === 'shutdown' ? null : script(received, server);
  };
};

/** Tools of language servers with a server played in this process. */
export interface ScriptedLanguages {
  readonly harness: ToolHarness;
  readonly received: ReceivedMessage[];
  /** What is told of servers that ended. */
  readonly told: string[];
  readonly servers: LanguageServers;
  /** How often a server was started, and how many run. */
  readonly counts: { started: number; running: number };
  /** What is to happen when nobody calls for a while; called by the test in place of a clock. */
  idle: (() => void) | null;
  /** The text of the result; an error counts as its kind and message. */
  say(tool: string, input: JsonObject, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export const entry: LanguageServerEntry = {
  name: 'toy',
  command: ['/bin/sh'],
  languages: { '.toy': 'toy' },
  markers: [],
  runsCheckout: false,
};

export async function scriptedLanguages(
  files: Readonly<Record<string, TreeEntry>>,
  script: Script,
  {
    startMs = 5_000,
    checkout = true,
    ...more
  }: { readonly startMs?: number; readonly checkout?: boolean } & Partial<
    Pick<LanguageServerEntry, 'indexesAll' | 'inCheckout' | 'markers'>
  > = {},
): Promise<ScriptedLanguages> {
  const harness = await openTools(files, { git: true });
  const received: ReceivedMessage[] = [];
  const told: string[] = [];
  const counts = { started: 0, running: 0 };
  const runner = playedRunner(harness.root, received, counts, script);
  const servers = createLanguageServers({
    entries: [{ ...entry, ...more }],
    locations: { programFolders: [], checkout },
    runnerFor: async () => runner,
    variablesFor: () => ({}),
    sampleFiles: () =>
      Object.keys(files)
        .filter((name) => name.endsWith('.toy'))
        .slice(0, 1),
    idleMs: 300_000,
    startMs,
    after(milliseconds, act) {
      languages.idle = milliseconds === 300_000 ? act : null;
      return () => {
        languages.idle = null;
      };
    },
    report: (problem) => void told.push(problem),
  });
  const tools = [lspTool(servers), getDiagnosticsTool(servers), diagnosticsTool(servers)];
  const languages: ScriptedLanguages = {
    harness,
    received,
    told,
    servers,
    counts,
    idle: null,
    async say(name, input, signal) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new TypeError(`no tool is called ${name}`);
      const context: ToolContext = signal === undefined ? harness.context : { ...harness.context, signal };
      try {
        const parsed = tool.input.parse(input);
        tool.targets(parsed);
        const { content } = await tool.execute(parsed, context, undefined);
        return typeof content === 'string' ? content : '';
      } catch (error) {
        const { kind = 'error', message } = error as { kind?: string; message: string };
        return `${kind}: ${message}`;
      }
    },
    async close() {
      await servers.close();
      await harness.close();
    },
  };
  return languages;
}

function playedRunner(
  root: string,
  received: ReceivedMessage[],
  counts: ScriptedLanguages['counts'],
  script: Script,
): CommandRunner {
  return {
    sandboxed: true,
    run: async () => {
      throw new Error('a language server is no command');
    },
    close: async () => undefined,
    async open({ onOutput, onError }): Promise<OpenProcess> {
      counts.started += 1;
      counts.running += 1;
      const { promise, resolve } = Promise.withResolvers<Awaited<OpenProcess['ended']>>();
      let over = false;
      const end = (exitCode: number | null) => {
        if (!over) counts.running -= 1;
        over = true;
        resolve({ exitCode, signal: exitCode === null ? 'SIGKILL' : null, durationMs: 1 });
      };
      const server: Speaker = {
        root,
        print: (bytes) => {
          if (!over) onOutput(Buffer.from(bytes as string));
        },
        send(message) {
          const text = JSON.stringify({ jsonrpc: '2.0', ...message });
          server.print(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
        },
        exit(code, words = '') {
          onError?.(Buffer.from(words));
          end(code);
        },
      };
      let input = Buffer.alloc(0);
      const take = (text: string) => {
        input = Buffer.concat([input, Buffer.from(text)]);
        for (;;) {
          const head = input.indexOf('\r\n\r\n');
          const length = Number(/Content-Length: (\d+)/.exec(input.toString('latin1', 0, head))?.[1]);
          if (head < 0 || input.length < head + 4 + length) return;
          const message = JSON.parse(input.toString('utf8', head + 4, head + 4 + length)) as ReceivedMessage;
          input = input.subarray(head + 4 + length);
          received.push(message);
          if (message.method === undefined) continue;
          const result = script(message, server);
          if (message.id !== undefined && result !== undefined) server.send({ id: message.id, result });
        }
      };
      return {
        // As through a pipe: never within the call.
        write: (text) => void setImmediate(() => (over ? undefined : take(text))),
        closeInput: () => undefined,
        terminate: () => end(0),
        ended: promise,
        async kill() {
          end(null);
          await promise;
        },
      };
    },
  };
}
