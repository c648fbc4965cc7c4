import v8 from 'node:v8';
import type { RunEvent } from '../contract/run-event.ts';

/**
 * Suits V8's garbage collector to a process that ends with its run; not for a long-lived server. What it is handed must be every event
 * of the run.
 *
 * Old objects are collected when space runs out, all at once, and not step by step ahead of that: nobody waits for an answer within
 * milliseconds here, and of a run of minutes the steps fell into its end. From the first call on the space for new objects keeps its
 * size: it would double again, and never shrink, and the start of each command copies the page tables of all memory that was ever
 * written. The flags are read whenever V8 would collect or grow, so they may be set late.
 */
export function tuneCollector(): (event: RunEvent) => void {
  v8.setFlagsFromString('--no-incremental-marking');
  let called = false;
  return ({ type }) => {
    if (called || type !== 'tool.call') return;
    called = true;
    v8.setFlagsFromString('--semi-space-growth-factor=1');
  };
}
