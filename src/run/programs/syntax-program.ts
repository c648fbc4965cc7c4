import { processProgram } from './process-program.ts';

/** The file of the process that parses. */
export function syntaxProgram(): string {
  return processProgram('syntax-process');
}
