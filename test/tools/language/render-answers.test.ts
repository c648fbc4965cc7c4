import { expect, test } from 'vitest';
import { answerWithCalls } from '../../../src/tools/language/render-answers.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

const none = async (): Promise<never> => {
  throw new Error('no file is read');
};
const files = { read: none, stat: none } as unknown as Workspace['files'];
const asked = { workspace: { root: '/w', files }, limit: 10, state: { partial: false, said: [] } };

const at = (line: number, character: number) => {
  const start = { line, character };
  return { start, end: { line, character: character + 3 } };
};
const callOf = (fromRanges: ReturnType<typeof at>[]) => ({
  from: { name: 'caller', kind: 12, uri: 'file:///etc/a.toy', selectionRange: at(0, 0) },
  fromRanges,
});

test('calls that a server tells twice are told once, and a hundred and fifty thousand are read at once', async () => {
  const places = Array.from({ length: 150_000 }, (_, line) => at(line, line % 7));
  const { content, data } = await answerWithCalls(
    'f',
    'from',
    [callOf([at(0, 0), ...places, at(7, 0), at(1, 0)])],
    asked,
    null,
  );
  expect(content.split('\n').slice(-2, -1)).toEqual(['  [149996 more calls]']);
  expect(data).toEqual({
    calls: [
      {
        ...{ name: 'caller', path: '/etc/a.toy', line: 0, character: 0 },
        at: [...places, at(1, 0)].map(({ start }) => start),
      },
    ],
    total: 1,
  });
});
