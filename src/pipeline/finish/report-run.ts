import { existsSync } from 'node:fs';
import path from 'node:path';
import { ownSecrets } from '../../config/secret-values.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { PublishLog } from '../../reporting/posting/ports.ts';
import type { Published } from '../../reporting/report/published.ts';
import type { BrokerContext } from '../context/broker-context.ts';

/**
 * Writes the report of a run beside its ledger and returns the file. Null if no run began, or after
 * an error, which is logged: the run was published all the same.
 */
export async function reportRun(
  plan: RunPlan,
  run: {
    readonly ledgerFile: string;
    readonly outcome: Outcome | null;
    readonly published: Published | null;
  },
  context: Pick<BrokerContext, 'environment' | 'operatorConfig' | 'runUrl'> & { readonly log: PublishLog },
): Promise<string | null> {
  if (!existsSync(run.ledgerFile)) return null;
  try {
    // Needed at the very end only.
    const { isReportable, reportFile, writeRunReport } = await import('./write-run-report.ts');
    if (run.outcome === null && !(await isReportable(run.ledgerFile))) return null;
    const target = path.join(path.dirname(run.ledgerFile), reportFile);
    const redact = createRedactor(ownSecrets(context));
    await writeRunReport({ ...run, plan, runUrl: context.runUrl, redact, target });
    return target;
  } catch (error) {
    context.log.warn({ err: error, run: plan.run_id }, 'The report of the run could not be written.');
    return null;
  }
}
