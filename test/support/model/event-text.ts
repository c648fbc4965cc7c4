import type { WireAnswer } from './script.ts';

/** The events of an answer as they stand in the body, one by one. */
export function eventPieces(answer: WireAnswer): string[] {
  return answer.events.map(({ event, data }) => {
    const payload = typeof data === 'string' ? data : JSON.stringify(data);
    return `${event === undefined ? '' : `event: ${event}\n`}data: ${payload}\n\n`;
  });
}
