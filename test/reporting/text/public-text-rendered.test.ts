import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publicLine, publicText } from '../../../src/reporting/text/public-text.ts';
import { hostileMarkdown } from './hostile-markdown.ts';
import { liveInPlain, liveParts, renderGitHub } from './live-parts.ts';

const rounds = Number(process.env.ANODE_FUZZ_ROUNDS ?? 300);
const settings = { numRuns: rounds, seed: 18, interruptAfterTimeLimit: 3_600_000 };

/** What lives in Markdown, and whether the same is done again to it. */
const told = (text: string) => {
  const safe = publicText(text);
  return { live: liveParts(renderGitHub(safe)), again: publicText(safe) === safe };
};

test('leaves nothing active in GitHub’s rendering, and is idempotent', () => {
  fc.assert(
    fc.property(hostileMarkdown, (text) => {
      expect(told(text)).toEqual({ live: [], again: true });
    }),
    settings,
  );
});

test('leaves nothing active where texts are joined, or on our own lines', () => {
  fc.assert(
    fc.property(hostileMarkdown, hostileMarkdown, (first, second) => {
      const parts = [first, second].map((text) => publicText(text.replace(/\s+/gu, ' ').trim()));
      const whole = `**Failed.** ${parts.join(' ')}\n\n- ${parts.join('\n- `x` ')}\n\n${publicText(first)}\n\n${publicText(second)}`;
      expect(liveParts(renderGitHub(whole))).toEqual([]);
    }),
    { ...settings, numRuns: Math.ceil(rounds / 4) },
  );
});

test('leaves nothing active in titles and commit messages', () => {
  fc.assert(
    fc.property(hostileMarkdown, (text) => {
      const safe = publicLine(text);
      expect({ live: liveInPlain(safe), again: publicLine(safe) === safe }).toEqual({
        live: [],
        again: true,
      });
    }),
    settings,
  );
});

test('detects each kind of active text in plain Markdown', () => {
  const kinds = [
    '@ada',
    'fixes #1',
    '[a](//b.test)',
    'https://b.test',
    '![a](//b.test)',
    '/a b',
    '\u202ea',
    '<!-- a -->',
  ];
  expect(kinds.map((text) => liveParts(renderGitHub(text)).length)).toEqual(kinds.map(() => 1));
  expect(liveParts(renderGitHub('`@ada fixes #1 //b` a@b.test #1 [a](b.md) https://github.com/a'))).toEqual(
    [],
  );
  expect(
    ['@ada', 'fixes: GH-1', '[skip ci]', 'Co-authored-by: a'].map((text) => liveInPlain(text).length),
  ).toEqual([1, 1, 1, 1]);
});
