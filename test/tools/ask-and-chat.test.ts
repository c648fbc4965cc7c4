import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ChatMessage } from '../../src/contract/thread.ts';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { createMailboxes } from '../../src/tools/services/mailboxes.ts';
import type { ToolContext } from '../../src/tools/tool.ts';

/**
 * The answer of a tool in a context with only these parts; an error counts as its kind and message.
 */
async function call(name: string, input: JsonObject, context: object) {
  const tool = builtinTools.find((one) => one.name === name);
  const read = tool?.input.safeParse(input);
  if (tool === undefined || read?.success !== true)
    return `refused: ${read?.error?.issues[0]?.path.join('.')}`;
  try {
    return await tool.execute(read.data, context as ToolContext, undefined);
  } catch (error) {
    const { kind, message } = error as { kind?: string; message: string };
    return `${kind}: ${message}`;
  }
}

describe('a question', () => {
  /** The question as it is put to people. */
  async function requested(input: JsonObject): Promise<unknown> {
    let put: unknown;
    const ask = async (question: unknown) => {
      put = question;
      return 'a';
    };
    const output = await call('ask_user', input, { ask });
    return typeof output === 'string' ? output : put;
  }
  const plain = { question: 'Q', options: [], allow_freeform: true, required: false, questions: [] };
  const ab = [
    { id: 'a', label: 'One Thing' },
    { id: 'b', label: 'Other' },
  ];

  test('stores the given fields and no others', async () => {
    expect([
      await requested({ question: 'Q' }),
      await requested({ question: 'Q', reason: 'R', topic: ' My  Topic ', required: true, multiple: true }),
      await requested({ question: 'Q', header: 'H', multiSelect: 'true', options: ['a'] }),
      await requested({ question: 'Q', multi_select: true, topic: 'T', header: 'H' }),
      await requested({ question: 'Q', options: ['a'], allow_freeform: true }),
      await requested({ question: 'Q', questions: ['R', { question: 'S', header: 'X' }] }),
    ]).toEqual([
      plain,
      { ...plain, reason: 'R', topic: 'my-topic', required: true, multiple: true },
      { ...plain, topic: 'h', multiple: true, options: [{ id: 'a', label: 'a' }], allow_freeform: false },
      { ...plain, topic: 't', multiple: true },
      { ...plain, options: [{ id: 'a', label: 'a' }] },
      {
        ...plain,
        questions: [
          { question: 'R', options: [], allow_freeform: true, required: false },
          { question: 'S', options: [], allow_freeform: true, required: false, topic: 'x' },
        ],
      },
    ]);
  });

  test('accepts a default by the id, label or number of an option', async () => {
    const preset = async (given: string) =>
      ((await requested({ question: 'Q', options: ab, default: given })) as { default?: string }).default;
    expect([await preset('b'), await preset(' OTHER '), await preset('1'), await preset('A')]).toEqual([
      'b',
      'b',
      'a',
      'a',
    ]);
    expect([
      await requested({ question: 'Q', options: ab, default: '3' }),
      await requested({ question: 'Q', default: 'x' }),
    ]).toEqual([
      'invalid_input: The default "3" is none of the options: a, b.',
      'invalid_input: The default "x" is none of the options: there are none.',
    ]);
  });

  test('gives each option its own id and has at most three follow-up questions', async () => {
    const clash = 'invalid_input: Two options of one question have the id "a". Give each its own.';
    const first = { question: 'Q' };
    expect([
      await requested({ question: 'Q', options: ['A', { id: 'a', label: 'x' }] }),
      await requested({ questions: [first, { question: 'R', options: ['A', 'a'] }] }),
      await requested({ question: 'Q', questions: [first, first, first, first] }),
      await requested({ questions: [7] }),
      await requested({ questions: 'x' }),
    ]).toEqual([clash, clash, 'refused: questions', 'refused: question', 'refused: question']);
  });
});

test('calls of a batch are recognised in the formats of other agents and answered one by one', async () => {
  const made: unknown[] = [];
  const runCalls = async (calls: readonly unknown[]) => {
    made.push(...calls);
    return calls.map((_, index) => ({
      is_error: index === 1,
      content: [{ type: 'text', text: `r${index}` }],
    }));
  };
  const calls = [
    { tool: 'read', args: { path: 'a' } },
    { recipient_name: 'functions.grep', parameters: { pattern: 'x' } },
    { name: 'glob', arguments: '{"pattern": "*"}' },
    { name: 'todo_read', input: { a: 1 } },
    { tool: 'list' },
  ];
  const output = await call('batch', { calls }, { runCalls });
  const tools = ['read', 'grep', 'glob', 'todo_read', 'list'];
  expect([made, output]).toEqual([
    [
      { tool: 'read', input: { path: 'a' } },
      { tool: 'grep', input: { pattern: 'x' } },
      { tool: 'glob', input: '{"pattern": "*"}' },
      { tool: 'todo_read', input: { a: 1 } },
      { tool: 'list', input: {} },
    ],
    {
      content: tools.flatMap((tool, index) => [
        { type: 'text', text: `===== ${index + 1}. ${tool}${index === 1 ? ' [error]' : ''} =====` },
        { type: 'text', text: `r${index}` },
      ]),
      data: { results: tools.map((tool, index) => ({ tool, ok: index !== 1 })) },
    },
  ]);
  expect([await call('batch', { calls: [] }, {}), await call('batch', { calls: [7] }, {})]).toEqual([
    'refused: calls',
    'refused: calls.0',
  ]);
});

test('a handoff returns its path and waits in a mailbox for an agent', async () => {
  const given = async (input: JsonObject, state: object = {}) => {
    const entries: unknown[] = [];
    const mailboxes = createMailboxes();
    const context = { record: (entry: unknown) => entries.push(entry), mailboxes, state };
    const output = await call('handoff', { summary: 's', ...input }, context);
    const target = String(input.target);
    return [output, entries, mailboxes.take(target, { reader: 'x', peek: true })] as const;
  };
  const lists = {
    completed: [],
    open_questions: [],
    recommended_next_steps: [],
    artifacts: [],
    relevant_files: [],
  };
  const full = { target: 'aggman', summary: 's', ...lists, follow: true, reason: 'r', goal: 'g' };
  expect(
    await given({ target: 'aggman', reason: 'r', goal: 'g', follow: true }, { name: 'child_1' }),
  ).toEqual([
    {
      content: 'Handoff recorded. It waits in the mailbox aggman, which ends with this run.',
      data: { handoff: full },
    },
    [{ type: 'handoff', handoff: full }],
    [
      {
        ...{ id: 1, recipient: 'aggman', type: 'result', from: 'child_1', sender: 'child_1', message: 's' },
        metadata: full,
      },
    ],
  ]);
  const reported = async (input: JsonObject) => ((await given(input))[0] as { content: string }).content;
  const report = 'Handoff recorded. It is in the report; a run on GitHub opens an issue when it ends.';
  expect([
    await reported({}),
    await reported({ target: 'next_thread' }),
    await reported({ target: 'parent' }),
  ]).toEqual([
    report,
    report,
    'Handoff recorded. It waits in the mailbox parent, which ends with this run, and stands in the report.',
  ]);
});

const message = (index: number, text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  ...{ index, text, role: 'user', author: 'rex', kind: 'comment', at: '' },
  ...more,
});
const fence = (index: number, text: string, part = '') =>
  `<untrusted index="${index}" role="user" kind="comment" author="rex"${part === '' ? '' : ` part="${part}"`}>\n${text}\n</untrusted>`;

describe('the chat', () => {
  const search = async (chat: readonly ChatMessage[], input: JsonObject) =>
    (await call('chat.search', input, { chat })) as { content: string; data: { hits: { index: number }[] } };
  const read = async (chat: readonly ChatMessage[], ...messages: JsonObject[]) => {
    const output = await call('chat.read_messages', { messages }, { chat });
    return typeof output === 'string' ? output : (output.content as string);
  };

  test('displays 150 characters before and after a match', async () => {
    const text = (before: number, after: number) => `${'b'.repeat(before)}needle${'a'.repeat(after)}`;
    const displayed = async (before: number, after: number) =>
      (await search([message(0, text(before, after))], { query: 'NEEDLE' })).content;
    expect([await displayed(150, 144), await displayed(151, 145)]).toEqual([
      fence(0, text(150, 144)),
      fence(0, `…${text(150, 144)}…`),
    ]);
  });

  test('is searched in the requested messages, and the newest are displayed', async () => {
    const chat = Array.from({ length: 25 }, (_, index) =>
      message(index, 'x', { role: index === 3 ? 'system' : 'user' }),
    );
    const indexes = async (input: JsonObject) =>
      (await search(chat, { query: 'x', ...input })).data.hits.map((hit) => hit.index);
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    expect([
      await indexes({}),
      await indexes({ limit: 50 }),
      await indexes({ role: 'system' }),
      await indexes({ start_message: 22 }),
      await indexes({ end_message: 2 }),
      await indexes({ scan_limit: 3 }),
      await indexes({ start_message: 2, end_message: 2 }),
    ]).toEqual([range(5, 24), range(0, 24), [3], [22, 23, 24], [0, 1, 2], [22, 23, 24], [2]]);
    expect((await search(chat, { query: 'x', limit: 24 })).content.split('\n').at(-1)).toBe(
      '[1 older messages have it too; set end_message or limit]',
    );
    expect(await call('chat.search', { query: 'x', limit: 51 }, { chat })).toBe('refused: limit');
  });

  test('is read up to 8,000 characters of a message and 20,000 in total', async () => {
    const chat = [message(0, 'x'.repeat(8_000)), message(1, ''), message(2, 'y'.repeat(4_000))];
    expect([
      await read(chat, { index: 0 }, { index: 0 }, { index: 2 }).then((text) => text.length > 20_000),
      await read(chat, { index: 0 }, { index: 0 }, { index: 2 }, { index: 0, max_chars: 1 }),
      await read(chat, { index: 1 }),
      await read(chat, { index: 1, start_char: 0 }),
      await read(chat, { index: 2, start_char: 3_999 }),
      await read(chat, { index: 2, start_char: 4_000 }),
      await read(chat, { index: 2, max_chars: 4_000 }),
      await read(chat, { index: 2, max_chars: 1 }),
      await read(chat, { index: 3 }),
      await read([message(0, 'a'), message(1, 'b')], { index: 5 }),
      await read([message(0, 'a'), message(7, 'b')], { index: 5 }),
    ]).toEqual([
      true,
      'too_large: These messages have 20001 characters, and one call gives at most 20000. Ask for fewer, or less of each with max_chars.',
      fence(1, ''),
      fence(1, ''),
      fence(2, 'y', 'characters 3999-4000 of 4000'),
      'invalid_input: Message 2 has only 4000 characters; start_char 4000 is past its end.',
      fence(2, 'y'.repeat(4_000)),
      fence(2, 'y', 'characters 0-1 of 4000'),
      'not_found: There is no message 3. There are 0 to 2.',
      'not_found: There is no message 5. There are 0 to 1.',
      'not_found: There is no message 5. There are 0 and 7 to 7; older ones are too much to keep.',
    ]);
    const output = await call(
      'chat.read_messages',
      { messages: [{ index: 2, start_char: 1, max_chars: 2 }] },
      { chat },
    );
    expect((output as { data: unknown }).data).toEqual({
      messages: [{ index: 2, role: 'user', author: 'rex', start_char: 1, end_char: 3 }],
    });
  });
});

test('instructions are read up to 8,000 characters each and 20,000 in total', async () => {
  const activated = [
    { ref: 'a', applies: 'x', text: 'a'.repeat(8_000) },
    { ref: 'b', applies: 'y', text: 'b'.repeat(4_000) },
    { ref: 'c', applies: 'z', text: 'c'.repeat(8_001) },
  ];
  const read = (entries: JsonObject[], all = activated) =>
    call('worldinfo.read_activated', { entries }, { instructions: { activated: all } });
  expect([
    ((await read([{ ref: 'a' }, { ref: 'a' }, { ref: 'b' }])) as { content: string }).content.length > 20_000,
    await read([{ ref: 'a' }, { ref: 'a' }, { ref: 'b' }, { ref: 'b', max_chars: 1 }]),
    await read([{ ref: 'b', start_char: 3_998, max_chars: 1 }]),
    await read([{ ref: 'c' }]),
    ((await read([{ ref: 'c', start_char: 0 }])) as { data: unknown }).data,
    await read([{ ref: 'x' }], []),
    await read([], []),
    await read([{ ref: 'a', max_chars: 8_001 }]),
  ]).toEqual([
    true,
    'invalid_input: These are 20001 characters, and a call gives at most 20000: ask for fewer entries, or less of each.',
    {
      content:
        '===== b (for y) =====\nb\n[characters 3998-3999 of 4000; cut by max_chars, continue with start_char 3999]',
      data: { entries: [{ ref: 'b', start_char: 3_998, end_char: 3_999, total_chars: 4_000 }] },
    },
    'invalid_input: c has 8001 characters, and at most 8000 are read at once: give start_char and max_chars.',
    { entries: [{ ref: 'c', start_char: 0, end_char: 8_000, total_chars: 8_001 }] },
    'not_found: No instructions "x" hold in this run. There are: none.',
    { content: 'No instructions of the repository apply so far.', data: { entries: [] } },
    'refused: entries.0.max_chars',
  ]);
});

test('the context reports its share and whether it is full', async () => {
  const size = (used: number, full: number | null) => ({
    window: 300,
    used,
    full,
    recent: 20,
    older: used - 20,
  });
  const port = (used: number, full: number | null = null) => ({
    conversation: { size: () => size(used, full), left: () => ['1 turn'], compact: () => undefined },
  });
  const older = async (used: number) => {
    const output = await call('compact', {}, port(used));
    return typeof output === 'string' ? output : 'done';
  };
  expect([
    await call('get_context_remaining', {}, port(301)),
    ((await call('get_context_remaining', {}, port(100, 250))) as { content: string }).content,
    await older(1_020),
    await older(1_019),
  ]).toEqual([
    {
      content:
        '301 of 300 tokens used (100 %), 0 left. When it is full, the results of the oldest calls make room.\nLeft of this run: 1 turn.',
      data: { window: 300, used: 301, remaining: 0, full: null, recent: 20, limits: ['1 turn'] },
    },
    '100 of 300 tokens used (33 %), 200 left. Above 250 tokens the turns before the newest 20 tokens are summarised.\nLeft of this run: 1 turn.',
    'done',
    'nothing_to_do: The conversation has 1019 tokens, but only 999 of them are older turns: the newest 20, and each turn that reaches into them, stay as they are. There is nothing to gain yet. Go on.',
  ]);
});

describe('tool search', () => {
  const advert = (name: string, description = '', properties: object = {}) => ({
    ...{ name, description, input_schema: { type: 'object', properties } },
  });
  const found = async (query: string, ...adverts: ReturnType<typeof advert>[]) => {
    const context = { deferredTools: async () => adverts, namedTools: async () => [] };
    const output = await call('tool_search', { query, limit: 50 }, context);
    return (output as unknown as { data: { tools: string[] } }).data.tools;
  };

  test('ranks words in a name above those in descriptions and fields', async () => {
    const all = [
      advert('alpha_beta', 'Gamma delta'),
      advert('other', 'alpha beta'),
      advert('third', '', { alpha: {} }),
      advert('fourth', 'nothing'),
    ];
    expect([
      await found('alpha', ...all),
      await found('gamma', ...all),
      await found('alphas', ...all),
      await found('alp', ...all),
      await found('alph', ...all),
      await found('be', ...all),
      await found('alpha.beta', ...all),
      await found('alpha_none', ...all),
      await found('gamma_none', ...all),
      await found('select:other', ...all),
      await found('select:nothing', ...all),
      await found('other, fourth', ...all),
      await found('other, alpha', ...all),
    ]).toEqual([
      ['alpha_beta'],
      ['alpha_beta'],
      ['alpha_beta'],
      [],
      ['alpha_beta'],
      [],
      ['alpha_beta'],
      ['alpha_beta'],
      [],
      ['other'],
      ['fourth'],
      ['other', 'fourth'],
      ['other', 'alpha_beta'],
    ]);
  });

  test('returns tools that match more than half as well as the best', async () => {
    const all = [
      advert('one', 'aaa bbb ccc ddd'),
      advert('two', 'aaa bbb ccc'),
      advert('three', 'aaa bbb'),
      advert('four', 'aaa'),
    ];
    expect([await found('aaa bbb ccc ddd', ...all), await found('aaa bbb', ...all)]).toEqual([
      ['one', 'two'],
      ['one', 'two', 'three'],
    ]);
  });
});
