import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiRefusal } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { applyCommitRules, type CommitRules, commitRuleFiles, readCommitRules } from './commit-rules.ts';
import { type CommitStyle, learnCommitStyle, plainStyle } from './commit-style.ts';

/** Number of commits of the base branch to learn from. */
const commitsRead = 100;

/**
 * Learns the style of the base branch's newest commits, without merges and bots' commits, under
 * its lint rules. Plain if the configuration says so or the commits cannot be read.
 */
export async function readCommitStyle(
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'config' | 'log' | 'readBaseFile'>,
): Promise<CommitStyle> {
  const { octokit, config, log } = ports;
  const setting = config.commit?.style ?? 'auto';
  if (setting === 'plain') return plainStyle;
  if (setting === 'conventional') return { ...plainStyle, form: 'conventional', capital: false };
  try {
    const { data } = await octokit.rest.repos.listCommits({
      ...repoOf(plan),
      sha: plan.push.kind === 'new_branch' ? plan.push.base : plan.checkout.base_ref,
      per_page: commitsRead,
    });
    const byPeople = data.filter(
      ({ author, commit, parents }) =>
        parents.length < 2 &&
        !commit.author?.name?.endsWith('[bot]') &&
        (author === null || !('type' in author) || author.type !== 'Bot'),
    );
    const learnt = learnCommitStyle(byPeople.map(({ commit }) => commit.message.split('\n')[0] ?? ''));
    return applyCommitRules(learnt, await rulesOf(ports));
  } catch (error) {
    log.warn(
      { run: plan.run_id, status: readApiRefusal(error).status },
      'The style of commits could not be read.',
    );
    return plainStyle;
  }
}

/** Reads the lint rules of the base branch; null without any. */
async function rulesOf({ readBaseFile }: Pick<PublishPorts, 'readBaseFile'>): Promise<CommitRules | null> {
  const files = new Map<string, string>();
  for (const file of readBaseFile === undefined ? [] : commitRuleFiles) {
    const text = await readBaseFile?.(file);
    if (text != null) files.set(file, text);
  }
  return readCommitRules(files);
}
