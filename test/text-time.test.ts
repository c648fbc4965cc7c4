import { expect, test } from 'vitest';
import { neutralisePlain } from '../src/permissions/neutralise.ts';
import { sanitise } from '../src/permissions/sanitise.ts';
import { renderMarkdown } from '../src/reporting/html/render-markdown.ts';
import { closedMarkdown } from '../src/reporting/text/markdown.ts';
import { readMarkers } from '../src/reporting/text/marker.ts';
import { publicText } from '../src/reporting/text/public-text.ts';
import { readCommand } from '../src/webhooks/command/read-command.ts';
import { nameThreadImages } from '../src/webhooks/plan/thread-images.ts';
import { hostileShapes } from './support/hostile-shapes.ts';

const waiting = {
  question: 'Which?',
  options: [{ id: 'a', label: 'A' }],
  allow_freeform: true,
  required: false,
  questions: [],
};
const settings = {
  mention: 'anode',
  labels: {},
  accounts: [],
  allowBots: [],
  autoReview: true,
  reviewDrafts: false,
  ownLogins: [],
  waiting,
};

/** Whatever reads, cleans or renders what somebody else wrote. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a command': (text) => readCommand(`/anode review ${text}`, 'pull_request', settings),
  'an answer': (text) => readCommand(`> Which?\n\n${text}`, 'issue', settings),
  sanitise,
  publicText: (text) => publicText(text),
  neutralisePlain,
  renderMarkdown: (text) => renderMarkdown(text, { origins: ['https://github.com'], hosts: [] }, 1e7),
  closedMarkdown,
  readMarkers: (text) => readMarkers(text, 'finding'),
  images: (text) => nameThreadImages('https://github.com', []).mark(text, { kind: 'description' }),
};

/** The least processor time of two runs, in milliseconds. */
function timeOf(work: () => unknown): number {
  const times = [1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...times);
}

/** Too little to be told from the clock's own noise, in milliseconds. */
const noise = 1;
const longest = 16_384;

/**
 * Whether a text of four times the length takes more than nine times as long, from the length on that can be measured, and four times
 * that again. Linear is 4 and quadratic 16; a reader that shows what is long in another way makes a single step.
 */
function growsTooFast(read: (text: string) => unknown, text: (length: number) => string): boolean {
  for (let length = 1_024; length <= longest; length *= 2) {
    const short = text(length);
    const time = timeOf(() => read(short));
    if (time < noise) continue;
    const [long, longer] = [text(4 * length), text(16 * length)];
    const timeOfLong = timeOf(() => read(long));
    return timeOfLong > 9 * time && timeOf(() => read(longer)) > 9 * timeOfLong;
  }
  return false;
}

test.each(Object.entries(readers))('%s: the time grows no faster than the text', (_, read) => {
  // What seems to is measured again, as the machine may be busy.
  const slow = hostileShapes.filter(({ text }) => [1, 2, 3].every(() => growsTooFast(read, text)));
  expect(slow.map(({ name }) => name)).toEqual([]);
});
