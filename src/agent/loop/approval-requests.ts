import type { Approval } from '../../contract/decision.ts';
import { RunStopped, ToolError } from '../../contract/errors.ts';
import type { Rule } from '../../contract/rules.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { callDigest, shortHash } from '../../permissions/gate/call-digest.ts';
import { namesOneTool, rejectedAnyway } from '../../permissions/gate/grants.ts';
import { patternProblem } from '../../permissions/patterns/compile-pattern.ts';
import { describePermission } from '../../permissions/policy/describe-permission.ts';
import type { PermissionRequest } from '../../tools/tool.ts';
import { tooMuchToShow } from '../calls/approved-call.ts';
import type { CallToolPorts } from '../calls/call-tool.ts';
import type { ToolSet } from '../profiles/tool-set.ts';
import type { RunSettings } from './run-tree.ts';

type Ports = Pick<CallToolPorts, 'requestApproval' | 'approved'>;

/** Asks people for approvals, for one main run. */
export interface Approvals {
  readonly ports: Ports;
  /**
   * Asks for permissions that hold for the rest of the session; ends the run as waiting, or throws
   * `ToolError`.
   */
  requestPermissions(callId: string, request: PermissionRequest): never;
}

/**
 * The approvals of a main run. Only one can be asked for at a time: what else of the same turn
 * wants one is not run.
 */
export function makeApprovals(
  settings: Pick<RunSettings, 'canApprove' | 'rules' | 'decided' | 'open' | 'before' | 'baseSha'>,
  tools: ToolSet,
  record: (entry: RunEntry) => void,
): Approvals {
  const { canApprove, decided, open, before, baseSha } = settings;
  const all = [...(before?.decided ?? []), ...(decided === null ? [] : [decided])];
  let isRequested = false;
  let lapsed = false;
  const wait = (approval: Approval): never => {
    // Asked again and again, people stop reading.
    const denied = all.find(
      ({ hash, verdict, head_sha }) => hash === approval.hash && verdict === 'denied' && head_sha === baseSha,
    );
    if (denied !== undefined) {
      const { tool, what, call_id } = approval;
      const reason = `${denied.by} has denied exactly this already.`;
      record({ type: 'refusal', refusal: { tool, what, reason, call_id } });
      throw new ToolError('refused', `Refused: ${reason} Nothing was done; go on without it.`);
    }
    if (!isRequested) record({ type: 'approval.required', approval });
    isRequested = true;
    throw new RunStopped({ kind: 'waiting', message: `Waiting for approval of ${approval.tool}.` });
  };
  return {
    ports: {
      ...(canApprove ? { requestApproval: wait } : {}),
      approved:
        open === null || decided === null
          ? null
          : {
              callId: open.call.id,
              digest: open.digest,
              hash: decided.hash,
              by: decided.by,
              use: open.use,
              lapse: (note) => {
                if (!lapsed)
                  record({ type: 'approval.decided', decided: { ...decided, verdict: 'lapsed', note } });
                lapsed = true;
              },
            },
    },
    requestPermissions(callId, { permissions, reason }) {
      const rules = permissions.map((one) => permissionRule(one, tools));
      const what = rules.map(describePermission).join('; ');
      if (!canApprove) {
        const why = `Nobody can be asked in this run. The agent gave this reason: ${reason}`;
        const refusal = { tool: 'request_permissions', what, reason: why, call_id: callId };
        record({ type: 'refusal', refusal });
        throw new ToolError(
          'refused',
          'Refused: nobody can give permissions in this run. The report names what you asked for, and why. Go on without it.',
        );
      }
      for (const rule of rules) {
        const rejecting = rejectedAnyway(rule, settings.rules);
        if (rejecting === null) continue;
        const why = `${describePermission(rule)} is rejected by ${rejecting}, which nobody can lift`;
        record({
          type: 'refusal',
          refusal: { tool: 'request_permissions', what, reason: `${why}.`, call_id: callId },
        });
        throw new ToolError(
          'refused',
          `Refused: ${why} in this run. Nobody was asked; go on without it, and ask for the rest by itself.`,
        );
      }
      const digest = callDigest({
        tool: 'request_permissions',
        input: { permissions: rules.map((rule) => ({ ...rule })) as never },
        targets: { what },
        diff: undefined,
      });
      const approval: Approval = {
        tool: 'request_permissions',
        what,
        reason,
        hash: shortHash(digest),
        digest,
        call_id: callId,
        waits: true,
        permissions: rules,
      };
      if (tooMuchToShow(approval))
        throw new ToolError('invalid_input', 'This is too long to be shown to a person. Ask for less.');
      return wait(approval);
    },
  };
}

/**
 * One permission as a rule; `ToolError('invalid_input')` where nobody could tell what it would
 * allow.
 */
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
  return { tool: found.tool.name, ...(matches === undefined ? {} : { matches }), action: 'allow' };
}
