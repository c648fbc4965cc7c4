import type { Trigger } from './trigger.ts';

/** The short comment for whoever asked for help or misspelt a command: what can be said here. */
export function renderHelp(trigger: Trigger, { mention, label }: { mention: string; label: string }): string {
  const here =
    trigger.thread.kind === 'pull_request'
      ? [
          `- \`/${mention} review\`: review this pull request; \`/${mention} review -i\`: only what is new since the last review; \`/${mention} review --checks-only\`: by the checks alone, without a model`,
        ]
      : [
          `- \`/${mention} implement\`, or the label \`${label}\`: open a pull request that closes this issue`,
        ];
  return [
    ...(trigger.note === null ? [] : [trigger.note, '']),
    'What I understand here:',
    '',
    `- \`@${mention} <task>\` or \`/${mention} task <task>\`: do it`,
    ...here,
    `- \`/${mention} answer <text>\`: answer a question I asked`,
    `- \`/${mention} approve <hash>\`, \`/${mention} deny <hash> [reason]\`: decide on a call that waits for approval`,
  ].join('\n');
}
