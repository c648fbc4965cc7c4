import { forEachChild, parse, type SyntaxNode } from 'unbash';

/** Longer scripts are not read, nor what lies deeper. */
const maxLength = 65_536;
const maxDepth = 100;

/**
 * True where a bash script seems to leave something running when it ends: it starts something in the background, by `&`, `coproc`
 * or `setsid --fork`, and neither waits for anything nor kills anything by itself. What a program does on its own is not seen.
 */
export function leavesRunning(script: string): boolean {
  if (script.length > maxLength || !/&|\b(?:coproc|setsid)\b/.test(script)) return false;
  let starts = false;
  let settles = false;
  const look = (node: SyntaxNode, depth: number): void => {
    if (depth > maxDepth) return;
    if ((node.type === 'Statement' && node.background === true) || node.type === 'Coproc') starts = true;
    if (node.type === 'Command') {
      const name = node.name?.value ?? '';
      if (/^(?:wait|kill|pkill|killall|fg)$/.test(name)) settles = true;
      if (
        name === 'setsid' &&
        node.suffix.some((one) => one.type === 'Word' && /^(?:-f|--fork)$/.test(one.value))
      )
        starts = true;
    }
    forEachChild(node, (child) => look(child, depth + 1));
  };
  look(parse(script), 0);
  return starts && !settles;
}
