import type { TextOrigin } from '../../contract/untrusted.ts';
import type { Trigger } from '../commands/trigger.ts';
import type { VerbName } from '../commands/verbs.ts';

const builtIn: Partial<Record<VerbName, string>> = {
  review:
    'Review the changes of this pull request. Look for defects that matter: wrong behaviour, missed cases, security, ' +
    'broken promises to callers, tests that prove nothing. Report each with report_findings, on lines of the diff, with ' +
    'a suggestion where the fix is certain. No praise, no remarks on taste.',
  implement:
    'Implement what this issue asks for, with tests, in the style of the code around it. Stay within what is asked. ' +
    'Run the tests before you are done, and say in a few sentences what you changed and why.',
  plan:
    'Plan what this thread asks for, without doing it: find out in the code what has to change, and write the plan that somebody ' +
    'else can carry out without asking back. Say first what will be different when it is done, then the steps in order, each ' +
    'with the files it touches and how to see that it worked, then risks and what you leave out. Decide what you can decide.',
  fix:
    'Fix this pull request: what its reviewers found and nobody answered as settled, and what its failing checks show. Find the cause ' +
    'before you change anything, and change no test only to make it pass. Stay within that. Run the checks that can run here ' +
    'before you are done, and say for each problem what you did, or why you left it.',
  describe: 'Describe this pull request from its changes, for those who will review and later look it up.',
  improve:
    'Suggest improvements to the lines that this pull request changes: simpler, clearer, safer, with the same behaviour, in the ' +
    'style of the code around them. Edit the files as they should be: your edits are posted as suggested changes on the lines, and ' +
    'nothing is committed. Few and certain ones; leave lines alone that the pull request does not touch.',
  triage: 'Sort this thread: which labels fit it, and whether another thread says the same.',
};

/** What a fix is about where it stands below a finding of ours, and the finding. */
const oneFinding =
  'Fix what the comment says that this request answers, and nothing else. Find the cause before you change anything, run the ' +
  'checks that can run here before you are done, and say in a few sentences what you changed and why.';

/** What was read for the run besides the thread, in words; each text is sanitised already. */
export interface PromptMaterial {
  /** The comment that a request below it is about, with its author. */
  readonly root?: { readonly author: string; readonly text: string } | null;
}

/**
 * What the run is asked to do: the requester's own words, sanitised, behind the built-in task of the verb, and for a
 * review comment the place it stands at. `markImages` names the images among the sanitised words.
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
  const task =
    trigger.kind === 'fix' && trigger.location !== null ? oneFinding : (builtIn[trigger.kind] ?? null);
  const asked = task === null ? words : words === '' ? task : `${task}\n\nThe requester adds:\n${words}`;
  const located = trigger.location === null ? asked : `${asked}\n\n${place(trigger.location, sanitise)}`;
  return root === null
    ? located
    : `${located}\n\nThe comment of ${root.author} that it answers:\n\n${indented(root.text.slice(0, 8_000))}`;
}

function place(location: NonNullable<Trigger['location']>, sanitise: (text: string) => string): string {
  const { line, side, diff_hunk } = location;
  const path = sanitise(location.path);
  const where =
    line === null ? path : `${path}, line ${line} (${side === 'LEFT' ? 'before' : 'after'} the change)`;
  const hunk = sanitise(diff_hunk).split('\n').slice(-20).join('\n');
  return `The request stands at ${where}:\n\n${indented(hunk)}`;
}

/** Indented, a text cannot close a fence, whatever it holds. */
function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
