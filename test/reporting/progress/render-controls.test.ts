import { expect, test } from 'vitest';
import { renderControls } from '../../../src/reporting/progress/render-boxes.ts';

const hint = '<sub>Tick the box; that takes write permission here.</sub>';
const stop = '- [ ] Stop this run; its work so far is reported';
const retry = '- [ ] Run the last request again';

test('returns the line of each box, below the text', () => {
  expect([
    renderControls('<!-- m -->', ['stop']),
    renderControls('<!-- m -->', ['retry', 'stop'], 'Done.\n\nMore.'),
    renderControls('<!-- m -->', [], 'Done.'),
    renderControls('<!-- m -->', []),
  ]).toEqual([
    { text: `<!-- m -->\n${stop}\n\n${hint}`, boxes: [{ line: 1, does: 'stop' }] },
    {
      text: `<!-- m -->\nDone.\n\nMore.\n\n${retry}\n${stop}\n\n${hint}`,
      boxes: [
        { line: 5, does: 'retry' },
        { line: 6, does: 'stop' },
      ],
    },
    { text: '<!-- m -->\nDone.', boxes: [] },
    { text: '<!-- m -->', boxes: [] },
  ]);
});
