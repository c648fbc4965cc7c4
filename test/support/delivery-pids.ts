import { readFileSync } from 'node:fs';

/** The processes of an App that work on deliveries, or wait for one. See proc_tid_children(5). */
export function deliveryProcesses(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.filter((one) => commandOf(one).includes('delivery-process')).map(Number);
}

/** The words that a process was started with; nothing once it is gone. */
export function commandOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
