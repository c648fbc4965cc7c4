import { posix } from 'node:path';
import type { Action } from '../../contract/levels.ts';
import { restrictsCommands, type Unit } from '../policy/match-rules.ts';
import type { Policy, PolicyCall } from '../policy/policy.ts';
import { commandAction, presetAction } from '../policy/presets.ts';
import { commandLine, exactTexts, looseTexts } from '../shell/command-texts.ts';
import { type Evaluation, evaluateCommand, mayHaveOtherOptions } from '../shell/evaluate-command.ts';
import { literalVariants } from '../shell/literal-variables.ts';
import type { ScriptAnalysis, ShellRedirection, SimpleCommand } from '../shell/simple-command.ts';
import { writtenFiles } from '../shell/written-paths.ts';
import { isPlainDevice, isTemporary, startFolder } from './hard-denies.ts';

/** A unit with the preset's action, for when no rule matches. */
export interface EvaluatedUnit {
  readonly unit: Unit;
  /** One line for a person. */
  readonly display: string;
  readonly preset: Action;
  /** A clause about the unit, such as "deletes folders without asking". */
  readonly because: string;
  /** True if the ceiling of a read-only run lets it pass: no command, or one proven to read. */
  readonly withinCeiling: boolean;
  /** Why a script cannot be parsed, and the correction for the model. */
  readonly mistake?: { readonly reason: string; readonly advice: string };
}

/** Returns everything a call touches, each with the preset's action. At least one unit. Pure. */
export function unitsOf(
  call: PolicyCall,
  scripts: readonly ScriptAnalysis[],
  policy: Policy,
): EvaluatedUnit[] {
  if (call.targets.commands !== undefined && call.targets.commands.length > 0)
    return scripts.flatMap((script, index) =>
      unitsOfScript(script, call.targets.commands?.[index] ?? '', call, policy),
    );
  const action = presetAction(policy.preset, { ...call, onlyReads: call.onlyReads === true });
  const evaluated = (unit: Unit, display: string): EvaluatedUnit => ({
    unit,
    display,
    preset:
      call.level === 'confirm_execute' ? commandAction(policy.preset, 'other', policy.sandboxed) : action,
    because: describeLevel[call.level],
    // The ceiling limits execution only: edits by tools are proposals.
    withinCeiling: call.level !== 'confirm_execute',
  });
  const paths = (call.targets.paths ?? []).map(({ path }) => {
    const relative = policy.relativePath(path) ?? path;
    const unit: Unit = { kind: 'path', exact: [relative], loose: [...new Set([relative, path])] };
    // The workspace itself has no name.
    if (relative === '') return evaluated(unit, call.tool);
    return { ...evaluated(unit, relative), because: describePath[call.level] ?? describeLevel[call.level] };
  });
  const urls = (call.targets.urls ?? []).map((url) =>
    evaluated({ kind: 'url', exact: [url], loose: [url] }, url),
  );
  const units = [...paths, ...urls];
  if (units.length > 0) return units;
  const text = call.targets.what;
  const pathOf = (path: string) => policy.relativePath(path) ?? posix.normalize(path);
  return [
    evaluated(
      { kind: 'call', exact: [text], loose: [text], pathOf },
      text === '' ? call.tool : `${call.tool}: ${text}`,
    ),
  ];
}

const describeLevel: Readonly<Record<PolicyCall['level'], string>> = {
  auto_read: 'only reads the workspace',
  external_read: 'requests data from outside the workspace or another run',
  state_write: 'changes stored state',
  confirm_execute: 'runs a program',
  confirm_write: 'changes files of the workspace',
  delegated: 'delegates work to another run',
  interactive: 'asks a person',
};

/** The same of a path that a call is about. */
const describePath: Readonly<Partial<Record<PolicyCall['level'], string>>> = {
  auto_read: 'would only be read',
  confirm_write: 'would be changed',
};

function unitsOfScript(
  script: ScriptAnalysis,
  text: string,
  call: PolicyCall,
  policy: Policy,
): EvaluatedUnit[] {
  const units = [
    ...script.commands.map((command) => unitOfCommand(command, script, call, policy)),
    ...script.redirections.flatMap((file) => unitOfRedirection(file, call, policy)),
    ...script.commands.flatMap((command) => unitsOfWrites(command, call, policy)),
  ];
  const whole =
    wholeScriptUnit(script, text, call, policy) ??
    (units.length === 0 ? emptyScriptUnit(script, text, policy) : null);
  return whole === null ? units : [...units, whole];
}

function unitOfCommand(
  command: SimpleCommand,
  script: ScriptAnalysis,
  call: PolicyCall,
  policy: Policy,
): EvaluatedUnit {
  const start = startFolder(call);
  const readsUnconfined = (one: SimpleCommand) => !policy.sandboxed && readsOutside(one, start, policy);
  const evaluation = withDoubts(evaluateCommand(command, start), command, script, readsUnconfined);
  return {
    // An unknown part of a script may change the meaning of the rest, so no rule may allow any of
    // it.
    unit: {
      kind: 'command',
      exact:
        script.syntaxError === null && script.unknown === null && !mayHaveOtherOptions(command)
          ? exactTexts(command)
          : [],
      loose: looseTexts(command),
    },
    display: commandLine(command),
    preset: commandAction(policy.preset, evaluation.kind, policy.sandboxed),
    because: evaluation.reason,
    withinCeiling: evaluation.kind === 'read_only',
  };
}

/** Adjusts the judgement of one command for its script and the sandbox. */
function withDoubts(
  evaluation: Evaluation,
  command: SimpleCommand,
  script: ScriptAnalysis,
  readsUnconfined: (command: SimpleCommand) => boolean,
): Evaluation {
  if (evaluation.kind !== 'read_only') return evaluation;
  const doubt = script.unknown ?? script.doubt;
  if (doubt !== null)
    return { kind: 'other', reason: `stands in a script that cannot be proven to read only (${doubt})` };
  if (readsUnconfined(command))
    return { kind: 'other', reason: 'reads outside the workspace, and there is no sandbox around it' };
  return evaluation;
}

/**
 * Returns true if an argument may be a path that leads out of the workspace, through links or not.
 */
function readsOutside(command: SimpleCommand, start: string, policy: Policy): boolean {
  const name = command.words[0]?.value ?? '';
  if (/^(echo|printf|true|false|:|pwd)$/.test(name)) return false;
  const { folders } = command;
  return command.words.slice(1).some(({ value }) => {
    // A pattern may match a link, and a computed word may be anything.
    if (value === null) return true;
    if (value.startsWith('-')) return value.includes('/');
    if (isPlainDevice(value)) return false;
    if (value.startsWith('/')) return policy.relativePath(value) === null;
    const from = (folder: string) => (folder.startsWith('/') ? folder : posix.join(start, folder));
    return folders?.some((folder) => policy.relativePath(posix.join(from(folder), value)) === null) ?? true;
  });
}

function unitOfRedirection(file: ShellRedirection, call: PolicyCall, policy: Policy): EvaluatedUnit[] {
  const { paths } = file;
  if (paths?.every(isPlainDevice)) return [];
  const network = paths?.some((path) => /^\/dev\/(tcp|udp)\//.test(path)) === true;
  if (file.access === 'read' && !network && mayRead(paths, policy)) return [];
  const device = !network && paths?.some((path) => path.startsWith('/dev/') && !isPlainDevice(path)) === true;
  const relative = relativePaths(file, call, policy);
  const inside =
    file.access === 'write' && relative?.every((path) => path !== null && !path.startsWith('/')) === true;
  const insidePaths = (relative ?? []).filter((path) => path !== null);
  const write = { level: 'confirm_write', tool: call.tool, ownState: false, onlyReads: false } as const;
  return [
    {
      unit: {
        kind: 'path',
        exact: paths?.length === 1 ? [...(inside ? insidePaths : paths)] : [],
        loose: [...(paths ?? []), ...insidePaths, ...possiblePaths(file, call, policy), file.source],
      },
      display: `${file.access === 'write' ? '>' : '<'} ${file.source}`,
      preset: inside
        ? presetAction(policy.preset, write)
        : commandAction(policy.preset, device ? 'destructive' : 'other', policy.sandboxed),
      because: redirectionReason(file, { network, device, inside }),
      withinCeiling: file.access === 'write' && paths?.every(isTemporary) === true && policy.sandboxed,
    },
  ];
}

function mayRead(paths: readonly string[] | null, policy: Policy): boolean {
  return policy.sandboxed || (paths?.every((path) => policy.relativePath(path) !== null) ?? false);
}

/**
 * Returns the paths relative to the workspace, each null if outside. Undefined if they are
 * computed.
 */
function relativePaths(
  { paths }: ShellRedirection,
  call: PolicyCall,
  policy: Policy,
): (string | null)[] | undefined {
  const start = startFolder(call);
  return paths?.map((path) =>
    policy.relativePath(path.startsWith('/') || start === '' ? path : `${start}/${path}`),
  );
}

function possiblePaths({ maybe = [] }: ShellRedirection, call: PolicyCall, policy: Policy): string[] {
  const start = startFolder(call);
  return maybe.flatMap((path) => [path, policy.relativePath(posix.join(start, path)) ?? path]);
}

/**
 * Returns units for the files that a command writes through its arguments.
 *
 * For a program that otherwise reads (`sort -o`) they are redirections, which need their own
 * allowance. For one that writes anyway, only restricting rules about paths apply.
 */
function unitsOfWrites(command: SimpleCommand, call: PolicyCall, policy: Policy): EvaluatedUnit[] {
  const restricted = restrictsCommands(policy.rules, call);
  return literalVariants(command)
    .flatMap(writtenFiles)
    .flatMap((file) => {
      const units = file.reader || restricted ? unitOfRedirection(file, call, policy) : [];
      return file.reader
        ? units
        : units.map((evaluated) => ({ ...evaluated, preset: 'allow', withinCeiling: true }));
    });
}

function redirectionReason(
  file: ShellRedirection,
  is: { network: boolean; device: boolean; inside: boolean },
): string {
  if (is.network) return 'connects to the network';
  if (is.device) return 'writes to a device';
  if (file.access === 'read') return 'reads outside the workspace, and there is no sandbox around it';
  return is.inside
    ? 'writes a file of the workspace'
    : 'writes to a place that is not known to be inside the workspace';
}

/** Returns a unit for a script as a whole: errors, a fork bomb, or unknown parts. Else null. */
function wholeScriptUnit(
  script: ScriptAnalysis,
  text: string,
  call: PolicyCall,
  policy: Policy,
): EvaluatedUnit | null {
  const restricted = restrictsCommands(policy.rules, call);
  const preset = (kind: Evaluation['kind']) => commandAction(policy.preset, kind, policy.sandboxed);
  const whole = {
    unit: { kind: 'command', exact: [], loose: [text] },
    display: truncated(text),
    withinCeiling: false,
  } as const;
  if (script.syntaxError !== null) {
    return {
      ...whole,
      // No one can approve an unreadable script. A rejection costs the model one more call.
      preset: policy.preset === 'unrestricted' && !restricted ? 'allow' : 'reject',
      because: `could not be parsed (${script.syntaxError})`,
      mistake: mistakeOf(script, script.syntaxError, text === call.input.command),
    };
  }
  if (script.destructive !== null)
    return { ...whole, preset: preset('destructive'), because: script.destructive };
  if (script.unknown !== null) {
    const action = preset('other');
    return {
      ...whole,
      preset: restricted && action === 'allow' ? 'ask' : action,
      because: `is not known before it runs (${script.unknown})`,
    };
  }
  return null;
}

function emptyScriptUnit({ doubt }: ScriptAnalysis, text: string, policy: Policy): EvaluatedUnit {
  return {
    unit: { kind: 'command', exact: [text], loose: [text] },
    display: truncated(text),
    preset: commandAction(policy.preset, doubt === null ? 'read_only' : 'other', policy.sandboxed),
    because: doubt ?? 'only reads',
    withinCeiling: doubt === null,
  };
}

function truncated(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/**
 * Returns the correction for an unreadable script. `isModelText`: the line numbers are the model's.
 */
function mistakeOf(
  { grammarError }: ScriptAnalysis,
  problem: string,
  isModelText: boolean,
): NonNullable<EvaluatedUnit['mistake']> {
  if (grammarError === null)
    return {
      reason: `Nothing was run: the commands that this would run are unknown beforehand (${problem}).`,
      advice: 'Write it differently and call again.',
    };
  const line = isModelText && grammarError.line !== null ? ` in line ${grammarError.line}` : '';
  return {
    reason: `Syntax error${line}: ${problem}. Nothing was run.`,
    advice: 'Correct the command, or write it more plainly, and call again.',
  };
}
