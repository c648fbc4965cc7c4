import { plainText } from '../tools/text/plain-text.ts';
import { stripInvisible } from '../untrusted-text/invisible.ts';

/**
 * What a model, a tool or a server said as one line for a terminal or the log of a workflow, both of which take orders from what is
 * printed: without control characters, without characters that show nothing or turn the direction of text, and with nothing left that
 * GitHub's runner reads as a command of the step's (`::name::` where a line begins, `##[name]` anywhere in it). Invisible characters go
 * first, since the runner's comparison may pass over them.
 */
export function logLine(text: string): string {
  return stripInvisible(plainText(text))
    .text.replaceAll(/[\r\n]+[ \t]*/g, ' ')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '# #[');
}
