import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatSSEEvent, type Part, SSE_HEADERS, type Task, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';

/** An agent on loopback, made of the server parts of the protocol's own library. */
export interface SampleAgent {
  readonly url: string;
  /** What it was asked over HTTP: path, headers that the test is about, and the method of the call. */
  readonly asked: { readonly path: string; readonly authorization: string | null; readonly method: string }[];
  readonly cancelled: string[];
  close(): Promise<void>;
}

const text = (value: string): Part => ({
  ...{ content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined },
});
/** A red picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** Says what its first word asks for: `echo`, `make`, `ask`, `fail`, `work` until it is cancelled or the test lets it go on. */
function executor(cancelled: string[], released: Promise<void>): AgentExecutor {
  const buses = new Map<string, () => void>();
  return {
    async execute({ userMessage, taskId, contextId, task }, bus) {
      const words = userMessage.parts.map(({ content }) =>
        content?.$case === 'text'
          ? content.value
          : JSON.stringify(content?.$case === 'data' ? content.value : null),
      );
      const reply = words.join(' ');
      const agentMessage = (value: string) => ({
        ...{ messageId: 'm', contextId, taskId, role: 2, parts: [text(value)] },
        ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
      });
      const status = (state: TaskState, value?: string) =>
        bus.publish(
          AgentEvent.statusUpdate({
            ...{ taskId, contextId, metadata: undefined },
            status: {
              state,
              message: value === undefined ? undefined : agentMessage(value),
              timestamp: undefined,
            },
          }),
        );
      if (reply.startsWith('echo')) {
        bus.publish(AgentEvent.message({ ...agentMessage(`you said: ${reply}`), taskId: '' }));
        return bus.finished();
      }
      const fresh: Task = {
        ...{ id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined },
        status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined },
      };
      bus.publish(AgentEvent.task(task ?? fresh));
      status(TaskState.TASK_STATE_WORKING);
      const artifact = (id: string, name: string, parts: Part[], append = false) =>
        bus.publish(
          AgentEvent.artifactUpdate({
            ...{ taskId, contextId, append, lastChunk: true, metadata: undefined },
            artifact: { artifactId: id, name, description: '', parts, metadata: undefined, extensions: [] },
          }),
        );
      if (reply.startsWith('make')) {
        artifact('1', 'report.md', [text('# Report\n')]);
        artifact('1', 'report.md', [text('\u001b[2Jall \u202egood')], true);
        artifact('2', 'numbers', [
          { ...text(''), content: { $case: 'data', value: { failed: 0 } }, mediaType: '' },
        ]);
        artifact('3', 'picture', [
          { ...text(''), content: { $case: 'raw', value: png }, mediaType: 'image/png', filename: 'a.png' },
          {
            ...text(''),
            content: { $case: 'raw', value: Buffer.from('PK') },
            mediaType: 'application/zip',
            filename: 'a.zip',
          },
          {
            ...text(''),
            content: { $case: 'url', value: 'https://example.com/b' },
            mediaType: '',
            filename: '',
          },
        ]);
      }
      if (reply.startsWith('work')) {
        await Promise.race([released, new Promise<void>((end) => buses.set(taskId, end))]);
        if (cancelled.includes(taskId)) {
          status(TaskState.TASK_STATE_CANCELED);
          return bus.finished();
        }
      }
      if (reply.startsWith('fail')) status(TaskState.TASK_STATE_FAILED, 'the disk is full');
      else if (reply.startsWith('ask')) status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which branch?');
      else status(TaskState.TASK_STATE_COMPLETED, `done with: ${reply}`);
      bus.finished();
    },
    async cancelTask(taskId) {
      cancelled.push(taskId);
      buses.get(taskId)?.();
    },
  };
}

/** Starts it; `released` lets its work come to an end. */
export async function startSampleAgent(
  options: {
    readonly streaming?: boolean;
    readonly released?: Promise<void>;
    /** Where its card says that it is called, in place of where it is. */
    readonly interfaceUrl?: string;
    /** Answers a request otherwise; true where it did. */
    readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
  } = {},
): Promise<SampleAgent> {
  const { streaming = true, released = new Promise<void>(() => undefined), instead = () => false } = options;
  const asked: SampleAgent['asked'] = [];
  const cancelled: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = {
    ...{ name: 'Sample Agent', description: 'Does what its first word says.', version: '1.0.0' },
    supportedInterfaces: [
      {
        url: options.interfaceUrl ?? `${url}/rpc`,
        protocolBinding: 'JSONRPC',
        tenant: '',
        protocolVersion: '1.0',
      },
    ],
    provider: { organization: 'Samples', url },
    capabilities: { streaming, pushNotifications: false, extensions: [] },
    ...{ securitySchemes: {}, securityRequirements: [], signatures: [] },
    ...{ defaultInputModes: ['text'], defaultOutputModes: ['text'] },
    skills: [
      {
        ...{
          id: 'make',
          name: 'Make',
          description: 'Makes\na report.',
          tags: ['report'],
          examples: ['make it'],
        },
        ...{ inputModes: [], outputModes: [], securityRequirements: [] },
      },
    ],
  };
  const requests = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor(cancelled, released));
  const rpc = new JsonRpcTransportHandler(requests);
  const answer = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    const method = body === '' ? '' : String(JSON.parse(body).method);
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization ?? null, method });
    if (instead(request, response)) return;
    if (request.url === '/.well-known/agent-card.json') return void response.end(JSON.stringify(card));
    if (request.url !== '/rpc') return void response.writeHead(404).end();
    const result = await rpc.handle(body, new ServerCallContext({ requestedVersion: '1.0' }));
    if (!(Symbol.asyncIterator in result)) return void response.end(JSON.stringify(result));
    response.writeHead(200, SSE_HEADERS);
    for await (const event of result) response.write(formatSSEEvent(event));
    response.end();
  };
  return {
    ...{ url, asked, cancelled },
    async close() {
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    },
  };
}
