import { describeEvent } from '../src/command-line/write-output.ts';
import type { RunEvent } from '../src/contract/run-event.ts';
import type { StepLog } from './step-log.ts';

/**
 * Returns a listener that writes a run to the job's log: its calls by turn, each turn a group, then
 * the answer. `full` adds the output of tools, as the model got it.
 */
export function createRunLog(
  log: Pick<StepLog, 'print' | 'startGroup' | 'endGroup'>,
  full: boolean,
): (event: RunEvent) => void {
  let isOpen = false;
  const close = () => {
    if (isOpen) log.endGroup();
    isOpen = false;
  };
  return (event) => {
    if (event.type === 'turn.started') {
      close();
      log.startGroup(`Turn ${event.turn}`);
      isOpen = true;
    }
    const line = describeEvent(event);
    if (line !== null) log.print(line);
    if (full && event.type === 'tool.result' && event.content !== '') log.print(event.content);
    if (event.type !== 'run.finished') return;
    close();
    if (event.answer !== '') log.print(event.answer);
  };
}
