import type { Action } from '../../contract/levels.ts';
import type { Rule } from '../../contract/rules.ts';
import {
  type CompiledPatterns,
  matchRules,
  namesPaths,
  type RuleVerdict,
  type Unit,
} from '../policy/match-rules.ts';
import type { GateCall, Policy } from '../policy/policy.ts';
import { type AskProgram, resolveAnswer } from './ask-programs.ts';
import { isCredentialPath } from './credential-paths.ts';
import { grantFor } from './grants.ts';
import { holdsProtected, isProtected } from './protected-paths.ts';

/**
 * A path changed by a command, relative to the workspace. `diff` is empty for long or binary files.
 */
export interface SeenChange {
  readonly path: string;
  readonly kind: 'add' | 'modify' | 'delete';
  readonly diff: string;
  /** True if the path is now a link. */
  readonly link?: true;
  /** Protected names by which links of the tree lead there. */
  readonly also?: readonly string[];
}

/** A change to revert. `short` names the reason in a list, such as `protected` or `rule 2`. */
export interface HeldChange {
  readonly path: string;
  readonly reason: string;
  readonly short: string;
}

/** The call whose command made the changes. */
export type ChangingCall = Pick<GateCall, 'tool' | 'input' | 'context'> & {
  /** True if a person approved this very call. Then nothing is asked again. */
  readonly approved: boolean;
};

/** The tools that rules about changes name. */
const editTools: Readonly<Record<SeenChange['kind'], readonly string[]>> = {
  add: ['create_file', 'apply_patch'],
  modify: ['edit_file', 'apply_patch'],
  delete: ['edit_file', 'apply_patch'],
};

/** Maximum changed files to ask programs about. More are rejected. */
const mostAsked = 50;

/**
 * Returns the changes of a command to revert. These are changes of unwritable paths, and changes
 * that rules about paths reject or ask about without approval. Rules apply as for an edit tool and
 * as for the command itself.
 *
 * The preset was already applied to the command. Delegates are asked one change at a time.
 */
export async function judgeChanges(
  changes: readonly SeenChange[],
  by: ChangingCall,
  policy: Policy,
  ask: AskProgram,
): Promise<HeldChange[]> {
  const judging: ChangeEvaluation = {
    policy,
    by,
    ask,
    patterns: new Map(),
    rules: pathRules(policy),
    asked: 0,
  };
  const held: HeldChange[] = [];
  for (const change of changes) {
    const why = neverWritten(change, policy) ?? (await byRules(change, judging));
    if (why !== null) held.push(why);
  }
  return held;
}

interface ChangeEvaluation {
  readonly policy: Policy;
  readonly by: ChangingCall;
  readonly ask: AskProgram;
  readonly patterns: CompiledPatterns;
  readonly rules: readonly Rule[];
  asked: number;
}

function neverWritten({ path, link, also = [] }: SeenChange, policy: Policy): HeldChange | null {
  const held = (reason: string): HeldChange => ({ path, reason, short: 'protected' });
  const why = isProtected(path, policy.protectedAllow);
  if (why !== null) return held(`\`${path}\` is protected, because ${why}.`);
  if (link === true && holdsProtected(path) && !policy.protectedAllow.includes(path))
    return held(`\`${path}\` may be no link: what it leads to would stand in a protected place.`);
  for (const name of also) {
    const reason = isProtected(name, policy.protectedAllow);
    if (reason !== null) return held(`\`${path}\` is protected: \`${name}\` leads there, and ${reason}.`);
  }
  if (isCredentialPath(path) === null) return null;
  const reason = `\`${path}\` may not be written: credentials are kept there.`;
  return { path, reason, short: 'credentials' };
}

/** Returns the rules with non-path restrictions disabled. Positions stay, since names use them. */
function pathRules({ rules }: Policy): Rule[] {
  return rules.map((rule) =>
    rule.action === 'allow' || namesPaths(rule) ? rule : { ...rule, tool: noTool },
  );
}

/** Returns the strictest verdict of the rules over the ways a change could have been made. */
async function byRules(change: SeenChange, judging: ChangeEvaluation): Promise<HeldChange | null> {
  const { path } = change;
  if (judging.rules.length === 0) return null;
  let held: HeldChange | null = null;
  for (const tool of new Set([judging.by.tool, 'bash', ...editTools[change.kind]])) {
    const verdict = await verdictFor(tool, change, judging);
    if (verdict === null) continue;
    const { action, said, rule } = verdict;
    const verb = action === 'ask' ? 'needs the agreement of a person' : 'is rejected';
    const reason = `A change of \`${path}\` ${verb} by ${rule}.${said}`;
    held = { path, reason, short: /^rule \d+/.exec(rule)?.[0] ?? rule };
    if (action === 'reject') return held;
  }
  return held;
}

/**
 * Returns the rules' verdict on a change as if a tool had made it; null if it is allowed or
 * approved.
 */
async function verdictFor(
  tool: string,
  change: SeenChange,
  judging: ChangeEvaluation,
): Promise<{ readonly action: Action; readonly said: string; readonly rule: string } | null> {
  const { path } = change;
  const { by, policy, rules, patterns } = judging;
  const unit: Unit = { kind: 'path', exact: [path], loose: [path] };
  const call = callOf(tool, change, by);
  const matched = matchRules(rules, call, unit, patterns);
  if (matched === null) return null;
  const { action, said } =
    matched.action === 'delegate'
      ? await byDelegate(matched, call, path, judging)
      : { action: matched.action, said: '' };
  if (action === 'allow') return null;
  if (action === 'ask' && (by.approved || grantFor(policy.grants ?? [], call, unit) !== null)) return null;
  return { action, said, rule: matched.rule };
}

async function byDelegate(
  { to, rule }: RuleVerdict,
  call: GateCall,
  path: string,
  judging: ChangeEvaluation,
): Promise<{ readonly action: Action; readonly said: string }> {
  judging.asked += 1;
  if (to === null) return { action: 'reject', said: ' It names no program to ask.' };
  if (judging.asked > mostAsked)
    return {
      action: 'reject',
      said: ` Its program is not asked about more than ${mostAsked} files at once.`,
    };
  const answer = await judging.ask({ program: { run: to, by: rule, delegate: true }, call });
  const { action, reason } = resolveAnswer(to, rule, answer, path);
  return { action, said: ` ${reason}` };
}

/** The name of no tool. */
const noTool = 'no tool';

function callOf(tool: string, { path, diff }: SeenChange, by: ChangingCall): GateCall {
  const own = tool === by.tool;
  return {
    tool,
    level: 'confirm_write',
    input: own ? { ...by.input, path } : { path },
    targets: {
      what: path,
      paths: [{ path, access: 'write' }],
      // A command's change is part of the command: rules on `> build/*` apply.
      ...(own ? { commands: [] } : {}),
    },
    context: by.context,
    ownState: false,
    ...(diff === '' ? {} : { diff }),
  };
}
