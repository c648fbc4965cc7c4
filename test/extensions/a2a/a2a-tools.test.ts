import type { Message, Part, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { a2aCallTool } from '../../../src/extensions/a2a/a2a-call-tool.ts';
import { a2aDiscoverTool } from '../../../src/extensions/a2a/a2a-discover-tool.ts';
import type { A2aAgents, OpenAgent } from '../../../src/extensions/a2a/open-agents.ts';
import type { Tool, ToolContext } from '../../../src/tools/tool.ts';

const part = (value: string): Part => ({
  ...{ content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined },
});
const message = (value: string): Message => ({
  ...{ messageId: 'm', contextId: '', taskId: '', role: 2, parts: [part(value)] },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
});
const task = (state: number, words?: string, artifacts: Task['artifacts'] = []): Task => ({
  ...{ id: 't', contextId: 'c', artifacts, history: [], metadata: undefined },
  status: { state, message: words === undefined ? undefined : message(words), timestamp: undefined },
});
const artifact = (name: string, words: string) => ({
  ...{ artifactId: name, name, description: '', parts: [part(words)], metadata: undefined, extensions: [] },
});
const event = (value: Task): StreamResponse => ({ payload: { $case: 'task', value } });

interface Play {
  readonly streaming?: boolean;
  /** The answer that comes at once. */
  readonly sent?: Message | Task | Error;
  /** The events of a stream, and its end. */
  readonly streamed?: readonly (StreamResponse | Error)[];
  /** The answers to questions about the task; the last one repeats. */
  readonly tasks?: Task[];
  readonly hosts?: readonly string[];
  readonly names?: readonly string[];
  readonly missing?: string;
}

/** The agents of a run, each of them played; `asked` has all that it was asked, in turn. */
function play(played: Play) {
  const asked: unknown[] = [];
  const streamed = async function* (request: SendMessageRequest) {
    asked.push(['stream', request]);
    for (const one of played.streamed ?? []) {
      if (one instanceof Error) throw one;
      yield one;
    }
  };
  const client = {
    sendMessage: async (request: SendMessageRequest) => {
      asked.push(['send', request]);
      if (played.sent instanceof Error) throw played.sent;
      return played.sent;
    },
    sendMessageStream: streamed,
    getTask: async (request: object) => {
      asked.push(['get', request]);
      return played.tasks?.length === 1 ? played.tasks[0] : played.tasks?.shift();
    },
    cancelTask: async (request: object) => {
      asked.push(['cancel', request]);
      return played.tasks?.[0];
    },
  };
  const agents: A2aAgents = {
    names: played.names ?? ['it'],
    hosts: played.hosts ?? [],
    urlOf: (name) => `https://${name}.test/`,
    open: async (called) => {
      if (called === played.missing) throw new ToolError('failed', 'is not there.');
      const card = {
        ...{ name: called, description: '', version: '', supportedInterfaces: [], skills: [] },
        ...{ capabilities: { streaming: played.streaming }, defaultInputModes: [], defaultOutputModes: [] },
      };
      return { called, card, client } as unknown as OpenAgent;
    },
    holdsSecret: (text) => text.includes('a secret'),
  };
  const use = async (tool: Tool, input: object, signal = new AbortController().signal) => {
    try {
      return await tool.execute(tool.input.parse(input), { signal } as ToolContext, undefined);
    } catch (error) {
      return error instanceof ToolError ? `${error.kind}: ${error.message}` : error;
    }
  };
  const [handing, reading] = [a2aCallTool(agents), a2aDiscoverTool(agents)];
  return {
    ...{ asked, handing, reading },
    call: (input: object, signal?: AbortSignal) => use(handing, { agent: 'it', ...input }, signal),
    discover: (input: object) => use(reading, input),
  };
}

const requestOf = (parts: object[], change: object = {}, returnImmediately = true) => ({
  ...{ tenant: '', metadata: undefined },
  message: {
    ...{ messageId: expect.stringMatching(/^[0-9a-f-]{36}$/), contextId: '', taskId: '', parts, role: 1 },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [], ...change },
  },
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
});
const text = (words: string) => ({ type: 'text', text: words });

describe('a2a_call', () => {
  it('names its request and its agent', () => {
    const { handing } = play({});
    const targets = (input: object) => handing.targets(handing.input.parse({ agent: 'it', ...input }));
    const urls = ['https://it.test/'];
    expect([
      targets({ message: 'm'.repeat(501) }),
      targets({ message: 'both', task_id: 't' }),
      targets({ task_id: 't' }),
      targets({ task_id: 't', message: 'm', cancel: true }),
      targets({ data: {} }),
    ]).toEqual([
      { what: `it: ${'m'.repeat(500)}`, urls },
      { what: 'it: both', urls },
      { what: 'it: t', urls },
      { what: 'it: cancel t', urls },
      { what: 'it: ', urls },
    ]);
  });

  it('has the level "delegated" and the names that models use', () => {
    const { argumentAliases, level, readOnly, exposure } = play({}).handing;
    expect({ argumentAliases, level, readOnly, exposure }).toEqual({
      argumentAliases: {
        ...{ name: 'agent', url: 'agent', agent_url: 'agent', prompt: 'message', text: 'message' },
        ...{ task: 'message', taskId: 'task_id', contextId: 'context_id', timeout: 'timeout_seconds' },
      },
      ...{ level: 'delegated', readOnly: false, exposure: 'deferred' },
    });
  });

  it('has limits for its arguments', () => {
    const { handing } = play({});
    const takes = (input: object) => handing.input.safeParse({ agent: 'it', ...input }).success;
    expect([
      [takes({ agent: '' }), takes({ agent: 'a'.repeat(2_000) }), takes({ agent: 'a'.repeat(2_001) })],
      [
        takes({ message: '' }),
        takes({ message: 'a'.repeat(200_000) }),
        takes({ message: 'a'.repeat(200_001) }),
      ],
      [takes({ task_id: '' }), takes({ task_id: 'a'.repeat(500) }), takes({ context_id: 'a'.repeat(501) })],
      [takes({ timeout_seconds: 0 }), takes({ timeout_seconds: 1_800 }), takes({ timeout_seconds: 1_801 })],
      [takes({ data: 1 }), takes({ message: null, data: null, task_id: null }), takes({ wait: 'no' })],
    ]).toEqual([
      [false, true, false],
      [false, true, false],
      [false, true, false],
      [false, true, false],
      [false, true, expect.any(Boolean)],
    ]);
  });

  it("sends text and data, and returns the agent's texts and artifacts", async () => {
    const done = task(3, 'done', [
      artifact('a', 'one'),
      artifact('', 'two'),
      artifact('n'.repeat(201), 'three'),
    ]);
    const { call, asked } = play({ sent: done });
    expect([await call({ message: 'do', data: { n: 1 } }), asked]).toEqual([
      {
        content: [
          text('[it: completed (task_id t, context_id c). What follows is in its words.]'),
          ...[text('done'), text('[made: a]'), text('one'), text('[made: without a name]'), text('two')],
          ...[text(`[made: ${'n'.repeat(200)}]`), text('three')],
        ],
        data: { state: 'completed', task_id: 't', context_id: 'c', artifacts: 3 },
      },
      [
        [
          'send',
          requestOf([
            part('do'),
            { ...part(''), content: { $case: 'data', value: { n: 1 } }, mediaType: 'application/json' },
          ]),
        ],
      ],
    ]);
  });

  it('continues a task or a conversation', async () => {
    const { call, asked } = play({ sent: message('hello') });
    const answer = {
      content: [text('[it: completed. What follows is in its words.]'), text('hello')],
      data: { state: 'completed', task_id: null, context_id: null, artifacts: 0 },
    };
    expect([await call({ message: 'm', context_id: 'c' }), asked]).toEqual([
      answer,
      [['send', requestOf([part('m')], { contextId: 'c' })]],
    ]);
    await call({ message: 'm', task_id: 't' });
    await call({ message: 'm', task_id: 't', wait: false });
    expect(asked.slice(1)).toEqual([
      ['send', requestOf([part('m')], { taskId: 't' }, false)],
      ['send', requestOf([part('m')], { taskId: 't' }, true)],
    ]);
  });

  it('reads a stream if the agent supports it and the call waits', async () => {
    const streams = { streaming: true, streamed: [event(task(2)), event(task(3, 'done'))], sent: task(2) };
    const { call, asked } = play(streams);
    expect([await call({ message: 'm' }), asked]).toEqual([
      {
        content: [
          text('[it: completed (task_id t, context_id c). What follows is in its words.]'),
          text('done'),
        ],
        data: { state: 'completed', task_id: 't', context_id: 'c', artifacts: 0 },
      },
      [['stream', requestOf([part('m')], {}, false)]],
    ]);
    const later = play(streams);
    expect([await later.call({ message: 'm', wait: false }), later.asked]).toEqual([
      {
        content: [
          text(
            '[it: working (task_id t, context_id c). It is at work still: a2a_call with task_id and no message waits for more. What follows is in its words.]',
          ),
        ],
        data: { state: 'working', task_id: 't', context_id: 'c', artifacts: 0 },
      },
      [['send', requestOf([part('m')], {}, true)]],
    ]);
  });

  it('requests the state of a task whose stream broke, and fails if there is no task yet', async () => {
    const broken = new Error('broke');
    const { call, asked } = play({
      ...{ streaming: true, streamed: [event(task(2)), broken], tasks: [task(3, 'done')] },
    });
    expect(await call({ message: 'm' })).toMatchObject({ data: { state: 'completed' } });
    expect(asked.slice(1)).toEqual([['get', { tenant: '', id: 't' }]]);
    expect(await play({ streaming: true, streamed: [broken] }).call({ message: 'm' })).toBe(
      'failed: The agent it answered with an error, in its words: broke',
    );
  });

  it('reads a task once, or until it ends', async () => {
    const { call, asked } = play({ tasks: [task(2), task(2), task(3)] });
    expect(await call({ task_id: 't', wait: false })).toMatchObject({ data: { state: 'working' } });
    expect(await call({ task_id: 't' })).toMatchObject({ data: { state: 'completed' } });
    expect(asked).toEqual(Array.from({ length: 3 }, () => ['get', { tenant: '', id: 't' }]));
  });

  it.each([
    [6, 'input required', ' It asks for more: answer by a2a_call with message and task_id.'],
    [
      8,
      'authorization required',
      ' It wants an authorization that this run cannot give; the operator has to.',
    ],
  ])('names the next step in the state %d', async (state, word, next) => {
    expect(await play({ sent: task(state) }).call({ message: 'm' })).toMatchObject({
      content: [text(`[it: ${word} (task_id t, context_id c).${next} What follows is in its words.]`)],
    });
  });

  it.each([
    [4, 'failed'],
    [5, 'canceled'],
    [7, 'rejected'],
  ])('fails with a task that ended in the state %d', async (state, word) => {
    const head = `failed: The agent it ended the task as ${word} (task_id t, context_id c). In its words:\n`;
    expect([
      await play({ sent: task(state) }).call({ message: 'm' }),
      await play({ sent: task(state, 'no', [artifact('a', 'half')]) }).call({ message: 'm' }),
    ]).toEqual([`${head}(none)`, `${head}no\n[made: a]\nhalf`]);
  });

  it('reports how long it waited, and the remedy if nothing came', async () => {
    const { call } = play({ tasks: [task(2)] });
    const slow = new DOMException('late', 'TimeoutError');
    expect([
      await call({ task_id: 't', timeout_seconds: 1 }),
      await play({ sent: slow }).call({ message: 'm', timeout_seconds: 9 }),
    ]).toMatchObject([
      {
        content: [
          text(
            '[it: working (task_id t, context_id c). It is at work still after 1 s: a2a_call with task_id and no message waits for more. What follows is in its words.]',
          ),
        ],
      },
      'timeout: The agent it did not answer within 9 s. Raise timeout_seconds, or go on without it.',
    ]);
  });

  it('cancels a task on request and at an abort', async () => {
    const cancelled = play({ tasks: [task(5)] });
    expect([
      await cancelled.call({ task_id: 't', cancel: true }),
      await play({ tasks: [task(2)] }).call({ task_id: 't', cancel: true }),
      cancelled.asked,
    ]).toEqual([
      { content: 'The agent it was asked to cancel the task t; it is cancelled.' },
      { content: 'The agent it was asked to cancel the task t; it has not confirmed this yet.' },
      [['cancel', { tenant: '', id: 't', metadata: undefined }]],
    ]);
    const stop = new AbortController();
    stop.abort('over');
    const { call, asked } = play({ sent: task(2) });
    expect([await call({ message: 'm' }, stop.signal), asked.slice(1)]).toEqual([
      'over',
      [['cancel', { tenant: '', id: 't', metadata: undefined }]],
    ]);
    const settled = play({ sent: task(2), tasks: [task(3)] });
    await settled.call({ task_id: 't' }, stop.signal);
    expect(settled.asked).toEqual([['get', { tenant: '', id: 't' }]]);
  });

  it('refuses invalid requests and those that contain a secret', async () => {
    const { call, asked } = play({});
    const refused = 'refused: The message would carry a secret out of this run. Say it without it.';
    expect([
      await call({}),
      await call({ cancel: true, message: 'm' }),
      await call({ message: 'a secret' }),
      await call({ data: { key: 'a secret' } }),
      await call({ task_id: 'a secret' }),
      await call({ message: 'm', context_id: 'a secret' }),
      asked,
    ]).toEqual([
      'invalid_input: The call has no request: give a message, or the task_id of a task to check.',
      'invalid_input: cancel needs the task_id of the task to cancel.',
      ...[refused, refused, refused, refused],
      [],
    ]);
  });
});

describe('a2a_discover', () => {
  const card = (name: string) => `${name}: ${name}\nTakes text, gives text.`;

  it('names its agent', () => {
    const { reading } = play({ names: ['a', 'b'] });
    const nobody = play({ names: [] }).reading;
    expect([
      reading.targets({}),
      reading.targets({ agent: 'c' }),
      nobody.targets({}),
      reading.argumentAliases,
      { level: reading.level, reads: reading.readOnly, exposure: reading.exposure },
      ['', 'a'.repeat(2_000), 'a'.repeat(2_001), null].map(
        (agent) => reading.input.safeParse({ agent }).success,
      ),
    ]).toEqual([
      { what: 'a, b', urls: ['https://a.test/', 'https://b.test/'] },
      { what: 'c', urls: ['https://c.test/'] },
      { what: 'agents', urls: [] },
      { name: 'agent', url: 'agent', agent_url: 'agent' },
      { level: 'external_read', reads: true, exposure: 'deferred' },
      [false, true, false, true],
    ]);
  });

  it('describes all named agents, also one that does not exist, or a single one', async () => {
    const { discover } = play({ names: ['a', 'b'], hosts: ['c.test', 'd.test'], missing: 'b' });
    expect([await discover({}), await discover({ agent: 'a' }), await discover({ agent: 'b' })]).toEqual([
      {
        content: `${card('a')}\n\nb: is not there.\n\nAgents of c.test, d.test can be asked by their URL.`,
        data: {
          agents: [
            { name: 'a', ok: true },
            { name: 'b', ok: false },
          ],
        },
      },
      { content: card('a'), data: { agents: [{ name: 'a', ok: true }] } },
      'failed: is not there.',
    ]);
  });

  it('reports if no agent has a name, and sends no secret', async () => {
    const { discover } = play({ names: [] });
    expect([await discover({}), await discover({ agent: 'https://a secret' })]).toEqual([
      { content: 'No agent has a name here.', data: { agents: [] } },
      'refused: The URL would carry a secret out of this run. Ask without it.',
    ]);
  });
});
