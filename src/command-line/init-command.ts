import { providers } from '../agent/models/providers.ts';
import { parseRepositoryConfig } from '../config/parse-repository-config.ts';
import { adaptWorkflow, type WorkflowChoices } from '../workflow-files/adapt-workflow.ts';
import { checkWorkflow } from '../workflow-files/check-workflow.ts';
import { exampleWorkflows } from '../workflow-files/example-workflows.ts';
import { parseWorkflow } from '../workflow-files/parse-workflow.ts';
import { setupFor, startingConfig } from '../workflow-files/starting-config.ts';
import { workflowPath } from '../workflow-files/workflow-uses.ts';
import { eventUse } from './doctor-workflow.ts';
import { findCheckout } from './find-checkout.ts';
import { actionReference, type InitChoices, readInitChoices } from './init-choices.ts';
import { completeChoices } from './init-questions.ts';
import { type InitResult, nextSteps } from './init-steps.ts';
import type { CommandContext } from './local-run.ts';
import { type ParsedArguments, parseArguments, refuseWords, usageError } from './parse-arguments.ts';
import { buildsAmong, type RepositoryFacts, readRepositoryFacts } from './repository-facts.ts';
import { type NewFile, writeNewFiles } from './write-new-files.ts';

const options = {
  from: { type: 'string' },
  use: { type: 'string' },
  provider: { type: 'string' },
  model: { type: 'string' },
  action: { type: 'string' },
  ref: { type: 'string' },
  'app-token': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  cwd: { type: 'string' },
} as const;

/**
 * Runs `anode init`: writes workflows and a configuration for the chosen uses, and prints the next
 * steps. Asks on a terminal for what no option says. Returns the exit code.
 */
export async function initCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('init', args, options);
  refuseWords('init', positionals);
  const { root, hasRepository } = await findCheckout('init', values.cwd);
  if (!hasRepository) throw usageError('init', `${root} is in no git repository. Run it in a clone.`);
  const [action, given] = [actionReference(values), readInitChoices(values)];
  const facts = await readRepositoryFacts(root);
  const [dryRun, force] = [values['dry-run'] === true, values.force === true];
  if (typeof values.from === 'string') {
    if (given.uses !== undefined) throw usageError('init', '--from and --use exclude each other.');
    const { initFrom } = await import('./init-from.ts');
    return initFrom({ file: values.from, root, facts, action, dryRun, force }, context);
  }
  const choices = await completeChoices(given, context);
  const files = [...(await workflowFiles(choices, values, facts)), ...configFiles(facts)];
  const checked = await lint(files, facts);
  const hasAppToken = values['app-token'] === true;
  const result = { choices, files, facts, action, hasAppToken, ...checked };
  if (dryRun) {
    context.write(files.map(({ path, text }) => `# ${path}\n${text}`).join('\n'));
    context.writeError(nextSteps({ ...result, done: null }));
    return 0;
  }
  context.signal.throwIfAborted();
  const done = await writeNewFiles(root, files, force);
  context.write(nextSteps({ ...result, done }));
  return 0;
}

async function workflowFiles(
  { uses, provider, model }: InitChoices,
  values: ParsedArguments['values'],
  facts: RepositoryFacts,
): Promise<NewFile[]> {
  const examples = await exampleWorkflows();
  const choices: WorkflowChoices = {
    action: actionReference(values),
    keyVariable: providers[provider]?.keyVariable ?? null,
    model,
    builds: buildsAmong(facts.workflows).map(({ name }) => name),
    hasAppToken: values['app-token'] === true,
  };
  return uses.map((name) => ({
    path: workflowPath(name),
    text: adaptWorkflow(examples[name] ?? '', choices),
  }));
}

/** Returns a first configuration; none beside one that is there. */
function configFiles({ configFile, lockfiles }: RepositoryFacts): NewFile[] {
  if (configFile !== null) return [];
  const file = { path: '.github/anode.yml', text: startingConfig(setupFor(lockfiles)) };
  parseRepositoryConfig(file.text, file.path, 'app');
  return [file];
}

/**
 * Checks the workflows as `anode doctor` does. Returns the warnings, and the events that start
 * them. An error in one is a defect of an example.
 */
async function lint(
  files: readonly NewFile[],
  facts: RepositoryFacts,
): Promise<Pick<InitResult, 'remarks' | 'events'>> {
  const otherWorkflows = buildsAmong(facts.workflows).map(({ file }) => file);
  const workflows = files.filter(({ path }) => path.startsWith('.github/workflows/'));
  const found = await Promise.all(
    workflows.map(async ({ path, text }) => ({
      path,
      remarks: await checkWorkflow(text, path, {
        otherWorkflows,
        signsKeyless: facts.signsKeyless,
        eventUse,
      }),
      triggers: (await parseWorkflow(text, path)).triggers,
    })),
  );
  const remarks = found.flatMap((one) => one.remarks);
  const wrong = remarks.find(({ level }) => level === 'error');
  if (wrong !== undefined) throw new Error(`A workflow of ours has a mistake: ${wrong.what}`);
  const events = found.map(({ path, triggers }) => [path, triggers.map(({ name }) => name)] as const);
  return { remarks, events: new Map(events) };
}
