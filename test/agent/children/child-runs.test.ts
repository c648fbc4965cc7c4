import { afterEach, expect, test } from 'vitest';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { childId, type Family, lastResults, runRunTree, type Script, textOf } from '../run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

async function run(script: Script, options: Parameters<typeof runRunTree>[1] = {}): Promise<Family> {
  family = await runRunTree(script, options);
  return family;
}

/** A promise and what settles it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
const delegate = (name: string, more: object = {}) =>
  [
    'agent_delegate',
    { agentId: 'craft', task: { objective: `I am ${name}.`, title: name, ...more } },
  ] as const;
const spawn = (name: string) => ['spawn_agent', { message: `I am ${name}.`, title: name }] as const;
const kinds = (entries: readonly RunEntry[]) =>
  entries.flatMap((entry) => {
    if (entry.type === 'child_run.started') return [`${entry.title} starts`];
    if (entry.type === 'child_run.result') return [`${entry.child_run_id} ${entry.conclusion}`];
    return entry.type === 'run.finished' ? ['the run ends'] : [];
  });

test('delegated tasks run beside their parent and return their results', async () => {
  const { tools, result, entries, seen } = await run({
    main: [
      { calls: [delegate('one', { context: { file: 'a.ts' }, expectedOutput: 'a list' }), delegate('two')] },
      { calls: [['agent_await', { mode: 'allCompleted' }]] },
      (request) => ({ text: lastResults(request) }),
    ],
    one: [
      { calls: [['workspace_write_file', { path: 'output/one.md', content: '# One' }]] },
      {
        calls: [
          [
            'task_return',
            {
              summary: 'Found it.',
              confidence: 'high',
              artifacts: [{ path: './output/one.md', kind: 'markdown', role: 'draft' }],
              warnings: ['slow'],
            },
          ],
        ],
      },
    ],
    two: [{ text: 'Done without a return.' }],
  });
  expect(result.conclusion).toBe('success');
  expect(result.answer).toBe(
    [
      '== child_1 (craft): one — completed ==\nFound it.\nconfidence: high\nartifacts:\n- output/one.md (markdown, draft)\nwarnings:\n- slow',
      '== child_2 (craft): two — completed ==\nDone without a return.',
    ].join('\n\n'),
  );
  expect(textOf(seen.get('one')?.[0]?.messages[0])).toContain(
    'I am one.\n\nContext:\n{\n  "file": "a.ts"\n}\n\nExpected output:\na list\n\nWhen you are done',
  );
  expect(seen.get('one')?.[0]?.tools.map(({ name }) => name)).toContain('task_return');
  expect(kinds(entries).sort()).toEqual([
    'child_1 success',
    'child_2 success',
    'one starts',
    'the run ends',
    'two starts',
  ]);
  expect(result.usage.input).toBe(60);
  expect(await tools.say('workspace.read_file', { path: 'summaries/child_1/summary.md' })).toBe(
    '1\tFound it.',
  );
  expect(await tools.say('workspace.read_file', { path: 'summaries/child_1/result.json' })).toContain(
    '"path": "output/one.md"',
  );
});

test('a running child receives a message before its next turn, and an ended one continues its conversation', async () => {
  const reported = gate();
  const { result, seen, entries } = await run({
    main: [
      { calls: [spawn('one')] },
      (request) => ({ calls: [['send_input', { id: childId(lastResults(request)), message: 'Use B.' }]] }),
      () => {
        reported.open();
        return { calls: [['wait_agent', {}]] };
      },
      (request) => {
        expect(lastResults(request)).toContain('B it is');
        return { calls: [['send_input', { id: 'child_1', message: 'Now C.' }]] };
      },
      { calls: [['wait_agent', { ids: 'child_1' }]] },
      (request) => ({ text: lastResults(request) }),
    ],
    one: [
      async () => {
        await reported.opened;
        return { calls: [['list_directory', {}]] };
      },
      { text: 'B it is' },
      { text: 'C it is' },
    ],
  });
  expect(result.answer).toBe('== child_1 (craft): one — completed ==\nC it is');
  const requests = seen.get('one') ?? [];
  expect(textOf(requests[1]?.messages.at(-1))).toMatch(/\nThe agent that started you adds:\nUse B\.$/);
  expect(requests[2]?.messages.slice(-2).map((message) => [message.role, textOf(message)])).toEqual([
    ['assistant', 'B it is'],
    ['user', 'Now C.'],
  ]);
  expect(kinds(entries)).toEqual(['one starts', 'child_1 success', 'child_1 success', 'the run ends']);
});

test("an interrupted child stops its work and receives its parent's message immediately", async () => {
  const requested = gate();
  const { result, seen } = await run({
    main: [
      { calls: [spawn('one')] },
      async () => {
        await requested.opened;
        return { calls: [['send_input', { id: 'child_1', message: 'Stop that.', interrupt: 'true' }]] };
      },
      { calls: [['wait_agent', {}]] },
      (request) => ({ text: lastResults(request) }),
    ],
    one: [
      () => {
        requested.open();
        return new Promise(() => undefined);
      },
      { text: 'Stopped.' },
    ],
  });
  expect(result.answer).toContain('Stopped.');
  expect(textOf(seen.get('one')?.[1]?.messages.at(-1))).toMatch(/Stop that\.$/);
});

test('an end is reported once to a waiting parent, and a time-out ends nothing', async () => {
  const second = gate();
  const { seen } = await run({
    main: [
      { calls: [spawn('one'), spawn('two')] },
      { calls: [['agent_await', {}]] },
      { calls: [['agent_await', { timeoutMs: 5 }]] },
      { calls: [['agent_await', { mode: 'statusOnly', taskIds: ['child_2'] }]] },
      () => {
        second.open();
        return { calls: [['agent_await', { mode: 'nextCompleted' }]] };
      },
      { calls: [['list_agents', {}]] },
      { calls: [['wait_agent', { ids: ['child_9'] }]] },
      { text: 'ok' },
    ],
    one: [{ text: 'first' }],
    two: [
      async () => {
        await second.opened;
        return { text: 'second' };
      },
    ],
  });
  const reply = (seen.get('main') ?? []).slice(2).map(lastResults);
  const [one, two] = ['== child_1 (craft): one — completed ==', '== child_2 (craft): two — running =='];
  const done = '== child_2 (craft): two — completed ==';
  expect(reply).toEqual([
    `${one}\nfirst\n\n${two}`,
    `${one}\nfirst\n\n${two}\n\n[warning: not ended within 5 ms; they go on. Wait again or go on yourself.]`,
    two,
    `${one}\nfirst\n\n${done}\nsecond`,
    `${one}\n${done}`,
    expect.stringMatching(/There is no child child_9\. There are: child_1, child_2\.$/),
  ]);
});

test('a closed child ends and receives nothing more, while others continue', async () => {
  const { seen, entries } = await run({
    main: [
      { calls: [spawn('one')] },
      { calls: [['close_agent', { id: 'child_1' }]] },
      { calls: [['send_input', { id: 'child_1', message: 'More' }]] },
      { text: 'ok' },
    ],
    one: [() => new Promise(() => undefined)],
  });
  const replyText = (seen.get('main') ?? []).slice(2).map(lastResults);
  expect(replyText[0]).toMatch(/^== child_1 \(craft\): one — closed ==/);
  expect(replyText[1]).toMatch(/The child child_1 was closed\. Start another one\.$/);
  expect(kinds(entries)).toEqual(['one starts', 'child_1 cancelled', 'the run ends']);
});

test('a parent that would end is reminded once of running children, and then ends them first', async () => {
  const { result, seen, entries } = await run({
    main: [{ calls: [spawn('one')] }, { text: 'I am done.' }, { text: 'Really done.' }],
    one: [() => new Promise(() => undefined)],
  });
  expect(result.answer).toBe('Really done.');
  expect(textOf(seen.get('main')?.[2]?.messages.at(-1))).toMatch(
    /^Agents that you started still run: child_1 \(one\)\. Wait for them/,
  );
  expect(kinds(entries)).toEqual(['one starts', 'child_1 cancelled', 'the run ends']);
});

test('aborting the run ends its children too', async () => {
  const stop = new AbortController();
  const { result, entries } = await run(
    {
      main: [{ calls: [spawn('one')] }, () => new Promise(() => undefined)],
      one: [
        () => {
          stop.abort();
          return new Promise(() => undefined);
        },
      ],
    },
    { signal: stop.signal },
  );
  expect(result.conclusion).toBe('cancelled');
  expect(kinds(entries)).toEqual(['one starts', 'child_1 cancelled', 'the run ends']);
});

test('a child closed before it could start is also recorded as ended', async () => {
  const { entries } = await run(
    {
      main: [
        {
          calls: [
            spawn('one'),
            spawn('two'),
            ['close_agent', { id: 'child_2' }],
            ['close_agent', { id: 'child_1' }],
          ],
        },
        { text: 'ok' },
      ],
      one: [() => new Promise(() => undefined)],
    },
    { profile: { maxConcurrentDelegations: 1 } },
  );
  expect(kinds(entries)).toEqual([
    'one starts',
    'two starts',
    'child_2 cancelled',
    'child_1 cancelled',
    'the run ends',
  ]);
});

test("a defect in a child makes the run fail and does not count as the child's end", async () => {
  const { result } = await run({
    main: [{ text: 'Starting one.', calls: [spawn('one')] }, { calls: [['wait_agent', {}]] }],
    one: [
      () => {
        throw new RangeError('a defect');
      },
    ],
  });
  const { conclusion, answer, stop } = result;
  expect({ conclusion, answer, stop }).toEqual({
    ...{ conclusion: 'failure', answer: 'Starting one.' },
    stop: {
      kind: 'internal_error',
      message: 'Anode CI itself failed: RangeError: a defect. What the run did before is kept.',
    },
  });
});

test('a defect also ends the children, which would otherwise continue to call the model', async () => {
  const { result, entries } = await run({
    main: [
      { calls: [spawn('one')] },
      () => {
        throw new RangeError('a defect');
      },
    ],
    one: [() => new Promise(() => undefined)],
  });
  expect([result.stop?.kind, ...kinds(entries)]).toEqual([
    ...['internal_error', 'one starts', 'child_1 cancelled', 'the run ends'],
  ]);
});

test("the parent's profile limits the children in parallel and in total", async () => {
  const first = gate();
  const { seen } = await run(
    {
      main: [
        { calls: [spawn('one'), spawn('two'), spawn('three')] },
        () => {
          first.open();
          return { calls: [['agent_await', { mode: 'allCompleted' }]] };
        },
        { text: 'ok' },
      ],
      one: [
        async () => {
          await first.opened;
          return { text: 'first' };
        },
      ],
      two: [{ text: 'second' }],
    },
    { profile: { maxDelegations: 2, maxConcurrentDelegations: 1 } },
  );
  const [, started = '', ended = ''] = (seen.get('main') ?? []).map(lastResults);
  expect(started.split('\n')).toEqual([
    expect.stringMatching(/^Agent child_1 is (queued|running)\.$/),
    'Agent child_2 is queued.',
    expect.stringContaining('may start 2 other agents, and did'),
  ]);
  expect(ended).toContain('first');
  expect(ended).toContain('second');
});

test('an agent sees the kinds it may start, and a child sees none', async () => {
  const { seen } = await run({
    main: [
      { calls: [['agent_list', { query: 'review' }], ['agent_list', { purpose: 'handoff' }], spawn('one')] },
      { calls: [['wait_agent', {}]] },
      { text: 'ok' },
    ],
    one: [{ calls: [['agent_list', {}]] }, (request) => ({ text: lastResults(request) })],
  });
  const [, listed = '', waited = ''] = (seen.get('main') ?? []).map(lastResults);
  expect(listed).toMatch(
    /^review: Code review, read-only\. At most 12 rounds; changes nothing\.\nNo agent takes over/,
  );
  expect(waited).toContain('This run has no agent.list');
});

test('an agent learns the number and names of the kinds that are not described', async () => {
  const { seen } = await run({
    main: [{ calls: [['agent_list', { limit: 5 }]] }, { text: 'ok' }],
  });
  const listed = lastResults(seen.get('main')?.[1] ?? { messages: [] }).split('\n');
  expect(listed.slice(5)).toEqual(['[2 more, each shown by a query for its name: find, aggman]']);
});

test('a parent learns between turns which children ended or wrote, and a child receives its messages', async () => {
  const ended = gate();
  const { seen } = await run(
    {
      main: [
        { calls: [spawn('one')] },
        async () => {
          await ended.opened;
          return { calls: [['todo_read', {}]] };
        },
        {
          calls: [
            ['receive_messages', {}],
            ['wait_agent', {}],
          ],
        },
        { calls: [['todo_read', {}]] },
        { text: 'ok' },
      ],
      one: [
        { calls: [['send_message', { recipient: 'parent', type: 'question', message: 'Which?' }]] },
        { calls: [['send_message', { recipient: 'child_1', message: 'To myself' }]] },
        { text: 'Done.' },
      ],
    },
    {
      // The child has ended once all that follows its result is through.
      onEntry: ({ type }) => {
        if (type === 'child_run.result') setImmediate(ended.open);
      },
    },
  );
  const [, spawned = '', received = '', got = '', quiet = ''] = (seen.get('main') ?? []).map(lastResults);
  const news = `${spawned}\n${received}`.split('\n').filter((line) => /^Ended|waits/.test(line));
  expect(news.sort()).toEqual([
    '1 message waits for you: receive_messages reads them.',
    'Ended: child_1 (one). agent_await or wait_agent returns their results.',
  ]);
  expect(got).toMatch(/^== 1 · question · from child_1 ==\nWhich\?\n== child_1/);
  expect(quiet).not.toMatch(/Ended|waits/);
  expect(lastResults(seen.get('one')?.[2] ?? { messages: [] })).toMatch(
    /\n1 message waits for you: receive_messages reads them\.$/,
  );
});
