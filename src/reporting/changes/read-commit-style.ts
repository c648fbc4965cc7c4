import type { RunPlan } from '../../contract/plan.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { type CommitStyle, learnCommitStyle, plainStyle } from './commit-style.ts';

/** How many of the base branch's newest commits tell the style. */
const looked = 100;

/**
 * The style of the base branch's newest commits, those of bots left out; the plain one where the configuration asks for it or
 * they cannot be had.
 */
export async function readCommitStyle(
  plan: RunPlan,
  { octokit, config, log }: Pick<PublishPorts, 'octokit' | 'config' | 'log'>,
): Promise<CommitStyle> {
  const asked = config.commit?.style ?? 'auto';
  if (asked === 'plain') return plainStyle;
  if (asked === 'conventional') return { ...plainStyle, form: 'conventional', capital: false };
  try {
    const { data } = await octokit.rest.repos.listCommits({
      owner: plan.repository.owner,
      repo: plan.repository.name,
      sha: plan.push.kind === 'new_branch' ? plan.push.base : plan.checkout.base_ref,
      per_page: looked,
    });
    const own = data.filter(({ author }) => author === null || !('type' in author) || author.type !== 'Bot');
    return learnCommitStyle(own.map(({ commit }) => commit.message.split('\n')[0] ?? ''));
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ run: plan.run_id, status: failure.status }, 'The style of commits could not be read.');
    return plainStyle;
  }
}
