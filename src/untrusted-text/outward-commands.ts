import { apart } from './invisible.ts';

/**
 * The beginning of a command in a formula that leads elsewhere, loads or styles something, shows any character, or gives another
 * name to a command (MathJax, "Supported TeX/LaTeX Commands").
 */
const beginning =
  '\\\\(?=(?:href|url|html[a-z]*|includegraphics|style|class|cssId|data|unicode|require|csname|mmlToken|[egx]?def|let|futurelet|bbox|texttip|(?:re)?new[a-z]+|provide[a-z]+)(?![a-z]))';

export const outwardCommand = new RegExp(beginning);
const outwardCommands = new RegExp(beginning, 'g');

/** Text in which no formula has such a command: each is taken apart, also where no formula begins. */
export function takenApartCommands(text: string): string {
  return text.replace(outwardCommands, `$&${apart}`);
}
