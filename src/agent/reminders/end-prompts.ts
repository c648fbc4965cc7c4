import type { ExperimentHistory } from '../../contract/experiment.ts';
import type { ToolDefinition } from '../../contract/message.ts';
import type { BuiltinProfileName } from '../../contract/profile-names.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { resultTool } from '../../contract/verbs.ts';
import type { ModelReply } from '../models/model.ts';

/**
 * Returns the prompt after a turn without calls that is no whole answer. Null for an answer.
 * `retries`: such prompts in a row.
 */
export function retryPrompt(
  { stop, problem }: Pick<ModelReply, 'stop' | 'problem'>,
  text: string,
  retries: number,
): string | null {
  if (stop === 'unread_call')
    return `The provider could not read your tool call${problem === undefined ? '' : ` (${problem.replace(/\.$/, '')})`}, so nothing was run. Call a tool that you have, with arguments as its schema asks; or answer in words.`;
  if (stop === 'length')
    return 'Your answer was cut off at the output limit. Go on exactly where it stopped.';
  if (text.trim() === '')
    return 'Your answer was empty. Go on with the task, or say in words what you did and found.';
  // Text without a word is an answer by the protocol, so it is asked about once only.
  if (stop === 'unclear' && retries === 0)
    return 'No action word was found. Start a line with BASH:, TOOL: or ANSWER:.';
  return null;
}

/** The tool that states a run's result, its ledger entry, and the call for an empty result. */
interface ResultRule {
  readonly entry: RunEntry['type'];
  readonly empty: string;
}

const resultRules: Readonly<Partial<Record<BuiltinProfileName, ResultRule>>> = {
  review: { entry: 'findings', empty: ', with all you found or with an empty list' },
  describe: { entry: 'description', empty: '' },
  triage: { entry: 'triage', empty: ', with empty lists where nothing fits' },
};

/** The required result of a run. */
export interface RequiredResult {
  /** The tool it should have called and has not; null where it has, or has no such tool. */
  missing(): string | null;
  /** Returns the prompt for it, once. Null after that, or if nothing is missing. */
  prompt(): string | null;
}

/**
 * Tracks the result of a run that counts only if a tool states it. Readers of lists do not see a
 * result in prose.
 */
export function requiredResult(run: {
  readonly profile: { readonly base: BuiltinProfileName };
  readonly toolDefinitions: readonly ToolDefinition[];
  readonly history: { readonly stated: ReadonlySet<RunEntry['type']> };
}): RequiredResult {
  const rule = resultRules[run.profile.base];
  const tool = resultTool(run.profile.base);
  const isRequired = rule !== undefined && run.toolDefinitions.some(({ name }) => name === tool);
  const required = isRequired && tool !== null ? { ...rule, tool } : undefined;
  let isRequested = false;
  const missing = () =>
    required === undefined || run.history.stated.has(required.entry) ? null : required.tool;
  return {
    missing,
    prompt() {
      if (isRequested || required === undefined || missing() === null) return null;
      isRequested = true;
      return `You ended without calling ${required.tool}, and only what it states counts. Call it now${required.empty}; then end as before.`;
    },
  };
}

/**
 * Returns the prompt for a run that ends without logging its benchmark, once. Null if none is
 * pending. Its change would be published without a verdict.
 */
export function unloggedRun(run: {
  readonly history: { readonly experiment: ExperimentHistory | null };
}): () => string | null {
  let isRequested = false;
  return () => {
    const pending = run.history.experiment?.experiment.pending ?? null;
    if (isRequested || pending === null) return null;
    isRequested = true;
    const status = pending.outcome === 'measured' ? 'keep or discard' : pending.outcome;
    return `Run ${pending.number} of the experiment is not logged, and its change is still in the files. Call log_experiment with status ${status}, so that it is kept or put back; then end with your whole answer again, as only the last message is posted.`;
  };
}
