import type { ControlName, Controls } from '../../contract/thread-records.ts';

const words: Record<ControlName, string> = {
  stop: 'Stop this run; what it did so far is told',
  retry: 'Do again what was asked for',
  apply: 'Apply all open suggestions of this run in one commit',
};

/**
 * The comment with the controls of a run under its hidden first line, and where its boxes stand. `said` is Markdown of ours above
 * the boxes: what came of one that was ticked.
 */
export function renderControls(
  marker: string,
  boxes: readonly ControlName[],
  said = '',
): Pick<Controls, 'text' | 'boxes'> {
  const above = said === '' ? [marker] : [marker, ...said.split('\n'), ''];
  const below = ['', '<sub>Tick the box; that takes write permission here.</sub>'];
  const lines = [
    ...above,
    ...boxes.map((does) => `- [ ] ${words[does]}`),
    ...(boxes.length === 0 ? [] : below),
  ];
  return {
    text: lines.join('\n').trimEnd(),
    boxes: boxes.map((does, index) => ({ line: above.length + index, does })),
  };
}
