import { Severity } from '../../contract/findings.ts';

/** 0 for `info` to 4 for `critical`. */
export function severityRank(severity: Severity): number {
  return Severity.options.indexOf(severity);
}
