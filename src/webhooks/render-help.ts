import type { Trigger } from './trigger.ts';
import { verbNames, verbOf } from './verbs.ts';

/** The short comment for whoever asked for help or misspelt a command: what can be said here, from the table of verbs. */
export function renderHelp(trigger: Trigger, { mention, label }: { mention: string; label: string }): string {
  const lines = verbNames
    .filter((name) => verbOf(name).on.includes(trigger.thread.kind))
    .map((name) => {
      const { usage, help } = verbOf(name);
      const also = name === 'implement' ? `, or the label \`${label}\`` : '';
      const command = `/${mention} ${name}${usage === '' ? '' : ` ${usage}`}`;
      return `- \`${command}\`${also}: ${help}`;
    });
  return [
    ...(trigger.note === null ? [] : [trigger.note, '']),
    'What I understand here:',
    '',
    `- \`@${mention} <words>\`: do what the words say`,
    ...lines,
  ].join('\n');
}
