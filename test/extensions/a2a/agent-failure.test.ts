import { expect, it } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { agentFailure } from '../../../src/extensions/a2a/agent-failure.ts';
import { type FailureKind, RequestFailure } from '../../../src/network/request-failure.ts';

const { signal } = new AbortController();
const told = (error: unknown) => {
  const failure = agentFailure(error, 'it', signal);
  if (!(failure instanceof ToolError)) return failure;
  return { said: `${failure.kind}: ${failure.message}`, cause: failure.cause };
};

it.each<[FailureKind, string]>([
  [
    'refused',
    'refused: The agent it cannot be asked: the request went wrong. A host has to be in a2a.agents or a2a.allow of the configuration. Go on without it.',
  ],
  [
    'not_allowed',
    'refused: The agent it cannot be asked: the request went wrong. A host has to be in a2a.agents or a2a.allow of the configuration. Go on without it.',
  ],
  ['timeout', 'timeout: The agent it was not reached: the request went wrong. Go on without it.'],
  ['too_large', 'too_large: The agent it was not reached: the request went wrong. Go on without it.'],
  ['unreachable', 'unreachable: The agent it was not reached: the request went wrong. Go on without it.'],
])('a request that failed as %s is found among the causes', (kind, said) => {
  const failure = new RequestFailure(kind, 'went wrong');
  const wrapped = new Error('a', { cause: new Error('b', { cause: failure }) });
  expect([told(failure), told(wrapped)]).toEqual([
    { said, cause: failure },
    { said, cause: wrapped },
  ]);
});

it('a cause is looked for five deep', () => {
  const wrap = (depth: number): Error =>
    depth === 0
      ? new RequestFailure('timeout', 'was slow')
      : new Error(`at ${depth}`, { cause: wrap(depth - 1) });
  const [four, five] = [wrap(4), wrap(5)];
  expect([told(four), told(five)]).toEqual([
    { said: 'timeout: The agent it was not reached: the request was slow. Go on without it.', cause: four },
    { said: 'failed: The agent it answered with an error, in its words: at 5', cause: five },
  ]);
});

it('any other error is told in its words, without what nobody sees', () => {
  expect([told('plain\u202e'), told(new Error('e'.repeat(1_001)))]).toEqual([
    { said: 'failed: The agent it answered with an error, in its words: plain', cause: 'plain\u202e' },
    {
      said: `failed: The agent it answered with an error, in its words: ${'e'.repeat(1_000)}`,
      cause: new Error('e'.repeat(1_001)),
    },
  ]);
});

it('a failure that is told already stays, and an abort comes first', () => {
  const ours = new ToolError('failed', 'told');
  const stop = new AbortController();
  stop.abort('over');
  expect([agentFailure(ours, 'it', signal), agentFailure(ours, 'it', stop.signal)]).toEqual([ours, 'over']);
});
