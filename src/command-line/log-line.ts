import { plainText } from '../tools/text/plain-text.ts';
import { stripInvisible } from '../untrusted-text/invisible.ts';

/**
 * Makes untrusted text safe as one line for a terminal or a workflow log, both of which interpret
 * commands in it. Removes control characters, invisible characters and text direction marks. Breaks
 * commands of GitHub's runner (`::name::` at the start of a line, `##[name]` anywhere). Invisible
 * characters go first, since the runner may ignore them when it compares.
 */
export function logLine(text: string): string {
  return stripInvisible(plainText(text))
    .text.replaceAll(/[\r\n]+[ \t]*/g, ' ')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '# #[');
}
