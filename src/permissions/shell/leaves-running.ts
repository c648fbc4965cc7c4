import { forEachChild, parse, type SyntaxNode } from 'unbash';

/** Limits in characters and depth; anything beyond is not read. */
const maxLength = 65_536;
const maxDepth = 100;

/**
 * Returns true if a bash script seems to leave something running: it uses `&`, `coproc` or `setsid
 * --fork`, and neither waits nor kills. Programs that go to the background by themselves are not
 * detected.
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
