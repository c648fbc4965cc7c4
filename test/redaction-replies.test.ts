import { expect, test } from 'vitest';
import type { IncomingEvent } from '../src/contract/event.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import { objectAt } from '../src/webhooks/triggers/payload-reader.ts';
import { latestEvent } from './support/latest-event.ts';
import {
  attempt,
  entryContext,
  github,
  login,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';

/** The value of a variable of the process. It could be the id of a finding, or a name. */
const secret = '9f3c71d2ab04e86c';
const pull = { head: 'topic', author: 'ada', title: 'Topic' };

startWorkerEdges(() => ({ text: 'Nothing to do.' }));

/** The comment of an event as if it were years old. */
const earlier = ({ payload }: IncomingEvent) => ({
  ...objectAt(payload, 'comment'),
  created_at: '2020-01-01T00:00:00Z',
});

/** What somebody says, where, and what our reply to it begins with once the secret is out. */
interface Request {
  readonly says: string;
  readonly config?: string;
  /** A head that is pushed after the request. */
  readonly pushed?: true;
  readonly reply: string;
}

test.each<[kind: string, request: Request]>([
  [
    'a command that does not exist',
    { says: `/anode ${secret}`, reply: '`/anode [redacted]` is not a command.' },
  ],
  [
    'a flag that does not exist',
    { says: `/anode task --k-${secret} now`, reply: '`--k-[redacted]` is not a flag.' },
  ],
  [
    'the configuration in use',
    { says: '/anode config', config: `model: openai/${secret}\n`, reply: '`openai/[redacted]`' },
  ],
  [
    'a configuration that cannot be used',
    { says: '@anode look', config: `${secret}: 1\n`, reply: 'The configuration cannot be used' },
  ],
  ['what the doctor finds', { says: '/anode doctor', config: `${secret}: 1\n`, reply: '| Configuration |' }],
  [
    'a finding that does not exist',
    { says: `/anode dismiss ${secret}`, reply: 'No finding of this pull request has the id `[redacted]`.' },
  ],
  [
    'a request that is older than the head',
    { says: `/anode task say ${secret}`, pushed: true, reply: 'Run `task say [redacted]`' },
  ],
  [
    'a run that cannot begin',
    { says: '@anode look', config: `model: p${secret}/x\n`, reply: 'There is no provider "p[redacted]"' },
  ],
])('no secret is in the reply to a request for %s', async (kind, { says, config, pushed, reply }) => {
  const name = `acme/${kind.replaceAll(' ', '-')}`;
  const files = config === undefined ? {} : { '.github/anode.yml': config };
  const repository = await github.createRepository(name, { files: { 'a.txt': 'a\n', ...files } });
  repository.setPermission('ada', 'write');
  await repository.commit('topic', { files: { 'a.txt': 'b\n' }, message: 'Change it', author: 'ada' });
  await repository.openPullRequest(pull);
  repository.comment(1, { author: 'ada', body: says });
  const asked = newestComment(`guid-${kind}`);
  if (pushed) {
    await repository.commit('topic', { files: { 'a.txt': 'c\n' }, message: 'Again', author: 'rex' });
    const push = latestEvent(github, 'pull_request', 'synchronize', `guid-push-${kind}`);
    await handleEvent(push, attempt(3), entryContext());
  }
  const event = pushed ? { ...asked, payload: { ...asked.payload, comment: earlier(asked) } } : asked;
  const environment = { ...entryContext().environment, SERVICE_TOKEN: secret };
  await handleEvent(event, attempt(3), entryContext({ canAsk: true, environment }));
  const replies = repository.comments(1).flatMap(({ author, body }) => (author === login ? [body] : []));
  const posted = replies.join('\n').replaceAll('\u2060', '');
  expect({ posted, quotes: posted.includes('[redacted]'), leaks: posted.includes(secret) }).toEqual({
    posted: expect.stringContaining(reply),
    quotes: true,
    leaks: false,
  });
});
