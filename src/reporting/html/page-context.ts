import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { renderCost } from '../progress/render-progress.ts';
import type { Published } from '../report/published.ts';
import type { AllowedLinks } from './report-link.ts';
import type { RunStory } from './run-story.ts';

/** The input of a report. All of it is redacted already. */
export interface RunReport {
  readonly story: RunStory;
  readonly outcome: Outcome;
  /** Null for a run without GitHub. */
  readonly plan: RunPlan | null;
  /** Null if nothing was to be published, or not yet. */
  readonly published: Omit<Published, 'report'> | null;
  /** The page of the workflow's run, where there is one. */
  readonly runUrl: string | null;
  /** The other runs of its session. Default: none is known. */
  readonly chain?: RunChain;
}

/** The same for the parts of the page. */
export interface PageContext extends RunReport {
  readonly places: AllowedLinks;
  /** Share of its content that each part displays, from 0 to 1. */
  readonly scale: number;
}

/** Renders dollars, or that the price is unknown. */
export function costText(costUsd: number | null): string {
  return costUsd === null ? 'price not known' : renderCost(costUsd);
}

/** A count with its thousands set apart. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Renders milliseconds: `80 ms`, `4.2 s`, `2 min 5 s`, `1 h 3 min`. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The runs of one session around a run, as far as their records exist. */
export interface RunChain {
  /** The request of the session's first run; null if its record was removed. */
  readonly request: string | null;
  /** The run that this one continues; null for the first. */
  readonly earlier: { readonly run_id: string; readonly question: string | null } | null;
  /** The run that continued this one; null for none. */
  readonly later: { readonly run_id: string; readonly text: string } | null;
}
