import { analyseScript } from '../shell/analyse-script.ts';
import { judgeCommand } from '../shell/judge-command.ts';
import { isPlainDevice } from './hard-denies.ts';

/**
 * True when a bash script is proven to change nothing: each of its commands is known to read only, and its
 * redirections write nowhere but to the standard streams and `/dev/null`. In doubt, false.
 */
export function scriptReadsOnly(script: string): boolean {
  const { commands, redirections, syntaxError, unknown, doubt, destructive } = analyseScript(script);
  return (
    [syntaxError, unknown, doubt, destructive].every((problem) => problem === null) &&
    commands.every((command) => judgeCommand(command).kind === 'read_only') &&
    redirections.every((file) => file.access === 'read' || (file.paths?.every(isPlainDevice) ?? false))
  );
}
