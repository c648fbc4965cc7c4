import type { Decision } from '../contract/decision.ts';

/** Describes a verdict: action, rule, reason, and the parts of a compound command. */
export function describeVerdict({ action, rule, reason, commands }: Decision): string {
  const lines = [action, ...(rule === null ? [] : [`  by ${rule}`]), `  ${reason}`];
  if (commands.length > 1)
    for (const part of commands)
      lines.push(`  ${part.action.padEnd(6)}  ${part.command}`, `          ${part.reason}`);
  return `${lines.join('\n')}\n`;
}
