import { existsSync } from 'node:fs';
import path from 'node:path';
import { defaultReportLinkDays } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import { secretValues } from '../../config/secret-values.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { Log } from '../../reporting/posting/log.ts';
import type { Published } from '../../reporting/report/published.ts';
import type { ReportLinks } from '../context/report-links.ts';

/** What a finished run is reported with; of a broken one only its record is there. */
export interface ReportPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly operatorConfig: Config;
  readonly log: Log;
  /** The page of the workflow's run, where there is one. */
  readonly runUrl: string | null;
}

/**
 * Writes the report of a run beside its ledger and returns the file; null where that failed or there was no run, which
 * is logged: what was published is not less true for it.
 */
export async function reportRun(
  plan: RunPlan,
  run: {
    readonly ledgerFile: string;
    readonly outcome: Outcome | null;
    readonly published: Published | null;
  },
  ports: ReportPorts,
): Promise<string | null> {
  if (!existsSync(run.ledgerFile)) return null;
  try {
    // Needed at the very end only.
    const { reportFile, writeRunReport } = await import('./write-run-report.ts');
    const target = path.join(path.dirname(run.ledgerFile), reportFile);
    const secrets = secretValues(ports.environment, ports.operatorConfig.providers);
    await writeRunReport({ ...run, plan, runUrl: ports.runUrl, redact: createRedactor(secrets), target });
    return target;
  } catch (error) {
    ports.log.warn({ err: error, run: plan.run_id }, 'The report of the run could not be written.');
    return null;
  }
}

/**
 * The address of the report of a plan's run, which is the same however often it is asked for; null where its
 * configuration wants none.
 */
export function reportLinkFor(plan: RunPlan, config: Config, links: ReportLinks): string | null {
  const days = config.report?.linkDays ?? defaultReportLinkDays;
  if (days === 0) return null;
  return links.linkTo(plan.run_id, new Date(Date.parse(plan.triggered_at) + days * 24 * 60 * 60 * 1000));
}
