import type { ControlName, Controls } from '../../contract/controls.ts';

const words: Record<ControlName, string> = {
  stop: 'Stop this run; what it did so far is told',
  retry: 'Do again what was asked for',
};

/** The comment with the controls of a run under its hidden first line, and where its boxes stand. */
export function renderControls(
  marker: string,
  boxes: readonly ControlName[],
): Pick<Controls, 'text' | 'boxes'> {
  const lines = [
    marker,
    ...boxes.map((does) => `- [ ] ${words[does]}`),
    '',
    '<sub>Tick the box; that takes write permission here.</sub>',
  ];
  return { text: lines.join('\n'), boxes: boxes.map((does, index) => ({ line: index + 1, does })) };
}
