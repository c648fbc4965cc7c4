import type { Decision } from '../../contract/decision.ts';
import type { Hook } from '../../contract/hooks.ts';
import type { Action } from '../../contract/levels.ts';
import { type CompiledPatterns, matchRules, type RuleVerdict } from '../policy/match-rules.ts';
import type { Policy, PolicyCall } from '../policy/policy.ts';
import { analyseScript } from '../shell/analyse-script.ts';
import { type AskProgram, askHooks, resolveAnswer } from './ask-programs.ts';
import { type EvaluatedUnit, unitsOf } from './gate-units.ts';
import { grantFor } from './grants.ts';
import { hardDeny, startsElsewhere } from './hard-denies.ts';

/** A decision that programs of `delegate` rules may make stricter. */
export interface Delegation {
  readonly delegate: readonly DelegatedPart[];
  /** The decision if every program allows. */
  readonly rest: Decision;
}

/** A part of a call that a rule delegates. `text` is complete, `display` may be cut. */
interface DelegatedPart {
  readonly to: string;
  readonly rule: string;
  readonly display: string;
  readonly text: string;
}

/** Maximum parts of a script for one program. More are rejected. */
const maxParts = 20;

const strictness: Readonly<Record<Action, number>> = { allow: 0, ask: 1, reject: 2 };

/**
 * Decides on one tool call before it is made. Pure.
 *
 * Evaluation, in this order; a later step never lifts a rejection:
 *
 * 1. Hard denies, of the whole call.
 * 2. For each command, path or URL: the run's ceiling; else the first matching rule; else the
 *    preset. A grant turns `ask` into `allow`.
 * 3. The strictest of these verdicts.
 * 4. In `decide`: hooks, then programs of `delegate` rules. They only make the verdict stricter.
 *
 * Precedence: hard denies and ceiling reject for good, and no hook is asked. A hook's rejection
 * overrides rules, which override the preset.
 *
 * `ask` requires a person's approval, which the caller handles. Returns a `Delegation` if a rule
 * names a program.
 */
export function decideCall(call: PolicyCall, policy: Policy): Decision | Delegation {
  const scripts = (call.targets.commands ?? []).map(analyseScript);
  const elsewhere = startsElsewhere(call, policy);
  // A call that is denied wherever it starts is not a mistake about the folder.
  const anywhere = { ...call, targets: { ...call.targets, paths: [] } };
  if (elsewhere !== null && hardDeny(anywhere, scripts, policy) === null)
    return {
      ...{ action: 'reject', level: call.level, ...elsewhere, rule: null },
      ...{ hard: true, mistake: true, commands: [] },
    };
  const denied = hardDeny(call, scripts, policy);
  if (denied !== null)
    return { action: 'reject', level: call.level, ...denied, rule: null, hard: true, commands: [] };
  const patterns: CompiledPatterns = new Map();
  const verdicts = unitsOf(call, scripts, policy).map((evaluated) => ({
    ...lifted(decideUnit(evaluated, call, policy, patterns), evaluated, call, policy),
    text:
      evaluated.unit.kind === 'command' ? (evaluated.unit.loose[0] ?? evaluated.display) : evaluated.display,
  }));
  const [first, ...others] = verdicts;
  if (first === undefined) throw new Error('a call without a unit cannot be decided on');
  const unread = verdicts.find(({ mistake }) => mistake !== undefined);
  const forbidden = verdicts.some(({ action, rule }) => action === 'reject' && rule !== null);
  // The apparent content of an unreadable script may differ from what runs.
  const strictest =
    unread !== undefined && !forbidden
      ? unread
      : others.reduce(
          (worst, next) => (strictness[next.action] > strictness[worst.action] ? next : worst),
          first,
        );
  const rest: Decision = {
    action: strictest.action,
    level: call.level,
    reason: strictest.reason,
    ...(strictest.advice === undefined ? {} : { advice: strictest.advice }),
    rule: strictest.rule,
    hard: strictest.hard,
    ...(strictest.mistake === undefined ? {} : { mistake: true }),
    commands:
      scripts.length === 0
        ? []
        : verdicts.map(({ display, action, reason }) => ({ command: display, action, reason })),
  };
  const delegate = verdicts.flatMap(({ to, rule, display, text }) =>
    to === null || rule === null ? [] : [{ to, rule, display, text }],
  );
  return delegate.length === 0 || rest.action === 'reject' ? rest : { delegate, rest };
}

/**
 * Decides on one tool call as `decideCall` does, then asks hooks and `delegate` programs. A program
 * that fails to start or is killed by a signal rejects.
 */
export async function decide(
  call: PolicyCall,
  policy: Policy,
  ask: AskProgram,
  hooks: readonly Hook[] = [],
): Promise<Decision> {
  const decided = decideCall(call, policy);
  const [rest, delegates] = 'delegate' in decided ? [decided.rest, decided.delegate] : [decided, []];
  if (rest.action === 'reject' && (rest.hard || rest.mistake === true)) return rest;
  const answer = hooks.length === 0 ? null : await askHooks(call, hooks, ask);
  if (answer?.action === 'reject') {
    const { advice: _, ...others } = rest;
    return { ...others, ...answer };
  }
  const decision = await askDelegates(call, rest, delegates, ask);
  return answer !== null && strictness[answer.action] > strictness[decision.action]
    ? { ...decision, ...answer }
    : decision;
}

/** Asks the programs of `delegate` rules in order, up to the first rejection. */
async function askDelegates(
  call: PolicyCall,
  rest: Decision,
  delegates: readonly DelegatedPart[],
  ask: AskProgram,
): Promise<Decision> {
  const parts = [...new Map(delegates.map((one) => [`${one.to}\0${one.text}`, one])).values()];
  let decision = rest;
  for (const part of parts) {
    const count = parts.filter(({ to }) => to === part.to).length;
    const verdict =
      count > maxParts
        ? { action: 'reject' as const, reason: tooManyParts(part), advice: 'Do fewer in one call.' }
        : await askDelegate(call, part, ask);
    const commands = decision.commands.map((one) =>
      one.command === part.display ? { ...one, ...verdict } : one,
    );
    const decides = strictness[verdict.action] > strictness[decision.action] || decision.action === 'allow';
    decision = decides ? { ...decision, ...verdict, rule: part.rule, commands } : { ...decision, commands };
    if (verdict.action === 'reject') break;
  }
  return decision;
}

async function askDelegate(
  call: PolicyCall,
  { to, rule, display, text }: DelegatedPart,
  ask: AskProgram,
): Promise<Pick<Decision, 'action' | 'reason'>> {
  const program = { run: to, by: rule, delegate: true };
  const scripted = (call.targets.commands ?? []).length > 0;
  return resolveAnswer(
    to,
    rule,
    await ask(scripted ? { program, call, part: text } : { program, call }),
    display,
  );
}

function tooManyParts({ to, rule }: DelegatedPart): string {
  return `More than ${maxParts} commands of this script are for \`${to}\` to decide, by ${rule}.`;
}

interface UnitVerdict {
  readonly display: string;
  readonly action: Action;
  readonly reason: string;
  /** Advice to the model. */
  readonly advice?: string;
  readonly rule: string | null;
  readonly to: string | null;
  readonly hard: boolean;
  /** True for a script rejected as unreadable. */
  readonly mistake?: true;
}

/** Applies grants to a verdict: they turn `ask` into `allow`, never a rejection. */
function lifted(
  verdict: UnitVerdict,
  evaluated: EvaluatedUnit,
  call: PolicyCall,
  policy: Policy,
): UnitVerdict {
  if (verdict.action !== 'ask' || verdict.hard) return verdict;
  const grant = grantFor(policy.grants ?? [], call, evaluated.unit);
  if (grant === null) return verdict;
  const reason = `\`${verdict.display}\` was granted by ${grant.by} for this session (${grant.hash}).`;
  return { ...verdict, action: 'allow', reason };
}

function decideUnit(
  evaluated: EvaluatedUnit,
  call: PolicyCall,
  policy: Policy,
  patterns: CompiledPatterns,
): UnitVerdict {
  const { display, mistake } = evaluated;
  const verdict = { display, rule: null, to: null, hard: false };
  const unread = mistake === undefined ? {} : ({ ...mistake, mistake: true } as const);
  const ceiling = policy.readOnly ? 'this run may only read' : policy.commandCeiling;
  if (ceiling !== null && !evaluated.withinCeiling)
    return {
      ...verdict,
      action: 'reject',
      reason: `\`${display}\` ${evaluated.because}; ${ceiling}, and runs nothing but commands that are known to read.`,
      hard: true,
      ...unread,
    };
  const matched = matchRules(policy.rules, call, evaluated.unit, patterns);
  if (matched === null) {
    const preset = { ...verdict, ...presetVerdict(evaluated, policy) };
    return preset.action === 'allow' ? preset : { ...preset, ...unread };
  }
  if (matched.action === 'ask' && mistake !== undefined)
    return { ...verdict, action: 'reject', ...mistake, mistake: true };
  return { ...verdict, rule: matched.rule, ...ruleVerdict(display, matched) };
}

function ruleVerdict(
  display: string,
  { action, to, rule }: RuleVerdict,
): Pick<UnitVerdict, 'action' | 'reason' | 'to'> {
  if (action !== 'delegate') {
    const verb = { allow: 'is allowed', ask: 'needs the agreement of a person', reject: 'is rejected' };
    return { action, reason: `\`${display}\` ${verb[action]} by ${rule}.`, to: null };
  }
  return to === null
    ? { action: 'reject', reason: `${rule} delegates without naming a program in \`to\`.`, to }
    : { action: 'allow', reason: `\`${display}\` is for \`${to}\` to decide.`, to };
}

function presetVerdict(
  evaluated: EvaluatedUnit,
  policy: Policy,
): Pick<UnitVerdict, 'action' | 'reason' | 'advice'> {
  const { preset: action, because, display } = evaluated;
  const name = `the preset ${policy.preset}`;
  if (action === 'allow') return { action, reason: `\`${display}\` ${because}; ${name} allows that.` };
  if (action === 'reject')
    return {
      action,
      reason: `\`${display}\` ${because}; ${name} refuses that.`,
      advice: insteadOf(because),
    };
  const sandbox = policy.preset === 'careful' && !policy.sandboxed ? ' without a sandbox' : '';
  return {
    action,
    reason: `\`${display}\` ${because}; ${name} requires a person's approval${sandbox}. A rule can allow it.`,
  };
}

/** Returns an alternative to what a preset refuses, by the reason. */
function insteadOf(because: string): string {
  const advice = alternatives.find(([reason]) => because.startsWith(reason));
  return advice?.[1] ?? 'Use something narrower, or say in your answer what a person should do.';
}

const alternatives: readonly (readonly [because: string, advice: string])[] = [
  [
    'deletes folders without asking',
    'Delete the files by their names, without `-f`: the run stores their content, except for files that git ignores.',
  ],
  ['throws away uncommitted work', 'Take back your own edits file by file, with the edit tools.'],
  ['deletes untracked files', 'Delete the files you made by their names.'],
  ['publishes to the world', 'Say in your answer that a person should publish, and what.'],
  [
    'overwrites or deletes what others',
    'What the run changed is published at its end; say in your answer what else a person should push.',
  ],
  ['runs as another user', 'Run it without them, or say in your answer what a person should do.'],
];
