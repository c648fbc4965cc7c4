import type { TextOrigin } from '../../contract/untrusted.ts';
import { verbOf } from '../../contract/verbs.ts';
import type { Trigger } from '../commands/trigger.ts';

/** Task of a fix that replies to one of our findings. */
const oneFinding =
  'Fix what the comment says that this request answers, and nothing else. Find the cause before you change anything, run the ' +
  'checks that can run here before you are done, and say in a few sentences what you changed and why.';

/** Returns the task of a run that repairs a failed build; `command` is the base branch's. */
export function buildTask(command: string | null): string {
  const proof =
    command === null
      ? 'Run what failed, as far as it runs here, before you are done.'
      : `Before you are done, run the command that failed:\n\n${indented(command)}`;
  return (
    'The build of this pull request failed. Find the cause in its output below and in the code, and fix that and nothing else. ' +
    'Change no test only to make it pass, and no workflow. If the code is not the cause (the network, a missing secret, a ' +
    `test that fails at times), change nothing and say so. ${proof}\n\nSay in a few sentences what was wrong and what you changed.`
  );
}

/** Sanitised material for the prompt besides the thread. */
export interface PromptMaterial {
  /** The comment that the request replies to. */
  readonly root?: { readonly author: string; readonly text: string } | null;
}

/**
 * Returns the prompt: the built-in task of the verb, the requester's sanitised text, and the
 * location of a review comment. `markImages` names the images in the sanitised text.
 */
export function planPrompt(
  trigger: Trigger,
  sanitise: (text: string, origin?: TextOrigin) => string,
  markImages: (text: string) => string,
  { root = null }: PromptMaterial = {},
): string {
  const words = markImages(
    sanitise(trigger.text, { where: 'the request', author: trigger.actor.login }),
  ).trim();
  const task = trigger.kind === 'fix' && trigger.location !== null ? oneFinding : verbOf(trigger.kind).prompt;
  const adds = task !== null && words !== '';
  const asked = adds ? `${task}\n\nThe requester adds:\n${words}` : (task ?? words);
  const located =
    trigger.location === null ? asked : `${asked}\n\n${locationText(trigger.location, sanitise)}`;
  return root === null
    ? located
    : `${located}\n\nThe comment of ${root.author} that it answers:\n\n${indented(root.text.trim().slice(0, 8_000))}`;
}

function locationText(
  location: NonNullable<Trigger['location']>,
  sanitise: (text: string) => string,
): string {
  const { line, side, diff_hunk } = location;
  const path = sanitise(location.path);
  const where =
    line === null ? path : `${path}, line ${line} (${side === 'LEFT' ? 'before' : 'after'} the change)`;
  const hunk = sanitise(diff_hunk).split('\n').slice(-20).join('\n');
  return `The request stands at ${where}:\n\n${indented(hunk)}`;
}

/** Indents a text, so that it cannot close a fence. */
function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
