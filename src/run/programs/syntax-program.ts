import { processProgram } from './process-program.ts';

/** Returns the file of the process that parses. */
export function syntaxProgram(): string {
  return processProgram('syntax-process');
}
