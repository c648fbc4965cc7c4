import { afterEach } from 'vitest';
import { createModel } from '../../../src/agent/models/create-model.ts';
import type { Model, ModelReply } from '../../../src/agent/models/model.ts';
import type { Config } from '../../../src/config/schema.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { Api, Script } from '../../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';

export const key = 'sk-test-0123456789abcdef';
const servers: ScriptedModel[] = [];

/** After each test of the calling file, ends everything that the test started. */
export function endServers(): void {
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
}

/** One way to a model, which all of the contract holds for. */
export interface Adapter {
  readonly title: string;
  readonly api: Api;
  readonly provider: string;
  /** How it is configured, besides its key. */
  readonly settings: NonNullable<Config['providers']>[string];
  /** What stands between server and endpoint. */
  readonly path: string;
  /** The token the thinking comes back under, where the wire has one. */
  readonly thinks: boolean;
}
/** All there are; each passes the same suites. */
export const adapters: readonly Adapter[] = [
  {
    title: 'Anthropic Messages',
    api: 'messages',
    provider: 'anthropic',
    settings: {},
    path: '',
    thinks: true,
  },
  {
    title: 'OpenAI Responses',
    api: 'responses',
    provider: 'openai',
    settings: {},
    path: '/v1',
    thinks: true,
  },
  {
    title: 'Chat Completions',
    api: 'chat',
    provider: 'own',
    settings: { type: 'openai-compatible' },
    path: '/v1',
    thinks: false,
  },
  { title: 'Azure, Responses', api: 'responses', provider: 'azure', settings: {}, path: '', thinks: true },
  {
    title: 'Azure, Chat Completions',
    api: 'chat',
    provider: 'azure',
    settings: { type: 'openai-compatible' },
    path: '',
    thinks: false,
  },
  {
    title: 'Bedrock',
    api: 'messages',
    provider: 'bedrock',
    settings: { region: 'us-east-1' },
    path: '',
    thinks: true,
  },
  {
    title: 'Vertex',
    api: 'messages',
    provider: 'vertex',
    settings: { region: 'global', project: 'p' },
    path: '/v1',
    thinks: true,
  },
];

/** A scripted server, the adapter that asks it, and how long the adapter would have waited between its tries. */
export async function startAdapter(
  { provider, settings, path }: Adapter,
  script: Script,
  idleTimeoutMs = 10_000,
): Promise<{ server: ScriptedModel; model: Model; delays: number[] }> {
  const server = await startScriptedModel({ script, key });
  servers.push(server);
  const delays: number[] = [];
  const model = await createModel({
    name: `${provider}/fake-1`,
    providers: {
      [provider]: { ...settings, baseUrl: server.url + path, apiKey: '{env:THE_KEY}' },
    },
    environment: { THE_KEY: key },
    idleTimeoutMs,
    clock: {
      sleep: async (ms) => {
        delays.push(ms);
      },
      random: () => 1,
    },
  });
  return { server, model, delays };
}

export const bash = {
  name: 'bash',
  description: 'Runs a command.',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
};
export const text = (words: string) => ({ type: 'text' as const, text: words });
export const hello: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }];
export const request = {
  system: 'You test.',
  tools: [bash],
  effort: 3,
  signal: new AbortController().signal,
};

export function result(call_id: string, text: string) {
  return {
    type: 'tool_result' as const,
    call_id,
    content: [{ type: 'text' as const, text }],
    is_error: false,
  };
}

export async function ask(model: Model, messages: Message[]): Promise<{ reply: ModelReply; text: string[] }> {
  const text: string[] = [];
  const reply = await model.complete({ ...request, messages }, (piece) => text.push(piece));
  return { reply, text };
}

export async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => new Error('nothing failed'),
    (error: unknown) => error,
  );
  return outcome instanceof Error ? outcome : new Error(String(outcome));
}
