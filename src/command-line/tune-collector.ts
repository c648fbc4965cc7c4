import v8 from 'node:v8';
import type { RunEvent } from '../contract/run-event.ts';

/**
 * Tunes V8's garbage collector for a process of one run; not for a long-lived server. Pass every
 * event of the run to the result.
 *
 * Old objects are collected at once when space runs out, not incrementally. A pause does not matter
 * here, and the increments delayed the end of the run. After the first call the space for new
 * objects does not grow. It would double and never shrink, and each process start copies the page
 * tables of all memory ever written. V8 reads the flags when it collects or grows, so they may be
 * set late.
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
