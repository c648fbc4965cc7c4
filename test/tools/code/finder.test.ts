import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { finder } from '../../../src/tools/code/finder.ts';
import type { ChildResult } from '../../../src/tools/services/children.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { openTools } from '../tool-harness.ts';

/** Calls with a child that answers, where nothing of the disk is needed. */
async function ask(input: JsonObject, child: Partial<ChildResult> | Error) {
  const requests: unknown[] = [];
  const context = {
    runChild: async (request: unknown) => {
      requests.push(request);
      if (child instanceof Error) throw child;
      return {
        childRunId: 'run_2',
        conclusion: 'success',
        turns: 3,
        answer: 'In a.ts.',
        entries: [],
        ...child,
      };
    },
    workspace: {
      files: {
        relative: () => {
          throw new ToolError('searched', 'The text is searched.');
        },
      },
    },
    repositories: [],
  } as unknown as ToolContext;
  const output = await finder
    .execute(finder.input.parse(input), context, undefined)
    .catch((error: Error) => `${error.name}: ${error.message}`);
  return { output, requests };
}

describe('a question', () => {
  test('goes to a read-only child with the paths to search', async () => {
    const { output, requests } = await ask(
      { mode: 'agent', query: 'q'.repeat(81), path: 'src', glob: '*.ts' },
      {},
    );
    expect(requests).toEqual([
      {
        title: `Find: ${'q'.repeat(80)}`,
        profile: 'find',
        prompt: `${'q'.repeat(81)}\nLook in src.\nFiles: *.ts`,
        timeoutMs: 180_000,
        readOnly: true,
      },
    ]);
    expect(output).toEqual({
      content: 'In a.ts.',
      data: { mode: 'agent', child_run_id: 'run_2', conclusion: 'success', turns: 3, agent_fallback: false },
    });
    expect((await ask({ mode: 'agent', query: 'q' }, {})).requests).toMatchObject([{ prompt: 'q' }]);
  });

  test.each([
    ['without an answer', { answer: '' }],
    ['refused to a child', new ToolError('unavailable', 'no child')],
  ])('is searched for as text: %s', async (_, child) => {
    expect((await ask({ mode: 'agent', query: 'q' }, child)).output).toBe('ToolError: The text is searched.');
  });

  test('does not hide our own errors, and an empty one is refused', async () => {
    expect((await ask({ mode: 'agent', query: 'q' }, new TypeError('ours'))).output).toBe('TypeError: ours');
    expect((await ask({ mode: 'agent' }, {})).requests).toEqual([]);
    expect((await ask({ query: 'q' }, {})).requests).toEqual([]);
  });
});

test('the approval text has the mode, the words and the path', () => {
  const targets = (input: JsonObject) => finder.targets(finder.input.parse(input));
  expect([targets({ query: 'x' }), targets({ mode: 'files', query: 'y', path: 'src' })]).toEqual([
    { what: 'text "x" in .', paths: [{ path: '.', access: 'read' }] },
    { what: 'files "y" in src', paths: [{ path: 'src', access: 'read' }] },
  ]);
});

test('an empty result is reported, unless a note gives the reason', async () => {
  const tools = await openTools({ 'a.txt': 'one\n', '.netrc': 'secret\n' });
  try {
    const [nothing, excluded] = [
      await tools.say('finder', { query: 'two' }),
      await tools.say('finder', { query: 'secret' }),
    ];
    expect([nothing, excluded.includes('Nothing found'), excluded.includes('.netrc')]).toEqual([
      'Nothing found for "two" (text). Try another mode or word.',
      false,
      true,
    ]);
    expect(await tools.say('finder', { query: 'one' })).toBe('a.txt:1:one');
  } finally {
    await tools.close();
  }
});
