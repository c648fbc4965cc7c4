import { describe, expect, it } from 'vitest';
import { contextBudget } from '../../../src/agent/context/context-size.ts';
import { fitImages, pruneImages } from '../../../src/agent/context/shorten-messages.ts';
import type { ModelRequest } from '../../../src/agent/models/model.ts';
import { imagesIn } from '../../../src/agent/models/replace-images.ts';
import { contextBounds } from '../../../src/config/defaults.ts';
import type { ImagePart, Message } from '../../../src/contract/message.ts';
import { entries, freshLedgers, run } from '../loop-fixture.ts';

/** The tokens that a conversation has, and the budget of a window of that size. */
const held = (tokens: number, window: number) => ({
  tokens,
  budget: contextBudget(window, contextBounds({})),
});
const words = '[image removed to save space; view it again if needed]';
const image = (data: string): ImagePart => ({ type: 'image', media_type: 'image/png', data });
const text = (content: string) => ({ type: 'text' as const, text: content });

/** One turn that viewed images: the call, and the result with its images. */
function looked(id: string, images: readonly string[], reply = ''): Message[] {
  return [
    { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'view_image', input: { path: id } }] },
    {
      role: 'user',
      parts: [
        {
          type: 'tool_result',
          call_id: id,
          content: [text(id + reply), ...images.map(image)],
          is_error: false,
        },
      ],
    },
  ];
}
const task: Message = { role: 'user', parts: [text('the task')] };
const left = (messages: readonly Message[] | undefined) => imagesIn(messages ?? []).map(({ data }) => data);

describe('pruneImages', () => {
  it('leaves a conversation with enough space unchanged', () => {
    const messages = [task, ...looked('a', ['1']), ...looked('b', ['2'])];
    expect(pruneImages(messages, held(150_000, 200_000))).toBeNull();
    expect(pruneImages([task], held(9, 10))).toBeNull();
  });

  it('removes as many of the oldest images as necessary and changes nothing before them', () => {
    const messages = [task, ...looked('a', ['1']), ...looked('b', ['2']), ...looked('c', ['3', '4'])];
    const pruned = pruneImages(messages, held(17_201, 20_000));
    expect(pruned?.removed).toBe(2);
    expect(pruned?.messages[2]).toEqual({
      role: 'user',
      parts: [{ type: 'tool_result', call_id: 'a', content: [text('a'), text(words)], is_error: false }],
    });
    expect(left(pruned?.messages)).toEqual(['3', '4']);
    expect(pruned?.messages.map((message, index) => message === messages[index])).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it('keeps images that the model has not answered yet, even if space is short', () => {
    const messages = [task, ...looked('a', ['1']), ...looked('b', ['2', '3'])];
    expect(left(pruneImages(messages, held(5_000, 1_000))?.messages)).toEqual(['2', '3']);
    expect(pruneImages(messages.slice(0, 3), held(5_000, 1_000))).toBeNull();
  });

  it("halves the number over a request's limit, including new images, but never removes the newest", () => {
    const many = Array.from({ length: 21 }, (_, index) => String(index));
    const roomy = held(100_000, 1_000_000);
    expect(pruneImages([task, ...looked('a', many.slice(1))], roomy)).toBeNull();
    expect(left(pruneImages([task, ...looked('a', many)], roomy)?.messages)).toEqual(many.slice(11));
    const large = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(5_600_000));
    expect(left(pruneImages([task, ...looked('a', large)], roomy)?.messages)).toEqual(large.slice(3));
    const huge = ['x'.repeat(30_000_000)];
    expect(pruneImages([task, ...looked('a', huge)], roomy)).toBeNull();
  });
});

describe('fitImages', () => {
  it('keeps the newest images of one turn, and a turn within the limit unchanged', () => {
    const many = Array.from({ length: 21 }, (_, index) => String(index));
    const results = many
      .flatMap((id) => looked(id, [id]))
      .flatMap(({ role, parts }) => (role === 'user' ? parts : []));
    const fitted = fitImages({ role: 'user', parts: results });
    expect(left([fitted])).toEqual(many.slice(11));
    expect(fitted.parts[10]).toEqual({
      type: 'tool_result',
      call_id: '10',
      content: [text('10'), text(words)],
      is_error: false,
    });
    expect(fitImages(fitted)).toBe(fitted);
  });
});

describe('the loop', () => {
  freshLedgers();

  it('makes space before a request, once, and records it', async () => {
    const seen: ModelRequest[] = [];
    const messages = [task, ...looked('a', ['1'], 'x'.repeat(332_000)), ...looked('b', ['2'])];
    const result = await run([{ calls: [{ name: 'read' }] }, { text: 'done' }], { seen, messages });
    expect(seen.map((request) => left(request.messages))).toEqual([['2'], ['2']]);
    expect(left(result.messages)).toEqual(['2']);
    expect(entries('compaction')).toEqual([
      {
        type: 'compaction',
        before_tokens: 86_211,
        after_tokens: 84_624,
        note: 'Old images that words replaced: 1.',
      },
    ]);
  });
});
