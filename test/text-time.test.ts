import { expect, test } from 'vitest';
import { renderMarkdown } from '../src/reporting/html/render-markdown.ts';
import { closedMarkdown } from '../src/reporting/text/markdown.ts';
import { readMarkers } from '../src/reporting/text/marker.ts';
import { publicText } from '../src/reporting/text/public-text.ts';
import { neutralisePlain } from '../src/untrusted-text/neutralise.ts';
import { sanitise } from '../src/untrusted-text/sanitise.ts';
import { readCommand } from '../src/webhooks/commands/read-command.ts';
import { nameThreadImages } from '../src/webhooks/plan/thread-images.ts';
import { growsTooFast } from './support/grows-too-fast.ts';
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

test.each(Object.entries(readers))('the time for %s grows at most linearly with the text', (_, read) => {
  // What seems to is measured again, as the machine may be busy.
  const slow = hostileShapes.filter(({ text }) => [1, 2, 3].every(() => growsTooFast(read, text)));
  expect(slow.map(({ name }) => name)).toEqual([]);
});
