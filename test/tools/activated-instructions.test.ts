import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTools, type ToolHarness } from './tool-harness.ts';

const long = 'x'.repeat(9_000);
let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(
    { 'AGENTS.md': 'What it says now.' },
    {
      instructions: [
        { ref: 'AGENTS.md', applies: 'this repository', text: 'Be brief.' },
        { ref: 'api/AGENTS.md', applies: 'api/', text: long },
      ],
    },
  );
});
afterAll(() => tools.close());

const read = (...entries: { ref: string; start_char?: number; max_chars?: number }[]) =>
  tools.say('worldinfo.read_activated', entries.length === 0 ? {} : { entries });

test('without entries the tool returns an index without text', async () => {
  expect(await tools.call('worldinfo.read_activated', {})).toEqual({
    content: 'AGENTS.md: for this repository, 9 characters\napi/AGENTS.md: for api/, 9000 characters',
    data: {
      entries: [
        { ref: 'AGENTS.md', applies: 'this repository', total_chars: 9 },
        { ref: 'api/AGENTS.md', applies: 'api/', total_chars: 9_000 },
      ],
    },
  });
});

test('entries keep the text they had when they became active, whole or in part', async () => {
  expect(await read({ ref: 'AGENTS.md' }, { ref: 'api/AGENTS.md', start_char: 8_996 })).toBe(
    '===== AGENTS.md (for this repository) =====\nBe brief.\n\n===== api/AGENTS.md (for api/) =====\nxxxx\n[characters 8996-9000 of 9000]',
  );
});

test('too many or missing entries give an error with a remedy', async () => {
  const third = { ref: 'api/AGENTS.md', start_char: 0, max_chars: 8_000 };
  expect([
    await read({ ref: 'api/AGENTS.md' }),
    await read({ ref: 'web/AGENTS.md' }),
    await read(third, third, third),
    await read({ ref: 'AGENTS.md', start_char: 10 }),
  ]).toEqual([
    'invalid_input: api/AGENTS.md has 9000 characters, and at most 8000 are read at once: give start_char and max_chars.',
    'not_found: No instructions "web/AGENTS.md" hold in this run. There are: AGENTS.md, api/AGENTS.md.',
    'invalid_input: These are 24000 characters, and a call gives at most 20000: ask for fewer entries, or less of each.',
    'invalid_input: AGENTS.md has only 9 characters; the start lies past its end.',
  ]);
  expect(await read(...Array.from({ length: 21 }, () => ({ ref: 'AGENTS.md' })))).toMatch(/^invalid_input: /);
});
