import type { Decision } from '../../contract/decision.ts';
import type { Hook } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';
import { ruledNames } from '../policy/match-rules.ts';
import type { GateCall } from '../policy/policy.ts';
import { type AskProgram, type ProgramAnswer, saidBy, settleAnswer } from './ask-program.ts';

/** What an after-hook adds to a result: words for the model; `objects` where it holds something to be wrong. */
export interface AfterNote {
  readonly text: string;
  readonly objects: boolean;
}

/** The hooks that a call is for, each as it is called in words: `hook 2 (lint), .github/anode.yml:5`. */
export function hooksFor(
  hooks: readonly Hook[],
  call: Pick<GateCall, 'tool' | 'targets'>,
): { readonly hook: Hook; readonly by: string }[] {
  // As for rules that hold back: others name their tools as they please.
  const names = [...ruledNames(call), call.tool.toLowerCase()];
  return hooks.flatMap((hook, index) =>
    names.some((name) => patternMatches(hook.tool, name)) ? [{ hook, by: describeHook(hook, index) }] : [],
  );
}

/** A hook in words: its place in the list from 1, its name or else its program, and where it was read from. */
export function describeHook(hook: Hook, index: number): string {
  const place = hook.source === undefined ? '' : `, ${hook.source}`;
  return `hook ${index + 1} (${hook.name ?? hook.run})${place}`;
}

/**
 * Asks the hooks that a call is for, one after the other: the strictest answer, the first of its kind; null where all
 * allow. After a rejection no other is asked.
 */
export async function askHooks(
  call: GateCall,
  hooks: readonly Hook[],
  ask: AskProgram,
): Promise<Pick<Decision, 'action' | 'reason' | 'rule'> | null> {
  let said: Pick<Decision, 'action' | 'reason' | 'rule'> | null = null;
  for (const { hook, by } of hooksFor(hooks, call)) {
    const judged = { ...settleAnswer(hook.run, by, await ask({ program: { ...hook, by }, call })), rule: by };
    if (judged.action === 'reject') return judged;
    if (judged.action === 'ask') said ??= judged;
  }
  return said;
}

/**
 * What an after-hook's answer adds to the result of a call that was made: nothing with exit 0, a note with 1, an
 * objection with 2 and more, or where it did not answer.
 */
export function noteOf(run: string, by: string, answer: ProgramAnswer): AfterNote | null {
  const { exitCode, problem } = answer;
  const said = saidBy(answer);
  if (problem !== null)
    return { text: `[${by}: the call was made, but \`${run}\` ${problem}.${said}]`, objects: true };
  if (exitCode === 0 || (exitCode === 1 && said === '')) return null;
  return exitCode === 1
    ? { text: `[${by} notes:${said}]`, objects: false }
    : {
        text: `[${by}: the call was made, and \`${run}\` objects to what came of it.${said}]`,
        objects: true,
      };
}
