import type { WireAnswer } from './script.ts';

/** All events of an answer as they stand in the body. */
export function eventText(answer: WireAnswer): string {
  return answer.events
    .map(({ event, data }) => {
      const payload = typeof data === 'string' ? data : JSON.stringify(data);
      return `${event === undefined ? '' : `event: ${event}\n`}data: ${payload}\n\n`;
    })
    .join('');
}
