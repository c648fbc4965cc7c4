import { decideCall } from '../../../src/permissions/gate/gate.ts';
import { unitsOf } from '../../../src/permissions/gate/gate-units.ts';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { bashCall, policy } from '../gate-fixtures.ts';

/** Globs of commands: denying ones before asking ones, and these before allowing ones. */
export interface CommandGlobs {
  readonly deny?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly allow: readonly string[];
}

/** Decides a command by globs alone, under the preset that allows nothing by itself. */
export function globVerdict(globs: CommandGlobs, command: string): string {
  const rule = (action: 'allow' | 'ask' | 'reject', patterns: readonly string[] = []) =>
    patterns.length === 0 ? [] : [{ tool: 'bash', matches: { command: [...patterns] }, action }];
  const rules = [...rule('reject', globs.deny), ...rule('ask', globs.ask), ...rule('allow', globs.allow)];
  const decision = decideCall(bashCall(command), policy({ preset: 'strict', rules }));
  if ('delegate' in decision) throw new Error('no rule here delegates');
  return decision.action;
}

/** Tells if each part of a command is proven to read only. */
export function onlyReads(command: string): boolean {
  return unitsOf(bashCall(command), [analyseScript(command)], policy({ preset: 'careful' })).every(
    (unit) => unit.withinCeiling,
  );
}
