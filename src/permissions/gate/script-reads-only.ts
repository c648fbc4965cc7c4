import { analyseScript } from '../shell/analyse-script.ts';
import { evaluateCommand } from '../shell/evaluate-command.ts';
import { isPlainDevice } from './hard-denies.ts';

/**
 * Returns true if a bash script provably changes nothing: every command only reads, and
 * redirections write only to standard streams and `/dev/null`. False in doubt.
 */
export function scriptReadsOnly(script: string): boolean {
  const { commands, redirections, syntaxError, unknown, doubt, destructive } = analyseScript(script);
  return (
    [syntaxError, unknown, doubt, destructive].every((problem) => problem === null) &&
    commands.every((command) => evaluateCommand(command).kind === 'read_only') &&
    redirections.every((file) => file.access === 'read' || (file.paths?.every(isPlainDevice) ?? false))
  );
}
