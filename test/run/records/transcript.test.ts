import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import type { Message } from '../../../src/contract/message.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { createTranscript, cutWithRemainder } from '../../../src/run/records/transcript.ts';

const say = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

function wordsOf(...entries: readonly (Message | RunEntry)[]) {
  const received = createTranscript();
  for (const entry of entries) received.add('type' in entry ? entry : { type: 'message', message: entry });
  return received.messages();
}

const compaction = (kept?: string): RunEntry => ({
  ...{ type: 'compaction', before_tokens: 9, after_tokens: 1, note: 'Shorter.' },
  ...(kept === undefined ? {} : { kept }),
});

test('a conversation is stored as texts, calls and results, each cut', () => {
  expect(
    wordsOf(
      say('the task'),
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', id: 'c1', name: 'read', input: { path: 'a.ts' } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool_result',
            call_id: 'c1',
            content: [
              { type: 'text', text: 'x'.repeat(1_500) },
              { type: 'image', media_type: 'image/png', data: '' },
            ],
            is_error: false,
          },
          { type: 'text', text: 'One turn is left.' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'y'.repeat(4_001) }] },
    ),
  ).toEqual([
    { role: 'user', text: 'the task' },
    { role: 'assistant', text: 'I look.\n[read {"path":"a.ts"}]' },
    { role: 'tool', text: `${'x'.repeat(1_000)}… [508 more]` },
    { role: 'user', text: 'One turn is left.' },
    { role: 'assistant', text: `${'y'.repeat(4_000)}… [1 more]` },
  ]);
});

test('a compacted conversation is stored in its original form', () => {
  const reply = [say('the task'), say('looked'), compaction('1 message was summarised'), say('done')];
  expect(wordsOf(...reply).map(({ text }) => text)).toEqual(['the task', 'looked', 'done']);
});

test('a long conversation keeps its beginning, its end, and a summary of the middle if there is one', () => {
  const long = Array.from({ length: 60 }, (_, index) => say(`${index} ${'y'.repeat(3_990)}`));
  const numbers = (words: ReturnType<typeof wordsOf>) =>
    words.map(({ text }) => (text.includes(' y') ? Number(text.split(' ')[0]) : text));
  const from = (first: number) => Array.from({ length: 60 - first }, (_, index) => index + first);
  expect(numbers(wordsOf(...long))).toEqual([0, ...from(24)]);
  const summarised = [...long.slice(0, 30), compaction('old'), ...long.slice(30), compaction()];
  expect(numbers(wordsOf(...summarised))).toEqual([0, 'old', ...from(24)]);
  const atLength = [...long, compaction('z'.repeat(5_000))];
  expect(numbers(wordsOf(...atLength))).toEqual([0, `${'z'.repeat(4_000)}… [1000 more]`, ...from(25)]);
});

test('a run without messages has no transcript', () => {
  expect(wordsOf(compaction('old'))).toEqual([]);
});

test('the stored parts of long texts do not keep the texts in memory', () => {
  v8.setFlagsFromString('--expose-gc');
  const collect: () => void = vm.runInNewContext('gc');
  const receivedText = createTranscript();
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  for (let turn = 0; turn < 30; turn += 1)
    receivedText.add({
      type: 'message',
      message: say(Buffer.alloc(1_000_000, `${turn} `).toString('latin1')),
    });
  expect(held() - before).toBeLessThan(5_000_000);
  expect(receivedText.messages()).toHaveLength(30);
});

test('a text cut inside a surrogate pair is well-formed', () => {
  expect(cutWithRemainder('ab😀', 3)).toBe('ab\ufffd… [1 more]');
});
