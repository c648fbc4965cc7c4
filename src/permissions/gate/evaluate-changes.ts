import type { Action } from '../../contract/levels.ts';
import type { Rule } from '../../contract/rules.ts';
import {
  type CompiledPatterns,
  matchRules,
  namesPaths,
  type RuleVerdict,
  type Unit,
} from '../policy/match-rules.ts';
import type { Policy, PolicyCall } from '../policy/policy.ts';
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
  readonly link?: true | undefined;
  /** Protected names by which links of the tree lead there. */
  readonly also?: readonly string[];
}

/** A change to revert. `short` names the reason in a list, such as `protected` or `rule 2`. */
export interface RejectedChange {
  readonly path: string;
  readonly reason: string;
  readonly short: string;
}

/** The call whose command made the changes. */
export type ChangingCall = Pick<PolicyCall, 'tool' | 'input' | 'context'> & {
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
const mostDelegated = 50;

/**
 * Returns the changes of a command to revert. These are changes of unwritable paths, and changes
 * that rules about paths reject or ask about without approval. Rules apply as for an edit tool and
 * as for the command itself.
 *
 * The preset was already applied to the command. Delegates are asked one change at a time.
 */
export async function evaluateChanges(
  changes: readonly SeenChange[],
  by: ChangingCall,
  policy: Policy,
  ask: AskProgram,
): Promise<RejectedChange[]> {
  const evaluation: ChangeEvaluation = {
    policy,
    by,
    ask,
    patterns: new Map(),
    rules: pathRules(policy),
    delegated: 0,
  };
  const rejected: RejectedChange[] = [];
  for (const change of changes) {
    const why = neverWritten(change, policy) ?? (await byRules(change, evaluation));
    if (why !== null) rejected.push(why);
  }
  return rejected;
}

interface ChangeEvaluation {
  readonly policy: Policy;
  readonly by: ChangingCall;
  readonly ask: AskProgram;
  readonly patterns: CompiledPatterns;
  readonly rules: readonly Rule[];
  delegated: number;
}

function neverWritten({ path, link, also = [] }: SeenChange, policy: Policy): RejectedChange | null {
  const rejected = (reason: string): RejectedChange => ({ path, reason, short: 'protected' });
  const why = isProtected(path, policy.protectedAllow);
  if (why !== null) return rejected(`\`${path}\` is protected, because ${why}.`);
  if (link === true && holdsProtected(path) && !policy.protectedAllow.includes(path))
    return rejected(`\`${path}\` may not be a link: its target would be at a protected path.`);
  for (const name of also) {
    const reason = isProtected(name, policy.protectedAllow);
    if (reason !== null) return rejected(`\`${path}\` is protected: \`${name}\` leads there, and ${reason}.`);
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
async function byRules(change: SeenChange, evaluation: ChangeEvaluation): Promise<RejectedChange | null> {
  const { path } = change;
  if (evaluation.rules.length === 0) return null;
  let rejected: RejectedChange | null = null;
  for (const tool of new Set([evaluation.by.tool, 'bash', ...editTools[change.kind]])) {
    const verdict = await verdictFor(tool, change, evaluation);
    if (verdict === null) continue;
    const { action, reply, rule } = verdict;
    const verb = action === 'ask' ? 'needs the agreement of a person' : 'is rejected';
    const reason = `A change of \`${path}\` ${verb} by ${rule}.${reply}`;
    rejected = { path, reason, short: /^rule \d+/.exec(rule)?.[0] ?? rule };
    if (action === 'reject') return rejected;
  }
  return rejected;
}

/**
 * Returns the rules' verdict on a change as if a tool had made it; null if it is allowed or
 * approved.
 */
async function verdictFor(
  tool: string,
  change: SeenChange,
  evaluation: ChangeEvaluation,
): Promise<{ readonly action: Action; readonly reply: string; readonly rule: string } | null> {
  const { path } = change;
  const { by, policy, rules, patterns } = evaluation;
  const unit: Unit = { kind: 'path', exact: [path], loose: [path] };
  const call = callOf(tool, change, by);
  const matched = matchRules(rules, call, unit, patterns);
  if (matched === null) return null;
  const { action, reply } =
    matched.action === 'delegate'
      ? await byDelegate(matched, call, path, evaluation)
      : { action: matched.action, reply: '' };
  if (action === 'allow') return null;
  if (action === 'ask' && (by.approved || grantFor(policy.grants ?? [], call, unit) !== null)) return null;
  return { action, reply, rule: matched.rule };
}

async function byDelegate(
  { to, rule }: RuleVerdict,
  call: PolicyCall,
  path: string,
  evaluation: ChangeEvaluation,
): Promise<{ readonly action: Action; readonly reply: string }> {
  evaluation.delegated += 1;
  if (to === null) return { action: 'reject', reply: ' It names no program to ask.' };
  if (evaluation.delegated > mostDelegated)
    return {
      action: 'reject',
      reply: ` Its program is not asked about more than ${mostDelegated} files at once.`,
    };
  const answer = await evaluation.ask({ program: { run: to, by: rule, delegate: true }, call });
  const { action, reason } = resolveAnswer(to, rule, answer, path);
  return { action, reply: ` ${reason}` };
}

/** The name of no tool. */
const noTool = 'no tool';

function callOf(tool: string, { path, diff }: SeenChange, by: ChangingCall): PolicyCall {
  const own = tool === by.tool;
  return {
    tool,
    level: 'confirm_write',
    input: own ? { ...by.input, path } : { path },
    targets: {
      what: path,
      paths: [{ path, access: 'write' }],
      // A command's change is part of the command: rules on `> build/*` apply.
      commands: own ? [] : undefined,
    },
    context: by.context,
    ownState: false,
    diff: diff === '' ? undefined : diff,
  };
}
