import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { agentFailure, type NamedAgent, openAgents } from '../../../src/extensions/a2a/open-agents.ts';
import { type FailureKind, RequestFailure } from '../../../src/network/request-failure.ts';

const card = {
  ...{ name: 'A', description: '', version: '1', capabilities: {}, skills: [], securitySchemes: {} },
  ...{ defaultInputModes: ['text'], defaultOutputModes: ['text'] },
  supportedInterfaces: [
    { url: 'https://a.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  ],
};
const wellKnown = '.well-known/agent-card.json';
const agent = (name: string, url: string, more: Partial<NamedAgent> = {}): NamedAgent => ({
  ...{ name, url, headers: {}, problem: null, ...more },
});
type Answer = { readonly status?: number; readonly body?: unknown } | Error;

/** The agents of a run whose hosts answer by their URL, and what these were asked. */
function play(
  answers: Readonly<Record<string, Answer | readonly Answer[]>>,
  agents: NamedAgent[],
  allow: string[] = [],
) {
  const asked: [url: string, headers: Record<string, string>][] = [];
  const counts = new Map<string, number>();
  const fetch = async (
    input: Parameters<typeof globalThis.fetch>[0],
    init?: RequestInit,
  ): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const own = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    asked.push([url, Object.fromEntries(own)]);
    init?.signal?.throwIfAborted();
    const given = answers[url] ?? { status: 404, body: 'nothing' };
    const row = Array.isArray(given) ? given : [given];
    const count = counts.get(url) ?? 0;
    counts.set(url, count + 1);
    const answer = row[Math.min(count, row.length - 1)] as Answer;
    if (answer instanceof Error) throw answer;
    const { status = 200, body } = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
  const run = openAgents({ agents, allow, fetch, holdsSecret: (text) => text === 'secret' });
  const open = async (called: string, signal = new AbortController().signal) => {
    try {
      return (await run.open(called, signal)).called;
    } catch (error) {
      const { kind, message } = error as ToolError;
      return `${kind}: ${message}`;
    }
  };
  return { run, open, asked, places: () => asked.map(([url]) => url) };
}

describe('the agents of a run', () => {
  it('have configured names, or URLs of permitted hosts', () => {
    const { run } = play({}, [agent('a', 'https://a.test/'), agent('b', 'https://b.test/')], ['c.test']);
    expect([
      run.names,
      run.hosts,
      ['a', 'b', 'https://c.test/x'].map((one) => run.urlOf(one)),
      [run.holdsSecret('secret'), run.holdsSecret('plain')],
    ]).toEqual([
      ['a', 'b'],
      ['c.test'],
      ['https://a.test/', 'https://b.test/', 'https://c.test/x'],
      [true, false],
    ]);
  });

  it('are listed if the requested one is unknown', async () => {
    const none = play({}, []);
    const some = play({}, [agent('a', 'https://a.test/'), agent('b', 'b')], ['c.test', 'd.test']);
    const there = 'There are a, b; agents of c.test, d.test by their URL.';
    const refused = ['e', 'https://e.test/', 'ftp://c.test/', 'https://c.test:444/', 'https://c.test.e/'];
    expect([
      await none.open('a'),
      await none.open('x'.repeat(300)),
      ...(await Promise.all(refused.map((one) => some.open(one)))),
      await play({}, [agent('a', '', { problem: 'has no key' })]).open('a'),
      some.asked,
    ]).toEqual([
      'not_found: There is no permitted agent "a". There are none by name.',
      `not_found: There is no permitted agent "${'x'.repeat(200)}". There are none by name.`,
      ...refused.map((one) => `not_found: There is no permitted agent "${one}". ${there}`),
      'unavailable: The agent a has no key. Go on without it.',
      [],
    ]);
  });
});

describe('a card', () => {
  it('is below the URL of its agent, else at the root of its host, or is the URL itself', async () => {
    const hosts = ['a.test'];
    const below = play({ [`https://a.test/x/${wellKnown}`]: { body: card } }, [], hosts);
    const slash = play({ [`https://a.test/x/${wellKnown}`]: { body: card } }, [], hosts);
    const top = play({ [`https://a.test/${wellKnown}`]: { body: card } }, [], hosts);
    const itself = play({ 'http://a.test/x.json': { body: card } }, [], hosts);
    expect([
      [await below.open('https://a.test/x'), below.places()],
      [await slash.open('https://a.test/x/'), slash.places()],
      [await top.open('https://a.test/x?y=1'), top.places()],
      [await itself.open('http://a.test/x.json'), itself.places()],
    ]).toEqual([
      ['https://a.test/x', [`https://a.test/x/${wellKnown}`]],
      ['https://a.test/x/', [`https://a.test/x/${wellKnown}`]],
      ['https://a.test/x?y=1', [`https://a.test/x/${wellKnown}`, `https://a.test/${wellKnown}`]],
      ['http://a.test/x.json', ['http://a.test/x.json']],
    ]);
  });

  it('is reported if it is missing, invalid or unreachable', async () => {
    const at = `https://a.test/${wellKnown}`;
    const of = (answer: Answer, url = 'https://a.test') =>
      play({ [at]: answer }, [agent('a', url)]).open('a');
    const two = `https://a.test/x/${wellKnown} or ${at}`;
    expect([
      await of({ status: 404, body: card }),
      await of({ status: 500, body: '' }, 'https://a.test/x'),
      await of({ body: '<html>' }),
      await of({ body: { ...card, name: '' } }),
      await of(new Error('broke')),
    ]).toEqual([
      `failed: The agent a has no card at ${at} or ${at} (status 404). Go on without it.`,
      `failed: The agent a has no card at ${two} (status 500). Go on without it.`,
      `failed: The agent a has no card at ${at} or ${at} (its content is not JSON). Go on without it.`,
      'failed: The card at https://a.test is no valid agent card: name: Too small: expected string to have >=1 characters. Go on without this agent.',
      'failed: The agent a answered with an error, in its words: broke',
    ]);
  });

  it('is read once, also for two parallel calls, and again after a failure', async () => {
    const at = `https://a.test/${wellKnown}`;
    const once = play({ [at]: { body: card } }, [agent('a', 'https://a.test')]);
    const again = play({ [at]: [{ status: 500 }, { body: card }] }, [agent('a', 'https://a.test')]);
    const [first] = [await Promise.all([once.open('a'), once.open('a')]), await once.open('a')];
    expect([
      first,
      once.places(),
      [await again.open('a'), await again.open('a')].map((one) => one.length > 1),
    ]).toEqual([['a', 'a'], [at], [true, false]]);
  });

  it('is not awaited after an abort', async () => {
    const stop = new AbortController();
    stop.abort({ kind: 'over', message: 'stopped' });
    const { open } = play({}, [agent('a', 'https://a.test')]);
    expect(await open('a', stop.signal)).toBe('over: stopped');
  });
});

it('the headers of an agent are sent to its own host and to no other', async () => {
  const headers = { authorization: 'key', accept: 'own' };
  const faces = ['https://a.test/rpc', 'https://b.test/rpc'];
  const sent = await Promise.all(
    faces.map(async (url) => {
      const [face] = card.supportedInterfaces;
      const own = { ...card, supportedInterfaces: [{ ...face, url }] };
      const { run, asked } = play({ [`https://a.test/${wellKnown}`]: { body: own } }, [
        agent('a', 'https://a.test/x', { headers }),
      ]);
      const { client } = await run.open('a', new AbortController().signal);
      await client.getTask({ tenant: '', id: 't' }).catch(() => undefined);
      return asked.map(([to, all]) => [to, all.authorization ?? null, all.accept, all['a2a-version']]);
    }),
  );
  const places = [`https://a.test/x/${wellKnown}`, `https://a.test/${wellKnown}`];
  const cards = places.map((to) => [to, 'key', 'own', '1.0']);
  expect(sent).toEqual([
    [...cards, ['https://a.test/rpc', 'key', 'own', '1.0']],
    [...cards, ['https://b.test/rpc', null, 'application/json', '1.0']],
  ]);
});

const { signal } = new AbortController();
const reported = (error: unknown) => {
  const failure = agentFailure(error, 'it', signal);
  if (!(failure instanceof ToolError)) return failure;
  return { said: `${failure.kind}: ${failure.message}`, cause: failure.cause };
};

it.each<[FailureKind, string]>([
  [
    'refused',
    'refused: The agent it cannot be called: the request went wrong. The host must be in a2a.agents or a2a.allow of the configuration. Go on without it.',
  ],
  [
    'not_allowed',
    'refused: The agent it cannot be called: the request went wrong. The host must be in a2a.agents or a2a.allow of the configuration. Go on without it.',
  ],
  ['timeout', 'timeout: The agent it was not reached: the request went wrong. Go on without it.'],
  ['too_large', 'too_large: The agent it was not reached: the request went wrong. Go on without it.'],
  ['unreachable', 'unreachable: The agent it was not reached: the request went wrong. Go on without it.'],
])('a request that failed as %s is found in the chain of causes', (kind, said) => {
  const failure = new RequestFailure(kind, 'went wrong');
  const wrapped = new Error('a', { cause: new Error('b', { cause: failure }) });
  expect([reported(failure), reported(wrapped)]).toEqual([
    { said, cause: failure },
    { said, cause: wrapped },
  ]);
});

it('a cause is searched for up to five levels deep', () => {
  const wrap = (depth: number): Error =>
    depth === 0
      ? new RequestFailure('timeout', 'was slow')
      : new Error(`at ${depth}`, { cause: wrap(depth - 1) });
  const [four, five] = [wrap(4), wrap(5)];
  expect([reported(four), reported(five)]).toEqual([
    { said: 'timeout: The agent it was not reached: the request was slow. Go on without it.', cause: four },
    { said: 'failed: The agent it answered with an error, in its words: at 5', cause: five },
  ]);
});

it('any other error is reported with its message, without hidden characters', () => {
  expect([reported('plain\u202e'), reported(new Error('e'.repeat(1_001)))]).toEqual([
    { said: 'failed: The agent it answered with an error, in its words: plain', cause: 'plain\u202e' },
    {
      said: `failed: The agent it answered with an error, in its words: ${'e'.repeat(1_000)}`,
      cause: new Error('e'.repeat(1_001)),
    },
  ]);
});

it('a failure that already has a message keeps it, and an abort takes precedence', () => {
  const ours = new ToolError('failed', 'told');
  const stop = new AbortController();
  stop.abort('over');
  expect([agentFailure(ours, 'it', signal), agentFailure(ours, 'it', stop.signal)]).toEqual([ours, 'over']);
});
