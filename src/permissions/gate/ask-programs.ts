import type { Decision } from '../../contract/decision.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Action } from '../../contract/levels.ts';
import type { Hook } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';
import { ruledNames } from '../policy/match-rules.ts';
import type { GateCall } from '../policy/policy.ts';

/** A program that has a say, and what names it in words: the rule or the hook. */
export type AskedProgram = Pick<Hook, 'run' | 'files' | 'name' | 'folder' | 'timeoutSeconds'> & {
  readonly by: string;
  /** True for the program of a `delegate` rule. */
  readonly delegate?: boolean;
};

/** What a program answered; `problem` where it could not be asked, or did not answer: a clause with the program as its subject. */
export interface ProgramAnswer {
  readonly exitCode: number | null;
  /** Bounded, without the values that it was given in confidence. */
  readonly stderr: string;
  readonly problem: string | null;
}

/** Asks a program about a call that is not made yet. */
export type AskProgram = (request: {
  readonly program: AskedProgram;
  readonly call: GateCall;
  /** The command of the call's script that it is asked about; left out where it is the whole call. */
  readonly part?: string;
}) => Promise<ProgramAnswer>;

/** Characters of a program's standard error that are passed on: the model reads them. */
const longestSaid = 2_000;

/** What a program said, as a sentence to follow another; empty where it said nothing. */
export function saidBy({ stderr }: ProgramAnswer): string {
  const said = stderr.trim();
  if (said === '') return '';
  return ` ${said.length > longestSaid ? `${said.slice(0, longestSaid)}…` : said}`;
}

/**
 * What a program's exit says of a call: 0 allows, 1 asks, everything else, no answer too, rejects. `part` is what it was
 * asked about where that is not the whole call.
 */
export function settleAnswer(
  run: string,
  by: string,
  answer: ProgramAnswer,
  part?: string,
): Pick<Decision, 'action' | 'reason'> {
  const { exitCode, problem } = answer;
  const about = part === undefined ? '' : `\`${part}\` is rejected: `;
  if (problem !== null)
    return {
      action: 'reject',
      reason: `${about}\`${run}\`, which ${by} names, ${problem}, and without its answer nothing is done.${saidBy(answer)}`,
    };
  const action: Action = exitCode === 0 ? 'allow' : exitCode === 1 ? 'ask' : 'reject';
  if (part !== undefined) {
    const verb = { allow: 'is allowed', ask: 'needs the agreement of a person', reject: 'is rejected' }[
      action
    ];
    const said = saidBy(answer);
    return {
      action,
      reason: `\`${part}\` ${verb}, says \`${run}\` for ${by}${said === '' ? '.' : `:${said}`}`,
    };
  }
  const verb = { allow: 'allows it', ask: 'wants a person to be asked', reject: 'rejects it' }[action];
  return { action, reason: `\`${run}\` ${verb}, asked by ${by}.${saidBy(answer)}` };
}

/**
 * What a program gets on its standard input before a call: the arguments, where something would change the diff, and
 * where it is asked about one command of a script, that one.
 */
export function questionOf({ input, diff }: Pick<GateCall, 'input' | 'diff'>, part?: string): JsonObject {
  return {
    ...input,
    ...(diff === undefined || diff === '' ? {} : { diff }),
    ...(part === undefined ? {} : { command_part: part }),
  };
}

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
