import { verbNames, verbOf } from '../../contract/verbs.ts';
import type { Trigger } from '../commands/trigger.ts';

/**
 * Renders help: the commands of this thread, from the table of verbs. An invalid command gets its
 * problem in one line instead.
 */
export function renderHelp(
  { note, thread }: Pick<Trigger, 'note' | 'thread'>,
  { mention, label }: { mention: string; label: string },
): string {
  if (note !== null)
    return `${note}\n\n\`/${mention} help\` lists what I understand. Ask in a new comment: an edit starts nothing.`;
  const lines = verbNames
    .filter((name) => verbOf(name).on.includes(thread.kind))
    .map((name) => {
      const { usage, help } = verbOf(name);
      const also = name === 'implement' && label !== '' ? `, or the label \`${label}\`` : '';
      const command = `/${mention} ${name}${usage === '' ? '' : ` ${usage}`}`;
      return `- \`${command}\`${also}: ${help}`;
    });
  return [
    'Commands that I understand here:',
    '',
    `- \`@${mention} <words>\`: do what the words say`,
    ...lines,
    '',
    'Around the words of a run: `budget=$2`, `turns=20`, `effort=low`, `model=NAME`, `profile=study`.',
  ].join('\n');
}
