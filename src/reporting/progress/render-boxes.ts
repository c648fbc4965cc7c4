import type { ControlName, Controls } from '../../contract/thread-records.ts';

const labels: Record<ControlName, string> = {
  stop: 'Stop this run; its work so far is reported',
  retry: 'Run the last request again',
  apply: 'Apply all open suggestions of this run in one commit',
};

/** The line below boxes. */
export const boxHint = '<sub>Tick the box; that takes write permission here.</sub>';

/** Renders an empty box. `of` selects whose suggestions are applied: one run's or all runs'. */
export function renderBox(does: ControlName, of: 'run' | 'all' = 'run'): string {
  const label = labels[does];
  return `- [ ] ${of === 'all' ? label.replace(' of this run', '') : label}`;
}

/**
 * Renders the controls comment and the lines of its boxes. `text` is our own Markdown above the
 * boxes: the result of a ticked one.
 */
export function renderControls(
  marker: string,
  boxes: readonly ControlName[],
  text = '',
): Pick<Controls, 'text' | 'boxes'> {
  const above = text === '' ? [marker] : [marker, ...text.split('\n'), ''];
  const lines = [
    ...above,
    ...boxes.map((does) => renderBox(does)),
    ...(boxes.length === 0 ? [] : ['', boxHint]),
  ];
  return {
    text: lines.join('\n').trimEnd(),
    boxes: boxes.map((does, index) => ({ line: above.length + index, does })),
  };
}
