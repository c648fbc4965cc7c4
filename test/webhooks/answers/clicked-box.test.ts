import { expect, test } from 'vitest';
import { clickedBox } from '../../../src/webhooks/answers/read-ticks.ts';

const text = '- [ ] Stop\n- [ ] Retry';
const controls = {
  ...{ version: 1 as const, run_id: 'run_1', comment_id: 6, text },
  boxes: [
    { line: 0, does: 'stop' as const },
    { line: 1, does: 'retry' as const },
  ],
};
const press = (body: string, from = text) => clickedBox(controls, { from, body })?.does ?? null;

test('a click is a change of exactly one control', () => {
  expect([
    press('- [x] Stop\n- [ ] Retry'),
    press('- [ ] Stop\n- [x] Retry'),
    press('- [x] Stop\n- [x] Retry'),
    press(text),
    press('- [x] Halt\n- [ ] Retry'),
    press('- [x] Stop\n- [x] Retry', '- [x] Stop\n- [ ] Retry'),
    press('- [ ] Stop\n- [x] Retry', '- [x] Halt\n- [ ] Retry'),
  ]).toEqual(['stop', 'retry', null, null, null, 'retry', null]);
});
