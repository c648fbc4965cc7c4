import type { Decision } from '../../contract/decision.ts';
import type { Hook } from '../../contract/hooks.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Action } from '../../contract/levels.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';
import { ruledNames } from '../policy/match-rules.ts';
import type { PolicyCall } from '../policy/policy.ts';

/** A program that decides on calls. `by` is the rule or hook that names it. */
export type DecidingProgram = Pick<Hook, 'run' | 'files' | 'name' | 'folder' | 'timeoutSeconds'> & {
  readonly by: string;
  /** True for the program of a `delegate` rule. */
  readonly delegate?: boolean;
};

/** A program's answer. `problem` is a clause about the program if it gave none. */
export interface ProgramAnswer {
  readonly exitCode: number | null;
  /** Truncated, and without the variables passed to the program. */
  readonly stderr: string;
  readonly problem: string | null;
}

/** Asks a program about a call before it is made. */
export type AskProgram = (request: {
  readonly program: DecidingProgram;
  readonly call: PolicyCall;
  /** The command of the call's script in question. Default: the whole call. */
  readonly part?: string;
}) => Promise<ProgramAnswer>;

/** Maximum characters of a program's standard error shown to the model. */
const maxReply = 2_000;

/** Returns a program's standard error as a further sentence; empty if there was none. */
export function programReply({ stderr }: ProgramAnswer): string {
  const reply = stderr.trim();
  if (reply === '') return '';
  return ` ${reply.length > maxReply ? `${reply.slice(0, maxReply)}…` : reply}`;
}

const exitActions: Readonly<Record<number, Action>> = { 0: 'allow', 1: 'ask' };

/**
 * Converts a program's exit code: 0 allows, 1 asks, anything else rejects, also no answer. `part`
 * is the command in question if that is not the whole call.
 */
export function resolveAnswer(
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
      reason: `${about}\`${run}\`, which ${by} names, ${problem}, and without its answer nothing is done.${programReply(answer)}`,
    };
  const action: Action = exitActions[exitCode ?? -1] ?? 'reject';
  if (part !== undefined) {
    const verb = { allow: 'is allowed', ask: 'needs the agreement of a person', reject: 'is rejected' }[
      action
    ];
    const reply = programReply(answer);
    return {
      action,
      reason: `\`${part}\` ${verb}, says \`${run}\` for ${by}${reply === '' ? '.' : `:${reply}`}`,
    };
  }
  const verb = { allow: 'allows it', ask: 'wants a person to be asked', reject: 'rejects it' }[action];
  return { action, reason: `\`${run}\` ${verb}, asked by ${by}.${programReply(answer)}` };
}

/**
 * Returns a program's standard input: the call's arguments, with the diff of a change and the
 * command in question if there are any.
 */
export function questionOf({ input, diff }: Pick<PolicyCall, 'input' | 'diff'>, part?: string): JsonObject {
  return {
    ...input,
    ...(diff === undefined || diff === '' ? {} : { diff }),
    ...(part === undefined ? {} : { command_part: part }),
  };
}

/** Text that an after-hook adds to a result for the model. `objects` is true for an objection. */
export interface AfterHookText {
  readonly text: string;
  readonly objects: boolean;
}

/** Returns the hooks for a call with their descriptions: `hook 2 (lint), .github/anode.yml:5`. */
export function hooksFor(
  hooks: readonly Hook[],
  call: Pick<PolicyCall, 'tool' | 'targets'>,
): { readonly hook: Hook; readonly by: string }[] {
  // Like restricting rules: extensions choose the names of their tools.
  const names = [...ruledNames(call), call.tool.toLowerCase()];
  return hooks.flatMap((hook, index) =>
    names.some((name) => patternMatches(hook.tool, name)) ? [{ hook, by: describeHook(hook, index) }] : [],
  );
}

/** Describes a hook by its position from 1, its name or program, and its source. */
export function describeHook(hook: Hook, index: number): string {
  const source = hook.source === undefined ? '' : `, ${hook.source}`;
  return `hook ${index + 1} (${hook.name ?? hook.run})${source}`;
}

/**
 * Asks a call's hooks in order. Returns the first answer of the strictest kind, or null if all
 * allow. Stops at a rejection.
 */
export async function askHooks(
  call: PolicyCall,
  hooks: readonly Hook[],
  ask: AskProgram,
): Promise<Pick<Decision, 'action' | 'reason' | 'rule'> | null> {
  let reply: Pick<Decision, 'action' | 'reason' | 'rule'> | null = null;
  for (const { hook, by } of hooksFor(hooks, call)) {
    const verdict = {
      ...resolveAnswer(hook.run, by, await ask({ program: { ...hook, by }, call })),
      rule: by,
    };
    if (verdict.action === 'reject') return verdict;
    if (verdict.action === 'ask') reply ??= verdict;
  }
  return reply;
}

/**
 * Returns what an after-hook adds to a result. Exit code 0: nothing. 1: a note. 2 and more, or no
 * answer: an objection.
 */
export function afterHookText(run: string, by: string, answer: ProgramAnswer): AfterHookText | null {
  const { exitCode, problem } = answer;
  const reply = programReply(answer);
  if (problem !== null)
    return { text: `[${by}: the call was made, but \`${run}\` ${problem}.${reply}]`, objects: true };
  if (exitCode === 0 || (exitCode === 1 && reply === '')) return null;
  return exitCode === 1
    ? { text: `[${by} notes:${reply}]`, objects: false }
    : {
        text: `[${by}: the call was made, and \`${run}\` objects to its result.${reply}]`,
        objects: true,
      };
}
