import type { Mutant } from './make-mutants.ts';

/** The changed lines of a fault as a diff, headed by file, line (from 1) and kind. */
export function showMutant(source: string, { file, kind, start, end, text }: Mutant): string {
  const first = source.lastIndexOf('\n', start - 1) + 1;
  const after = source.indexOf('\n', end);
  const last = after === -1 ? source.length : after;
  const line = source.slice(0, start).split('\n').length;
  const lines = (sign: string, block: string) => block.split('\n').map((one) => `    ${sign}${one}`);
  return [
    `${file}:${line} (${kind})`,
    ...lines('-', source.slice(first, last)),
    ...lines('+', source.slice(first, start) + text + source.slice(end, last)),
  ].join('\n');
}
