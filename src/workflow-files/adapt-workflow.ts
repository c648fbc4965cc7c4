import { pinnedAction } from './pinned-actions.ts';

/** Values of a repository in the place of an example's own. */
export interface WorkflowChoices {
  /** The Action as `OWNER/NAME@REF`. */
  readonly action: string;
  /** The variable of the provider's key, such as `ANTHROPIC_API_KEY`; null without a key. */
  readonly keyVariable: string | null;
  /** The model as `provider/name`; null for the provider's default. */
  readonly model: string | null;
  /** Names of the workflows whose end `workflow_run` waits for; empty to leave the example's. */
  readonly builds: readonly string[];
  /** True if commits are made with the token of an App, so that they start workflows. */
  readonly hasAppToken: boolean;
}

const exampleAction = 'OWNER/anode-ci@v1';
const exampleKey = `          anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}`;
const exampleBuilds = '    workflows: [CI]';

/**
 * Changes an example for a repository: the Action, the model and its key, the names of builds, the
 * token. An example with a model of its own keeps that.
 */
export function adaptWorkflow(example: string, choices: WorkflowChoices): string {
  const { keyVariable, builds, hasAppToken } = choices;
  const withKey = example
    .split('\n')
    .flatMap((line) => (line === exampleKey ? modelLines(choices) : [line]))
    .join('\n');
  const needsKey = example.includes(exampleKey) && keyVariable !== null && !isInput(keyVariable);
  const withVariable = needsKey ? addVariable(withKey, keyVariable) : withKey;
  const withBuilds =
    builds.length === 0
      ? withVariable
      : withVariable.replace(exampleBuilds, () => `    workflows: [${builds.map(quoted).join(', ')}]`);
  const withToken = hasAppToken ? addAppToken(withBuilds) : withBuilds;
  return withToken.replaceAll(exampleAction, () => choices.action);
}

/** Providers whose key is an input; any other key is a variable of the step. */
const isInput = (variable: string): boolean =>
  /^(?:ANTHROPIC|GEMINI|OPENAI|OPENROUTER)_API_KEY$/.test(variable);

function modelLines({ keyVariable, model }: WorkflowChoices): string[] {
  const key =
    keyVariable !== null && isInput(keyVariable)
      ? [`          ${keyVariable.toLowerCase()}: \${{ secrets.${keyVariable} }}`]
      : [];
  return model === null ? key : [`          model: ${quoted(model)}`, ...key];
}

/** Gives the step of Anode CI a variable, behind its inputs. */
function addVariable(text: string, name: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.includes(exampleAction));
  const length = lines.slice(start + 1).findIndex((line) => !/^ {8}/.test(line));
  const end = start + 1 + length;
  const variable = `          ${name}: \${{ secrets.${name} }}`;
  const own = lines.findIndex((line, index) => index > start && index < end && line === '        env:');
  const added = own < 0 ? ['        env:', variable] : [variable];
  const at = own < 0 ? end : own + 1;
  return [...lines.slice(0, at), ...added, ...lines.slice(at)].join('\n');
}

/**
 * Lets the step of Anode CI work with the token of an App, if it pushes with the job's own. The job
 * then needs only the checkout, and its identity to sign. Examples with a job of their own for
 * writing stay.
 */
function addAppToken(text: string): string {
  const isOne = !/^ {4}needs:/m.test(text) && !text.includes('actions/create-github-app-token@');
  if (!isOne || !text.includes('contents: write')) return text;
  const step = [
    `      - uses: ${pinnedAction('actions/create-github-app-token')}`,
    '        id: app',
    '        with:',
    `          app-id: \${{ vars.ANODE_APP_ID }}`,
    `          private-key: \${{ secrets.ANODE_APP_KEY }}`,
  ].join('\n');
  const own = new RegExp(`^( {6}- uses: ${exampleAction}\n(?: {8}id: anode\n)? {8}with:\n)`, 'm');
  const token = `          github_token: \${{ steps.app.outputs.token }}\n`;
  return text
    .replace(own, (start) => `${step}\n${start}${token}`)
    .replace(/^ {4}permissions:\n(?: {6}.*\n)+/m, (lines) => {
      const identity = /(?: {6}#.*\n)* {6}id-token: write\n/.exec(lines)?.[0] ?? '';
      return `    permissions:\n      contents: read\n${identity}`;
    });
}

/** A YAML scalar in a flow list. */
const quoted = (name: string): string => (/^[A-Za-z][\w./-]*$/.test(name) ? name : JSON.stringify(name));

/**
 * Returns the secrets and variables of a repository that a workflow names, but GitHub's own.
 * Comments do not count.
 */
export function namedSecrets(text: string): { readonly secrets: string[]; readonly variables: string[] } {
  const used = text.replaceAll(/^\s*#.*$/gm, '');
  const named = (kind: string) => [
    ...new Set(
      [...used.matchAll(new RegExp(`\\b${kind}\\.([A-Z][A-Z0-9_]*)`, 'g'))].map(([, name = '']) => name),
    ),
  ];
  return { secrets: named('secrets').filter((name) => name !== 'GITHUB_TOKEN'), variables: named('vars') };
}
