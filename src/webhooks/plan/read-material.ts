import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { PullFacts } from '../../contract/thread.ts';
import { fenced, type TextOrigin } from '../../contract/untrusted.ts';
import { verbOf } from '../../contract/verbs.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { Trigger } from '../commands/trigger.ts';
import type { PromptMaterial } from './plan-prompt.ts';
import { readFailingChecks } from './read-failing-checks.ts';
import { readTriage, type TriageFacts } from './read-triage.ts';

/** Material of a verb besides the thread. */
export interface Material extends PromptMaterial {
  /** Context for the run, fenced since it is untrusted. Empty if there is none. */
  readonly context: string;
  readonly triage: TriageFacts['choices'] | null;
}

type Root = NonNullable<PromptMaterial['root']> | null;

export interface MaterialPorts {
  readonly octokit: Octokit;
  /** Returns a client that reads checks and job logs; rejects without such a token. */
  readonly checks: () => Promise<Octokit>;
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
}

/**
 * Reads the material of a verb: failed checks for `fix`, the comment that a request replies to, and
 * labels and similar threads for `triage`.
 */
export async function readMaterial(
  trigger: Trigger,
  facts: {
    readonly pull: PullFacts | null;
    readonly title: string;
    readonly body: string;
    readonly config: Config;
  },
  ports: MaterialPorts,
): Promise<Material> {
  const { octokit, sanitise } = ports;
  const root = await readRoot(trigger, ports);
  const { material } = verbOf(trigger.kind);
  if (material === 'labels') {
    const read = await readTriage(octokit, trigger, facts, facts.config.triage, (text) => sanitise(text));
    const context = fenced({ kind: 'labels-and-threads' }, read.text);
    return { root, context, triage: read.choices };
  }
  if (material !== 'checks' || facts.pull === null || trigger.location !== null)
    return { root, context: '', triage: null };
  return { root, context: await failingChecks(trigger, facts.pull.head.sha, ports), triage: null };
}

async function failingChecks(trigger: Trigger, sha: string, ports: MaterialPorts): Promise<string> {
  const repository = { owner: trigger.repository.owner, repo: trigger.repository.name };
  const found = await readFailingChecks(await ports.checks(), repository, sha).catch((error: unknown) => {
    // An installation without the permission gets no token.
    if (error instanceof Error && 'status' in error) return null;
    throw error;
  });
  if (found === null) return 'Which checks fail could not be read here.';
  if (found.length === 0) return 'No check of this commit has failed.';
  return found
    .map(({ name, conclusion, text }) =>
      fenced({ kind: 'failing-check', name: ports.sanitise(name), conclusion }, ports.sanitise(text)),
    )
    .join('\n');
}

/** Reads the first comment of the conversation; null if the request is the first. */
async function readRoot(
  { location, repository, at }: Trigger,
  { octokit, sanitise }: MaterialPorts,
): Promise<Root> {
  const id = location?.root_id ?? null;
  if (id === null) return null;
  try {
    const { data } = await octokit.rest.pulls.getReviewComment({
      owner: repository.owner,
      repo: repository.name,
      comment_id: id,
    });
    // After an edit it may differ from what the request was about.
    if (Date.parse(data.updated_at) >= Date.parse(at)) return null;
    const author = data.user?.login ?? 'ghost';
    return {
      author: sanitise(author),
      text: sanitise(data.body, {
        where: 'a comment',
        author,
        ...(data.user?.type === 'Bot' && { bot: true }),
      }),
    };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
