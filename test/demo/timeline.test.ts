import { expect, test } from 'vitest';
import { brokenAt, createTimeline } from '../../demo/timeline.ts';

/** The output of a timeline for a scene, without the seconds. */
function written(columns: number | null, colours: boolean): string {
  const parts: string[] = [];
  const timeline = createTimeline({ write: (text) => void parts.push(text), columns, colours }, 2);
  timeline.scene('A pull request is opened, and the App reviews all of it');
  timeline.say(
    'ada',
    'opens the pull request that the whole scene is about',
    'first\n  - one two three four five six seven\nthird',
  );
  timeline.missing('a review');
  return parts.join('').replaceAll(/\d+\.\d s/g, '0.0 s');
}

test('on a terminal lines are broken between words, and stay to the right of their bar', () => {
  expect(written(40, false)).toBe(
    [
      '',
      '── A pull request is opened, and the App',
      '   reviews all of it',
      '  0.0 s  ada: opens the pull request',
      '         that the whole scene is about',
      '         │ first',
      '         │   - one two three four five',
      '         │   six seven',
      '         │ … 1 more lines',
      '         ✗ a review',
      '',
    ].join('\n'),
  );
});

test('a file or a pipe gets whole lines without colours, a terminal the same text with them', () => {
  const plain = written(null, false);
  expect(plain.split('\n')[2]).toBe('  0.0 s  ada: opens the pull request that the whole scene is about');
  expect(plain).not.toContain('\u001b');
  const painted = written(null, true);
  expect(painted).toContain('\u001b[1mada\u001b[22m: opens');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what begins a colour
  expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
});

test('a word longer than the line stays whole', () => {
  expect(brokenAt('see http://127.0.0.1:4000/runs/run_1/report now', 20)).toEqual([
    'see',
    'http://127.0.0.1:4000/runs/run_1/report',
    'now',
  ]);
});
