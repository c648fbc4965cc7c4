import { providers } from '../src/agent/models/providers.ts';
import { integerAt, objectAt } from '../src/webhooks/triggers/payload-reader.ts';
import type { Job } from './job.ts';

/** Events whose jobs get neither secrets nor a token that can write, if the head is a fork's. */
const restricted = ['pull_request', 'pull_request_review', 'pull_request_review_comment'];

/**
 * Actor whose jobs GitHub treats like those of a fork (GitHub Docs, "Dependabot on GitHub
 * Actions").
 */
const dependabot = 'dependabot[bot]';

/**
 * Returns true for a job on a pull request that has no key of a model because GitHub gives it no
 * secrets. A private repository may send them to forks (GitHub Docs, "Managing GitHub Actions
 * settings for a repository"); then it is a job like any other.
 */
export function hasNoSecrets(
  { eventName, payload, actor }: Pick<Job, 'eventName' | 'payload' | 'actor'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (!restricted.includes(eventName)) return false;
  // A deleted fork is null.
  const from = integerAt(objectAt(payload, 'pull_request', 'head') ?? {}, 'repo', 'id');
  const isFork = from !== integerAt(payload, 'repository', 'id');
  return (isFork || actor === dependabot) && !hasModelKey(environment);
}

function hasModelKey(environment: Readonly<Record<string, string | undefined>>): boolean {
  const names = Object.values(providers).flatMap(({ keyVariable, credentialVariables = [] }) => [
    ...(keyVariable === null ? [] : [keyVariable]),
    ...credentialVariables,
  ]);
  return names.some((name) => (environment[name]?.trim() ?? '') !== '');
}
