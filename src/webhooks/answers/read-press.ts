import type { ControlName, Controls } from '../../contract/thread-records.ts';
import type { EditedComment } from '../commands/trigger.ts';
import { readTicks } from './read-ticks.ts';

/** Returns the one control that an edit ticked; null for any other edit. Pure. */
export function clickedControl(controls: Controls, edited: EditedComment): ControlName | null {
  const now = readTicks(controls, edited);
  const [clicked, ...more] = now.kind === 'ticks' ? now.ticked : [];
  return more.length === 0 ? (clicked?.does ?? null) : null;
}
