import type { Approval, ApprovalDecision, Refusal } from '../../contract/decision.ts';
import { RunStopped, ToolError } from '../../contract/errors.ts';
import { omitUndefined } from '../../contract/json.ts';
import type { Rule } from '../../contract/rules.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { callDigest, shortHash } from '../../permissions/gate/call-digest.ts';
import { namesOneTool, rejectedAnyway } from '../../permissions/gate/grants.ts';
import { patternProblem } from '../../permissions/patterns/compile-pattern.ts';
import { describePermission } from '../../permissions/policy/describe-permission.ts';
import type { PermissionRequest } from '../../tools/tool.ts';
import { type ApprovedCall, tooMuchToShow } from '../calls/approved-call.ts';
import type { CallToolPorts } from '../calls/call-tool.ts';
import type { ToolSet } from '../profiles/tool-set.ts';
import type { RunSettings } from './run-tree.ts';

/** Asks people for approvals, for one main run. */
export interface Approvals {
  readonly ports: Pick<CallToolPorts, 'requestApproval' | 'approved'>;
  /** Asks for permissions for the session. Ends the run as waiting or throws `ToolError`. */
  requestPermissions(callId: string, request: PermissionRequest): never;
}

type ApprovalSettings = Pick<RunSettings, 'canApprove' | 'rules' | 'decided' | 'open' | 'before' | 'baseSha'>;

/** Makes the approvals of a main run. Each turn asks for one at most; later calls are not run. */
export function makeApprovals(
  settings: ApprovalSettings,
  tools: ToolSet,
  record: (entry: RunEntry) => void,
): Approvals {
  return new MainApprovals(settings, tools, record);
}

const permissionTool = 'request_permissions';

class MainApprovals implements Approvals {
  readonly ports: Approvals['ports'];
  readonly #settings: ApprovalSettings;
  readonly #tools: ToolSet;
  readonly #record: (entry: RunEntry) => void;
  #isRequested = false;

  constructor(settings: ApprovalSettings, tools: ToolSet, record: (entry: RunEntry) => void) {
    this.#settings = settings;
    this.#tools = tools;
    this.#record = record;
    const approved = this.#approvedCall();
    this.ports = settings.canApprove
      ? { approved, requestApproval: (approval) => this.#wait(approval) }
      : { approved };
  }

  requestPermissions(callId: string, { permissions, reason }: PermissionRequest): never {
    const rules = permissions.map((one) => permissionRule(one, this.#tools));
    const what = rules.map(describePermission).join('; ');
    const refusal = { tool: permissionTool, what, call_id: callId };
    if (!this.#settings.canApprove) {
      const why = `Nobody can be asked in this run. The agent gave this reason: ${reason}`;
      this.#record({ type: 'refusal', refusal: { ...refusal, reason: why } });
      throw new ToolError(
        'refused',
        'Refused: nobody can give permissions in this run. The report names what you asked for, and why. Go on without it.',
      );
    }
    this.#refuseRejected(rules, refusal);
    const digest = callDigest({
      tool: permissionTool,
      input: { permissions: rules.map((rule) => ({ ...rule })) as never },
      targets: { what },
      diff: undefined,
    });
    const approval: Approval = {
      ...{ tool: permissionTool, what, reason, hash: shortHash(digest), digest },
      ...{ call_id: callId, waits: true, permissions: rules },
    };
    if (tooMuchToShow(approval))
      throw new ToolError('invalid_input', 'This is too long to be shown to a person. Ask for less.');
    return this.#wait(approval);
  }

  /** Throws `ToolError` for a permission that a rule rejects anyway. */
  #refuseRejected(rules: readonly Rule[], refusal: Omit<Refusal, 'reason'>): void {
    for (const rule of rules) {
      const rejecting = rejectedAnyway(rule, this.#settings.rules);
      if (rejecting === null) continue;
      const why = `${describePermission(rule)} is rejected by ${rejecting}, which nobody can lift`;
      this.#record({ type: 'refusal', refusal: { ...refusal, reason: `${why}.` } });
      throw new ToolError(
        'refused',
        `Refused: ${why} in this run. Nobody was asked; go on without it, and ask for the rest by itself.`,
      );
    }
  }

  #wait(approval: Approval): never {
    const { tool, what, call_id } = approval;
    const denied = this.#denied(approval.hash);
    if (denied !== undefined) {
      const reason = `${denied.by} has denied exactly this already.`;
      this.#record({ type: 'refusal', refusal: { tool, what, reason, call_id } });
      throw new ToolError('refused', `Refused: ${reason} Nothing was done; go on without it.`);
    }
    if (!this.#isRequested) this.#record({ type: 'approval.required', approval });
    this.#isRequested = true;
    throw new RunStopped({ kind: 'waiting', message: `Waiting for approval of ${tool}.` });
  }

  /** Returns an earlier denial of the same call on the same commit: people are not asked twice. */
  #denied(hash: string): ApprovalDecision | undefined {
    const { before, decided, baseSha } = this.#settings;
    return [...(before?.decided ?? []), ...(decided ? [decided] : [])].find(
      (one) => one.hash === hash && one.verdict === 'denied' && one.head_sha === baseSha,
    );
  }

  #approvedCall(): ApprovedCall | null {
    const { open, decided } = this.#settings;
    if (open === null || decided === null) return null;
    let hasLapsed = false;
    return {
      ...{ callId: open.call.id, digest: open.digest, hash: decided.hash, by: decided.by, use: open.use },
      lapse: (note) => {
        if (!hasLapsed)
          this.#record({ type: 'approval.decided', decided: { ...decided, verdict: 'lapsed', note } });
        hasLapsed = true;
      },
    };
  }
}

/** Returns a permission as a rule. Throws `ToolError('invalid_input')` for an unclear one. */
function permissionRule({ tool, matches }: PermissionRequest['permissions'][number], tools: ToolSet): Rule {
  const found = namesOneTool(tool) ? tools.find(tool) : undefined;
  if (found === undefined) {
    const near = tools.near(tool);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    throw new ToolError(
      'invalid_input',
      `"${tool}" is not the name of one tool of this run; patterns are not taken here.${hint}`,
    );
  }
  const problem = patternProblem(matches ?? {});
  if (problem !== null) throw new ToolError('invalid_input', `matches: ${problem}`);
  return omitUndefined({ tool: found.tool.name, matches, action: 'allow' as const });
}
