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
  let ends = false;
  const visit = (node: SyntaxNode, depth: number): void => {
    if (depth > maxDepth) return;
    starts ||= startsBackground(node);
    ends ||= node.type === 'Command' && /^(?:wait|kill|pkill|killall|fg)$/.test(node.name?.value ?? '');
    forEachChild(node, (child) => visit(child, depth + 1));
  };
  visit(parse(script), 0);
  return starts && !ends;
}

function startsBackground(node: SyntaxNode): boolean {
  if (node.type === 'Statement') return node.background === true;
  if (node.type !== 'Command') return node.type === 'Coproc';
  const forks = node.suffix.some((one) => one.type === 'Word' && /^(?:-f|--fork)$/.test(one.value));
  return node.name?.value === 'setsid' && forks;
}
