import { triggerDefaults } from '../../config/defaults.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Handoff } from '../../contract/run-results.ts';
import { type Autorun, autorunKey, deepestAutorun } from '../../contract/thread-records.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { readTemplate } from '../posting/read-template.ts';
import { type IssuePorts, type OwnIssue, postIssue } from './post-issue.ts';
import { renderHandoff } from './render-handoff.ts';

export interface HandoffIssue {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** True where a run was started on it. */
  readonly started?: boolean;
  /** True where whoever reads the report is sent there. */
  readonly follow?: boolean;
}

type Ports = IssuePorts & Pick<PublishPorts, 'runUrl' | 'config' | 'readBaseFile' | 'log'>;

/**
 * Makes the issue of one handoff, or finds the one this run made of it before; where the configuration says so and it goes to the
 * next thread, starts the run there.
 */
export async function postHandoff(
  handoff: Handoff,
  index: number,
  plan: RunPlan,
  ports: Ports,
): Promise<HandoffIssue> {
  const settings = ports.config.handoff ?? {};
  const { template, problem } = await readTemplate('handoff', settings.template, ports);
  if (problem !== null) ports.log.warn({ run: plan.run_id }, problem);
  const rendered = renderHandoff(handoff, index, plan, { runUrl: ports.runUrl, template });
  const { title, body } = rendered;
  const issue = await postIssue(
    {
      ...{ kind: 'handoff', n: String(index), title, body },
      labels: [...new Set([...(settings.labels ?? []), ...rendered.labels])],
      assignees: settings.assignees ?? [],
    },
    plan,
    ports,
  );
  const started =
    handoff.target === 'next_thread' && settings.autorun ? await startRun(issue, plan, ports) : false;
  const { number, url } = issue;
  return {
    ...{ number, url, title: issue.title },
    ...(started ? { started } : {}),
    ...(handoff.follow ? { follow: true } : {}),
  };
}

/**
 * Puts the label that asks for an implementation on the issue, as a person would: the run is a new event. That our own label counts
 * is written down before, in our own store. False where nobody could be found to have asked, or runs started one another
 * too often already.
 */
async function startRun(issue: OwnIssue, plan: RunPlan, { octokit, store, config }: Ports): Promise<boolean> {
  const { owner, name } = plan.repository;
  const depth = (plan.autorun_depth ?? 0) + 1;
  if (depth > deepestAutorun || plan.source.kind !== 'app') return false;
  const { label } = triggerDefaults(config);
  if (label === '') return false;
  if (issue.labels.includes(label)) return true;
  const { login, id, type } = plan.requester;
  const autorun: Autorun = { run_id: plan.run_id, requester: { login, id, type }, depth };
  await store.set(autorunKey(issue.number), JSON.stringify(autorun));
  await octokit.rest.issues.addLabels({ owner, repo: name, issue_number: issue.number, labels: [label] });
  return true;
}
