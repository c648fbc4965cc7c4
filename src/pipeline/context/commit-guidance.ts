import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { applyCommitRules, commitRuleFiles, readCommitRules } from '../../reporting/changes/commit-rules.ts';
import { describeCommitStyle, learnCommitStyle, plainStyle } from '../../reporting/changes/commit-style.ts';
import { filesAt } from '../../workspace/git/files-at.ts';
import type { OwnGit } from '../../workspace/git/own-git.ts';
import { runGit } from '../../workspace/git/run-git.ts';

const commitsRead = '100';

/**
 * Returns the model's instructions for commit headlines: the style of the trusted commit's history
 * and its lint rules. '' for a run that commits nothing, and for a plain style.
 */
export async function commitGuidance(
  plan: Pick<RunPlan, 'push' | 'checkout' | 'read_only'>,
  git: OwnGit,
  config: Config,
): Promise<string> {
  const setting = config.commit?.style ?? 'auto';
  if (plan.push.kind === 'none' || plan.read_only || setting === 'plain') return '';
  const { trusted, base_sha: base, sha } = plan.checkout;
  const commit = trusted?.sha ?? base ?? sha;
  if (setting === 'conventional')
    return describeCommitStyle({ ...plainStyle, form: 'conventional', capital: false });
  const [log, files] = await Promise.all([
    runGit(['log', '--no-merges', `-${commitsRead}`, '--format=%ae%x00%s', commit], {
      ...git,
      accept: [128],
    }),
    filesAt(git, commit, commitRuleFiles),
  ]);
  const subjects = log.stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\0'))
    .filter(([author = '']) => !author.includes('[bot]'))
    .map(([, subject = '']) => subject);
  const texts = new Map([...files].map(([file, bytes]) => [file, bytes.toString('utf8')]));
  return describeCommitStyle(applyCommitRules(learnCommitStyle(subjects), readCommitRules(texts)));
}
