import { posix } from 'node:path';
import type { Decision } from '../../src/contract/decision.ts';
import { decideCall } from '../../src/permissions/gate/gate.ts';
import type { Policy, PolicyCall } from '../../src/permissions/policy/policy.ts';

/** A workspace in name only: every relative path that stays below it is inside. */
function relativePath(path: string): string | null {
  const inside = path.startsWith('/repo/') ? path.slice('/repo/'.length) : path;
  const normal = posix.normalize(inside).replace(/^\.$/, '');
  return normal.startsWith('/') || normal.startsWith('..') ? null : normal;
}

export function policy(change: Partial<Policy> = {}): Policy {
  return {
    preset: 'careful',
    rules: [],
    readOnly: false,
    commandCeiling: null,
    protectedAllow: [],
    sandboxed: true,
    relativePath,
    ...change,
  };
}

export function bashCall(command: string, change: Partial<PolicyCall> = {}): PolicyCall {
  return {
    tool: 'bash',
    level: 'confirm_execute',
    input: { command },
    targets: { what: command, commands: [command] },
    context: 'main',
    ownState: false,
    ...change,
  };
}

export function pathCall(tool: string, access: 'read' | 'write', ...paths: string[]): PolicyCall {
  return {
    tool,
    level: access === 'read' ? 'auto_read' : 'confirm_write',
    input: { path: paths[0] ?? '' },
    targets: { what: paths.join(', '), paths: paths.map((path) => ({ path, access })) },
    context: 'main',
    ownState: false,
  };
}

/** The decision on a call to which no `delegate` rule applies. */
export function decided(call: PolicyCall, change: Partial<Policy> = {}): Decision {
  const decision = decideCall(call, policy(change));
  if ('delegate' in decision) throw new Error('a delegate was to be asked');
  return decision;
}
