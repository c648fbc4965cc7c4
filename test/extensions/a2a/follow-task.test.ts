import type { Message, Part, StreamResponse, Task } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { TaskView } from '../../../src/extensions/a2a/follow-task.ts';

const part = (value: string): Part => ({
  ...{ content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined },
});
const message = (value: string, change: Partial<Message> = {}): Message => ({
  ...{ messageId: 'm', contextId: 'c', taskId: '', role: 2, parts: [part(value)] },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [], ...change },
});
const status = (state: number, words?: string): Task['status'] => ({
  ...{ state, message: words === undefined ? undefined : message(words), timestamp: undefined },
});
const artifact = (artifactId: string, name: string, ...words: string[]) => ({
  ...{ artifactId, name, description: '', parts: words.map(part), metadata: undefined, extensions: [] },
});
const task = (change: Partial<Task> = {}): Task => ({
  ...{
    id: 't',
    contextId: 'c',
    artifacts: [],
    history: [],
    metadata: undefined,
    status: status(2),
    ...change,
  },
});
const stateUpdate = (state: number, words?: string): StreamResponse => ({
  payload: {
    $case: 'statusUpdate',
    value: { taskId: 't2', contextId: 'c2', metadata: undefined, status: status(state, words) },
  },
});
const made = (one: ReturnType<typeof artifact> | undefined, append = false): StreamResponse => ({
  payload: {
    $case: 'artifactUpdate',
    value: { taskId: 't3', contextId: 'c3', artifact: one, append, lastChunk: true, metadata: undefined },
  },
});
const words = (parts: readonly Part[]) => parts.map(({ content }) => content?.value);
const seen = (view: TaskView) => ({
  ...{ task: view.taskId, context: view.contextId, state: view.state, settled: view.isFinal },
  reply: words(view.reply),
  made: view.artifacts.map(({ name, parts }) => [name, ...words(parts)]),
});
const nothing = { task: null, context: null, state: 'unknown', settled: false, reply: [], made: [] };

describe('the texts of an agent', () => {
  it('are empty at first', () => {
    expect([seen(new TaskView('')), seen(new TaskView('t'))]).toEqual([nothing, { ...nothing, task: 't' }]);
  });

  it.each([
    [0, 'unknown', false],
    [1, 'submitted', false],
    [2, 'working', false],
    [3, 'completed', true],
    [4, 'failed', true],
    [5, 'canceled', true],
    [6, 'input required', true],
    [7, 'rejected', true],
    [8, 'authorization required', true],
    [9, 'unknown', false],
    [-1, 'unknown', false],
  ])('have the state %d: %s', (number, state, settled) => {
    const view = new TaskView('');
    view.takeTask(task({ status: status(number, 'now') }));
    expect(seen(view)).toEqual({ task: 't', context: 'c', state, settled, reply: ['now'], made: [] });
  });

  it('are a message alone, if nothing else comes', () => {
    const view = new TaskView('');
    view.takeResult(message('hello'));
    const whole = { ...nothing, context: 'c', state: 'completed', settled: true, reply: ['hello'] };
    expect(seen(view)).toEqual(whole);
    const streamed = new TaskView('t');
    streamed.take({ payload: { $case: 'message', value: message('hello', { contextId: '' }) } });
    expect(seen(streamed)).toEqual({ ...whole, task: 't', context: null, state: 'unknown' });
  });

  it('grow with the events of a stream', () => {
    const view = new TaskView('');
    view.take({ payload: undefined });
    expect(seen(view)).toEqual(nothing);
    view.take({ payload: { $case: 'task', value: task() } });
    expect(seen(view)).toEqual({ ...nothing, task: 't', context: 'c', state: 'working' });
    view.take(stateUpdate(2, 'half'));
    expect(seen(view)).toEqual({ ...nothing, task: 't2', context: 'c2', state: 'working', reply: ['half'] });
    view.take(made(artifact('1', 'a', 'one')));
    view.take(made(artifact('1', 'b', 'two'), true));
    view.take(made(artifact('2', 'c', 'three'), true));
    view.take(made(undefined));
    const at = { ...nothing, task: 't3', context: 'c3', state: 'working', reply: ['half'] };
    expect(seen(view)).toEqual({
      ...at,
      made: [
        ['a', 'one', 'two'],
        ['c', 'three'],
      ],
    });
    view.take(made(artifact('1', 'd', 'four')));
    expect(seen(view)).toEqual({
      ...at,
      made: [
        ['d', 'four'],
        ['c', 'three'],
      ],
    });
    view.take(stateUpdate(3));
    expect(seen(view)).toMatchObject({ state: 'completed', settled: true, reply: [] });
  });

  it("are replaced by the task's current state", () => {
    const view = new TaskView('');
    view.take(made(artifact('1', 'a', 'one')));
    view.takeResult(task({ artifacts: [artifact('2', 'b', 'two')], status: status(3) }));
    expect(seen(view)).toMatchObject({ state: 'completed', made: [['b', 'two']] });
    view.takeTask(task({ id: '', contextId: '', status: undefined }));
    expect(seen(view)).toEqual(nothing);
  });

  it('are the end of the history if there is nothing else', () => {
    const replyText = (change: Partial<Task>) => {
      const view = new TaskView('');
      view.takeTask(task({ history: [message('first'), message('last')], ...change }));
      return seen(view).reply;
    };
    expect([
      replyText({}),
      replyText({ status: status(3, 'status') }),
      replyText({ artifacts: [artifact('1', 'a', 'one')] }),
      replyText({ history: [message('first'), message('mine', { role: 1 })] }),
      replyText({ history: [] }),
    ]).toEqual([['last'], ['status'], [], [], []]);
  });
});
