import type { Config } from '../../config/schema.ts';
import type { PullFacts } from '../../contract/thread.ts';
import { fenced } from '../../contract/untrusted.ts';
import { verbOf } from '../../contract/verbs.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import type { Trigger } from '../commands/trigger.ts';
import type { PromptMaterial } from './plan-prompt.ts';
import { type FailingCheck, readFailingChecks } from './read-failing-checks.ts';
import { readTriage, type TriageFacts } from './read-triage.ts';
import { originOf } from './thread-context.ts';

/** Material of a verb besides the thread. */
interface Material extends PromptMaterial {
  /** Context for the run, fenced since it is untrusted. Empty if there is none. */
  readonly context: string;
  readonly triage: TriageFacts['choices'] | null;
}

type Root = NonNullable<PromptMaterial['root']> | null;

type MaterialContext = Pick<DecideContext, 'octokit' | 'checks' | 'sanitise'>;

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
    /** Failed checks that were read before. Default: read here. */
    readonly checks?: readonly FailingCheck[] | undefined;
  },
  context: MaterialContext,
): Promise<Material> {
  const { octokit, sanitise } = context;
  const root = await readRoot(trigger, context);
  const { material } = verbOf(trigger.kind);
  if (material === 'labels') {
    const read = await readTriage(octokit, trigger, { ...facts, settings: facts.config.triage }, (text) =>
      sanitise(text),
    );
    const text = fenced({ kind: 'labels-and-threads' }, read.text);
    return { root, context: text, triage: read.choices };
  }
  if (material !== 'checks' || facts.pull === null || trigger.location !== null)
    return { root, context: '', triage: null };
  const text =
    facts.checks === undefined
      ? await failingChecks(trigger, facts.pull.head.sha, context)
      : renderChecks(facts.checks, context);
  return { root, context: text, triage: null };
}

async function failingChecks(
  trigger: Trigger,
  sha: string,
  { octokit, checks, sanitise }: MaterialContext,
): Promise<string> {
  const repository = { owner: trigger.repository.owner, repo: trigger.repository.name };
  const read = async () =>
    readFailingChecks(checks === undefined ? octokit : await checks(), repository, sha);
  const found = await read().catch((error: unknown) => {
    // An installation without the permission gets no token.
    if (error instanceof Error && 'status' in error) return null;
    throw error;
  });
  if (found === null)
    return 'Which checks fail could not be read here. It takes the permissions `checks: read` and `actions: read`.';
  return renderChecks(found, { sanitise });
}

function renderChecks(
  found: readonly FailingCheck[],
  { sanitise }: Pick<MaterialContext, 'sanitise'>,
): string {
  if (found.length === 0) return 'No check of this commit has failed.';
  return found
    .map(({ name, conclusion, text }) =>
      fenced({ kind: 'failing-check', name: sanitise(name), conclusion }, sanitise(text)),
    )
    .join('\n');
}

/** Reads the first comment of the conversation; null if the request is the first. */
async function readRoot(
  { location, repository, at }: Trigger,
  { octokit, sanitise }: MaterialContext,
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
      text: sanitise(
        data.body,
        originOf({ kind: 'comment', location: null, author, bot: data.user?.type === 'Bot' }),
      ),
    };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
