import type { Verb } from '../../src/contract/verbs.ts';
import type { events } from '../../src/webhooks/triggers/events.ts';

/** A verb that the table does not have. */
export const translate: Verb = {
  aliases: ['localise'],
  on: ['pull_request', 'issue'],
  text: 'optional',
  does: 'reads',
  afterMention: 'alone',
  flags: ['budget'],
  usage: '[words]',
  help: 'translate the texts',
  prompt: 'Translate the texts.',
  profile: 'study',
  push: 'none',
  material: null,
  diffBytes: 1024,
  check: true,
  byLabel: true,
  result: null,
  silent: false,
};

/** An event that the table does not have. */
export const opened: (typeof events)[string] = {
  read: (_event, name) => ({
    kind: 'triage',
    automated: false,
    event: name,
    repository: { owner: 'acme', name: 'shop' },
    thread: { kind: 'issue', number: 4 },
    actor: { login: 'ada', id: 7, type: 'User' },
    text: '',
    note: null,
    comment: null,
    location: null,
    at: '2026-01-01T00:00:00Z',
    head_sha: null,
    installation_id: null,
  }),
};
