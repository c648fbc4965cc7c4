import type { TextOrigin } from './thread-context.ts';
import type { Trigger } from './trigger.ts';

const builtIn = {
  review:
    'Review the changes of this pull request. Look for defects that matter: wrong behaviour, missed cases, security, ' +
    'broken promises to callers, tests that prove nothing. Report each with report_findings, on lines of the diff, with ' +
    'a suggestion where the fix is certain. No praise, no remarks on taste.',
  implement:
    'Implement what this issue asks for, with tests, in the style of the code around it. Stay within what is asked. ' +
    'Run the tests before you are done, and say in a few sentences what you changed and why.',
};

/**
 * What the run is asked to do: the requester's own words, sanitised, behind the built-in task of the verb, and for a
 * review comment the place it stands at. `markImages` names the images among the sanitised words.
 */
export function planPrompt(
  trigger: Trigger,
  sanitise: (text: string, origin?: TextOrigin) => string,
  markImages: (text: string) => string,
): string {
  const words = markImages(
    sanitise(trigger.text, { where: 'the request', author: trigger.actor.login }),
  ).trim();
  const task = trigger.kind === 'review' || trigger.kind === 'implement' ? builtIn[trigger.kind] : null;
  const asked = task === null ? words : words === '' ? task : `${task}\n\nThe requester adds:\n${words}`;
  return trigger.location === null ? asked : `${asked}\n\n${place(trigger.location, sanitise)}`;
}

function place(location: NonNullable<Trigger['location']>, sanitise: (text: string) => string): string {
  const { line, side, diff_hunk } = location;
  const path = sanitise(location.path);
  const where =
    line === null ? path : `${path}, line ${line} (${side === 'LEFT' ? 'before' : 'after'} the change)`;
  // Indented, the hunk cannot close a fence, whatever it holds.
  const hunk = sanitise(diff_hunk)
    .split('\n')
    .slice(-20)
    .map((text) => `    ${text}`);
  return `The request stands at ${where}:\n\n${hunk.join('\n')}`;
}
