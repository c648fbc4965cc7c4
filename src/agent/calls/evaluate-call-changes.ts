import type { JsonObject } from '../../contract/json.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { ChangingCall, RejectedChange, SeenChange } from '../../permissions/gate/evaluate-changes.ts';
import type { ChangeEvaluator } from '../../workspace/changes/change-ledger.ts';

/** Lists the changes of a call's command that are not allowed. */
export type EvaluateChanges = (
  changes: readonly SeenChange[],
  by: { readonly tool: string; readonly input: JsonObject; readonly approved: boolean },
) => Promise<readonly RejectedChange[]>;

/** Like `EvaluateChanges`, for calls in any context. */
export type EvaluateTreeChanges = (
  changes: readonly SeenChange[],
  by: ChangingCall,
) => Promise<readonly RejectedChange[]>;

/** Returns the evaluation of a run tree for its main run or its children; null for none. */
export function evaluateAs(
  evaluate: EvaluateTreeChanges | undefined,
  context: 'main' | 'child',
): EvaluateChanges | null {
  return evaluate === undefined ? null : (changes, by) => evaluate(changes, { ...by, context });
}

/** Names in a note that the model reads. */
const mostNamed = 20;

/**
 * Evaluates what one call changed. Reverted changes are recorded as refused, and `remind` gets one
 * line about them for the model. `call` is read at each evaluation: the changes of a session may be
 * the work of an earlier call.
 */
export function evaluateCallChanges(parts: {
  readonly evaluate: EvaluateChanges;
  readonly callId: string;
  readonly call: () => { readonly tool: string; readonly input: JsonObject; readonly approved: boolean };
  readonly record: (entry: RunEntry) => void;
  readonly remind: (note: string) => void;
}): ChangeEvaluator {
  return {
    evaluate: (changes) => parts.evaluate(changes, parts.call()),
    report(putBack, stuck) {
      const { tool } = parts.call();
      for (const { path, reason } of [...putBack, ...stuck])
        parts.record({ type: 'refusal', refusal: { tool, what: path, reason, call_id: parts.callId } });
      const notes = [
        putBack.length === 0
          ? null
          : `Put back: ${named(putBack)}; nothing else was changed back. Say in your answer what a person should change there.`,
        stuck.length === 0
          ? null
          : `Not allowed, and could not be put back yet: ${named(stuck)}. It is tried again, and will not be published.`,
      ];
      for (const note of notes) if (note !== null) parts.remind(`[${note}]`);
    },
  };
}

function named(held: readonly RejectedChange[]): string {
  const names = held.slice(0, mostNamed).map(({ path, short }) => `${path} (${short})`);
  const rest = held.length - names.length;
  return [...names, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
