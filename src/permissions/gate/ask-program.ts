import type { Decision } from '../../contract/decision.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Action } from '../../contract/levels.ts';
import type { Hook } from '../../contract/rules.ts';
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
