import { namedSecrets } from '../workflow-files/adapt-workflow.ts';
import type { NamedRemark } from '../workflow-files/check-workflow.ts';
import { type WorkflowUse, workflowPath, workflowUses } from '../workflow-files/workflow-uses.ts';
import type { InitChoices } from './init-choices.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import type { NewFile, WrittenFiles } from './write-new-files.ts';

/** The result of `anode init`. */
export interface InitResult {
  readonly choices: InitChoices;
  readonly files: readonly NewFile[];
  /** Null if nothing was to be written. */
  readonly done: WrittenFiles | null;
  readonly facts: RepositoryFacts;
  /** Warnings about the workflows. */
  readonly remarks: readonly NamedRemark[];
  readonly action: string;
  /** True if the token of an App was asked for. */
  readonly hasAppToken: boolean;
  /** The events of each workflow, by its path. */
  readonly events: ReadonlyMap<string, readonly string[]>;
}

/** Purposes of secrets and variables whose name does not say it. */
const purposes: Readonly<Record<string, string>> = {
  ANODE_STATE_SECRET:
    'optional; lets a run wait for an answer, and the next one know what is settled. Each workflow of the bot needs it. 32 random characters or more: `openssl rand -hex 32`',
  ANODE_APP_ID: 'the id of your GitHub App; docs/workflows.md says how to make it',
  ANODE_APP_KEY: 'the private key of your GitHub App',
  ANODE_MODEL_URL: "optional; the address of the model's server",
};

/** Renders what was written, what is to be known, and what to do next. */
export function nextSteps(result: InitResult): string {
  const { files, done, facts } = result;
  const steps = [
    ...actionSteps(result),
    ...secretSteps(files),
    ...settingSteps(result),
    ...commitSteps(facts),
    ...trialSteps(result),
  ];
  return [
    ...(done?.written ?? []).map((name) => `Wrote ${name}`),
    ...(done?.unchanged ?? []).map((name) => `${name} is as it was.`),
    ...notes(result).map((note) => `Note: ${note}`),
    '',
    'Next:',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    '',
  ].join('\n');
}

function notes(result: InitResult): string[] {
  const { facts, remarks, files } = result;
  const waits = files.some(({ text }) => /^ {2}workflow_run:$/m.test(text));
  const builds = facts.workflows.some(({ isOwn }) => !isOwn);
  return [
    ...(facts.configFile === null ? [] : [`${facts.configFile} is there and was left as it is.`]),
    ...sharedEvents(result),
    ...(waits && !builds
      ? ['No workflow that builds was found. Write its name in the place of `CI` in `workflows:`.']
      : []),
    ...new Set(
      remarks.map(({ rule, what, write }) =>
        rule === 'commit-starts-no-ci'
          ? `${what} ${tokenRemedy(result)} (docs/workflows.md).`
          : `${what} ${write.join(' ')}`,
      ),
    ),
  ];
}

/** A workflow of two jobs does not get the token by itself: only its second job may have it. */
const tokenRemedy = ({ hasAppToken }: InitResult): string =>
  hasAppToken
    ? "Give github_token of the job that publishes an App's token to change that"
    : 'Write again with --app-token to change that';

/** Events of a thread. The workflows for any other differ in their conditions. */
const threadEvents = ['issue_comment', 'issues', 'pull_request'];

/** Names chosen uses, and other workflows of ours, for the same events. */
function sharedEvents({ choices, facts, events }: InitResult): string[] {
  const written = choices.uses.map(workflowPath);
  const all = [...events.values()].flat();
  const chosen = threadEvents.flatMap((event) => {
    const uses = choices.uses.filter((name) => events.get(workflowPath(name))?.includes(event));
    return uses.length > 1
      ? [`${uses.join(', ')} start for the same ${event}. Each of them runs, so keep one for each purpose.`]
      : [];
  });
  const others = facts.workflows.flatMap((workflow) => {
    const shared = workflow.events.filter((event) => all.includes(event));
    const isOther = workflow.isOwn && !written.includes(`.github/workflows/${workflow.file}`);
    return isOther && shared.length > 0
      ? [`${workflow.file} uses Anode CI on ${shared.join(', ')} too. Two runs for one event cost twice.`]
      : [];
  });
  return [...chosen, ...others];
}

const actionSteps = ({ action }: InitResult): string[] =>
  action.startsWith('OWNER/')
    ? [`Replace OWNER in \`${action}\` by the owner of your release of the Action.`]
    : [];

function secretSteps(files: readonly NewFile[]): string[] {
  const { secrets, variables } = namedSecrets(files.map(({ text }) => text).join('\n'));
  const step = (kind: 'secret' | 'variable') => (name: string) => {
    const purpose = purposes[name];
    return `Add the ${kind} ${name}${purpose === undefined ? '' : ` (${purpose})`}: \`gh ${kind} set ${name}\``;
  };
  return [...secrets.map(step('secret')), ...variables.map(step('variable'))];
}

/** The job's own token opens no pull request without a setting. */
function settingSteps({ choices, files }: InitResult): string[] {
  const uses = choices.uses.filter((name) => {
    const use: WorkflowUse = workflowUses[name];
    const text = files.find(({ path }) => path === workflowPath(name))?.text ?? '';
    return use.opensPulls === true && !/^ +github_token:/m.test(text);
  });
  if (uses.length === 0) return [];
  return [
    `Turn on *Allow GitHub Actions to create and approve pull requests* (*Settings* → *Actions* → *General*): ${uses.join(', ')} cannot open one without it.`,
  ];
}

const commitSteps = ({ defaultBranch }: RepositoryFacts): string[] => [
  `Commit the files to ${defaultBranch ?? 'the default branch'}. GitHub takes most of these workflows from there only.`,
];

const trialSteps = ({ choices }: InitResult): string[] => [
  ...new Set(choices.uses.map((name) => `Try it: ${workflowUses[name].trial}`)),
];
