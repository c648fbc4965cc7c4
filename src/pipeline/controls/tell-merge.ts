import type { IncomingEvent } from '../../contract/event.ts';
import { cloneUrl } from '../../github/clone-url.ts';
import { settleDismissed } from '../../reporting/findings/settle-dismissed.ts';
import { integerAt, isTrueAt, stringAt } from '../../webhooks/triggers/payload-reader.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { retellFindings } from '../finish/retell-findings.ts';

/**
 * Says in the summary of a merged pull request what is still open, after a last look at what people
 * dismissed. Returns false, and does nothing, where stored
 * state could be forged.
 */
export async function tellMerge(
  { payload, delivery_id }: IncomingEvent,
  context: GitHubContext,
): Promise<boolean> {
  const { github, ownLogin, store, canAsk, serverUrl } = context;
  const number = integerAt(payload, 'pull_request', 'number');
  if (!canAsk || number === null) return false;
  const text = (...path: string[]) => stringAt(payload, ...path) ?? '';
  const [owner, name] = [text('repository', 'owner', 'login'), text('repository', 'name')];
  const target = {
    repository: {
      ...{ owner, name, default_branch: text('repository', 'default_branch') },
      clone_url: cloneUrl(serverUrl, owner, name),
      private: isTrueAt(payload, 'repository', 'private'),
    },
    thread: { kind: 'pull_request' as const, number, title: text('pull_request', 'title') },
    checkout: {
      sha: text('pull_request', 'head', 'sha'),
      base_sha: stringAt(payload, 'pull_request', 'base', 'sha'),
    },
  };
  await settleDismissed(target, { octokit: github.writer, ownLogin, store });
  await retellFindings({ target, delivery_id, merged: true }, context);
  return true;
}
