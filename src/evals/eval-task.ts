import type { JsonObject } from '../contract/json.ts';

/** Files of a folder. */
export interface FileSource {
  readonly folder: string;
  /** Returns true for the path of an entry that belongs to it; a folder stands for all in it. */
  readonly includes: (path: string) => boolean;
}

/** A command whose exit code is 0 if a task is solved. */
export interface TaskCheck {
  /** Given to `bash -c`, in the sandbox, at the top of a copy of the changed repository. */
  readonly command: string;
  readonly timeoutSeconds: number;
}

/** Calls of tools in one answer of a scripted model, or its final text. */
export type TranscriptAnswer =
  | { readonly calls: readonly { readonly name: string; readonly input: JsonObject }[] }
  | { readonly text: string };

/** The solution that shows that a task can be solved. */
export interface Reference {
  /** A patch for the repository. Default: null, no changes. */
  readonly patch: string | null;
  /** The result that a run would state. Default: null, what a run without an answer states. */
  readonly outcome: Partial<CheckedOutcome> | null;
  /** Answers of a scripted model. They take the place of the patch. Default: null. */
  readonly transcript: readonly TranscriptAnswer[] | null;
}

/** One task of an evaluation. */
export interface EvalTask {
  /** Unique in the evaluation: the name of its folder. */
  readonly name: string;
  readonly verb: 'task' | 'review';
  readonly prompt: string;
  /** Settings of the task. Null: those of the evaluation. */
  readonly profile: string | null;
  readonly preset: string | null;
  readonly maxTurns: number | null;
  /** Limit of a trial in seconds, all its runs together. Null: the limits of the configuration. */
  readonly timeoutSeconds: number | null;
  /** The answers to the run's questions, in order. */
  readonly answers: readonly string[];
  /** The repository's files before the run. */
  readonly repository: FileSource;
  /** The patch that a review looks at, committed on top; null for a task. */
  readonly change: string | null;
  /** Files of the check that the run does not see. Null: none. */
  readonly tests: FileSource | null;
  readonly check: TaskCheck;
  readonly reference: Reference | null;
  /** Folders that only the check sees, read-only, by their path in the repository. */
  readonly mounts: readonly { readonly mountPath: string; readonly folder: string }[];
  /** The most runs of a trial. Each after the first gets the output of the failed check. */
  readonly tries: number;
  /** Programs of the check, without which the task is skipped. Null: not looked for. */
  readonly tools: TaskTools | null;
  /** Consequence of a check that passes before the run, or cannot be started. */
  readonly onInvalid: 'refuse' | 'skip';
}

/** Programs that a check needs. */
export interface TaskTools {
  /** Exit code 0 in the sandbox of the check if they are there. */
  readonly command: string;
  /** Reason for a skipped task, without a full stop. */
  readonly missing: string;
}

/** Facts of a run for its check, as JSON in the file that `EVAL_OUTCOME` names. */
export interface CheckedOutcome {
  /** Conclusion of the run; null before it. */
  readonly conclusion: string | null;
  readonly answer: string;
  readonly findings: readonly object[];
  /** The calls that were refused. */
  readonly refusals: readonly object[];
  /** Questions of the run, in order. */
  readonly questions: readonly string[];
  readonly changes: readonly { readonly path: string; readonly kind: string }[];
}

/** The outcome of a run that has not begun. */
export const noOutcome: CheckedOutcome = {
  ...{ conclusion: null, answer: '', findings: [], refusals: [], questions: [], changes: [] },
};
