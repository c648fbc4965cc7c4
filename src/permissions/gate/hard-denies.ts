import { posix } from 'node:path';
import type { Decision } from '../../contract/decision.ts';
import type { Policy, PolicyCall } from '../policy/policy.ts';
import { literalVariants } from '../shell/literal-variables.ts';
import type { ScriptAnalysis, SimpleCommand } from '../shell/simple-command.ts';
import { writtenFiles } from '../shell/written-paths.ts';
import { isCredentialPath } from './credential-paths.ts';
import { isProtected } from './protected-paths.ts';

/** Reason for people, with advice to the model. */
type Denial = Pick<Decision, 'reason' | 'advice'>;

/**
 * Returns why a call may not happen whatever rules, grants or people say, or null. Reasons: a path
 * outside the workspace, credentials, or a write to a protected path.
 *
 * In scripts this covers only visible paths. The sandbox and the final check of the patch cover the
 * rest.
 */
export function hardDeny(
  call: PolicyCall,
  scripts: readonly ScriptAnalysis[],
  policy: Policy,
): Denial | null {
  return (
    firstOf(call.targets.paths ?? [], ({ path, access }) => denyPath(path, access, policy)) ??
    firstOf(scripts, (script) => denyScript(script, startFolder(call), policy))
  );
}

/** Returns the folder in which a call's commands start, relative to the workspace, as given. */
export function startFolder(call: PolicyCall): string {
  const folder = call.input.cwd ?? call.input.workdir;
  return typeof folder === 'string' ? folder : '';
}

/**
 * Returns the denial of commands that start outside of the workspace and are evaluated by their
 * effect. Null if they start inside, or may not leave it.
 */
export function startsElsewhere(call: PolicyCall, policy: Policy): Denial | null {
  const start = startFolder(call);
  if (start === '' || (call.targets.commands ?? []).length === 0) return null;
  const mayLeave =
    policy.sandboxed ||
    (policy.preset === 'unrestricted' && !policy.readOnly && policy.commandCeiling === null);
  if (!mayLeave || policy.relativePath(start) !== null || isCredentialPath(start) !== null) return null;
  // Outside the workspace, a sandbox has little besides system folders and its own /tmp.
  const reachable = !policy.sandboxed || isTemporary(start);
  const advice = reachable
    ? 'Leave the folder out and go there by `cd` in the command.'
    : 'Leave the folder out, or name one of the workspace, from its root.';
  const reason = `\`${start}\` is outside the workspace, where commands must start. Nothing was run.`;
  return { reason, advice };
}

/**
 * Returns true for a device that stores nothing: `/dev/null`, the output streams. Standard input
 * and other descriptors do not count: opened for writing, they are the files opened for reading.
 */
export function isPlainDevice(path: string): boolean {
  return /^\/dev\/(null|zero|stdout|stderr|tty|u?random)$/.test(path);
}

/** Returns true for a path that lasts only as long as the sandbox, or that any program may use. */
export function isTemporary(path: string): boolean {
  return /^\/(tmp|var\/tmp)(\/|$)/.test(posix.normalize(path));
}

function denyPath(path: string, access: 'read' | 'write', policy: Policy): Denial | null {
  const relative = policy.relativePath(path);
  const credential = isCredentialPath(relative ?? path) ?? isCredentialPath(path);
  if (credential !== null) return { reason: `\`${path}\` may be neither read nor written: ${credential}.` };
  if (relative === null)
    return { reason: `\`${path}\` lies outside the workspace.`, advice: 'Use paths inside it.' };
  if (access === 'read') return null;
  if (relative.startsWith('/'))
    return { reason: `\`${path}\` may only be read.`, advice: 'Write inside the workspace.' };
  return denyProtected(relative, policy);
}

function denyScript(script: ScriptAnalysis, start: string, policy: Policy): Denial | null {
  for (const file of script.redirections) {
    const paths = [...(file.paths ?? []), ...(file.maybe ?? [])].filter((path) => !isPlainDevice(path));
    const denied = firstOf(paths, (path) => denyFromShell(path, file.access, start, policy));
    if (denied !== null) return denied;
  }
  return firstOf(script.commands.flatMap(literalVariants), (command) => denyCommand(command, start, policy));
}

function denyCommand(command: SimpleCommand, start: string, policy: Policy): Denial | null {
  const written = writtenFiles(command).flatMap(({ paths }) => paths ?? []);
  const denied = firstOf(written, (path) => denyWritten(path, start, policy));
  if (denied !== null) return denied;
  const credential = command.words
    .slice(1)
    .map((word) => word.value ?? word.source)
    .find((value) => isCredentialPath(value) !== null && !value.startsWith('-'));
  return credential === undefined
    ? null
    : { reason: `\`${credential}\` may be neither read nor written: credentials are kept there.` };
}

function firstOf<Item>(items: readonly Item[], deny: (item: Item) => Denial | null): Denial | null {
  for (const item of items) {
    const denied = deny(item);
    if (denied !== null) return denied;
  }
  return null;
}

/** Redirections outside count only without a sandbox: within one, outside is empty or read-only. */
function denyFromShell(path: string, access: 'read' | 'write', start: string, policy: Policy): Denial | null {
  const full = path.startsWith('/') ? path : posix.join(start, path);
  const outside = policy.relativePath(full) === null;
  if (outside && isCredentialPath(full) === null) {
    const harmless = policy.sandboxed || access === 'read' || isTemporary(full) || full.startsWith('/dev/');
    if (harmless) return null;
    return {
      reason: `\`> ${path}\` writes outside the workspace.`,
      advice: 'Write inside it, or under /tmp.',
    };
  }
  return denyPath(full, access, policy);
}

function denyWritten(path: string, start: string, policy: Policy): Denial | null {
  const full = path.startsWith('/') ? path : posix.join(start, path);
  const relative = policy.relativePath(full);
  if (relative === null) return null;
  return denyProtected(relative, policy);
}

function denyProtected(relative: string, policy: Policy): Denial | null {
  const reason = isProtected(relative, policy.protectedAllow);
  if (reason !== null) return protectedReason(relative, reason);
  for (const name of policy.alsoNamed?.(relative) ?? []) {
    const why = isProtected(name, policy.protectedAllow);
    if (why !== null) return protectedReason(relative, `\`${name}\` leads there, and ${why}`);
  }
  return null;
}

function protectedReason(path: string, reason: string): Denial {
  return { reason: `\`${path}\` is protected, because ${reason}. No run may change it.` };
}
