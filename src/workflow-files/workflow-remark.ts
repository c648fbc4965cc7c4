import type { OwnUse } from './own-uses.ts';
import type { WorkflowFile } from './parse-workflow.ts';

/** A mistake in a workflow. */
export interface WorkflowRemark {
  /** Line of the mistake, counted from 1. */
  readonly line: number;
  /** An `error` does not work or is unsafe. A `warning` costs time, money or clarity. */
  readonly level: 'error' | 'warning';
  /** The mistake, in one sentence. */
  readonly what: string;
  /** The consequence, in one sentence. */
  readonly why: string;
  /** The lines to write, or one sentence on what to do where no lines fit. */
  readonly write: readonly string[];
}

/** Facts that rules decide on. */
export interface RuleFacts {
  readonly workflow: WorkflowFile;
  /** Uses of Anode CI, at least one. */
  readonly uses: readonly OwnUse[];
  /** Names of other workflows beside this one that start on pull requests or pushes. */
  readonly otherWorkflows: readonly string[];
  /** True if the configuration lets a job with an identity token sign commits. */
  readonly signsKeyless: boolean;
  /** Describes what an event can start without a prompt. */
  readonly eventUse: (name: string) => EventUse;
}

/** Meaning of an event without a prompt. */
export interface EventUse {
  /** True if it may start a run. */
  readonly decides: boolean;
  /** The types that may start one; none where types do not matter. */
  readonly types: readonly string[];
}

/** A rule: a name for the table, and a pure function over the facts. */
export interface WorkflowRule {
  readonly name: string;
  readonly check: (facts: RuleFacts) => WorkflowRemark[];
}
