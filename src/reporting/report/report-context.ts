import type { Finding } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { MovedFinding } from '../review/make-review.ts';
import type { Published } from './published.ts';

/** What the report says beside the outcome: where the run was going to answer, and what came of it. */
export interface ReportContext {
  readonly plan: RunPlan;
  readonly runUrl: string | null;
  readonly published: Omit<Published, 'report'>;
  /** Findings that no review carries, so that the report must. */
  readonly findings: readonly Finding[];
  /** How many findings of this run stand in an earlier review already. */
  readonly carried: number;
  /** Of a review: `2 new, 1 carried, 3 fixed`; left out or '' where nothing was told before. */
  readonly tally?: string;
  /** The word of commands, such as `anode`; left out, none is named. */
  readonly mention?: string;
  /** Findings that stand on another line than their own. */
  readonly moved?: readonly MovedFinding[];
}
