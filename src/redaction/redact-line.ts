import { createRedactor } from './redact.ts';
import { redactValue } from './redact-value.ts';

/**
 * Makes a function that takes the secrets out of a line of JSON, which stays one; of any other text as `createRedactor`
 * does. The redactor is made at the first line: many a process writes none.
 */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  let redact: ((text: string) => string) | null = null;
  return (line) => {
    redact ??= createRedactor(secrets);
    const clean = redact(line);
    if (clean === line) return line;
    const value = parse(line);
    return value === null ? clean : `${JSON.stringify(redactValue(value, redact))}\n`;
  };
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
