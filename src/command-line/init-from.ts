import path from 'node:path';
import { namedSecrets } from '../workflow-files/adapt-workflow.ts';
import { checkWorkflow } from '../workflow-files/check-workflow.ts';
import { type TranslatedWorkflow, translateWorkflow } from '../workflow-files/translate-workflow.ts';
import { eventUse, readWorkflowFile, renderRemarks } from './doctor-workflow.ts';
import type { CommandContext } from './local-run.ts';
import { buildsAmong, type RepositoryFacts } from './repository-facts.ts';
import { writeNewFiles } from './write-new-files.ts';

/** The request to translate a workflow. */
export interface FromRequest {
  /** The workflow of another action. */
  readonly file: string;
  /** Root of the repository. */
  readonly root: string;
  readonly facts: RepositoryFacts;
  /** Our Action, as `OWNER/NAME@REF`. */
  readonly action: string;
  readonly dryRun: boolean;
  readonly force: boolean;
}

/**
 * Translates a workflow into one of ours beside it, and prints what has no counterpart, what was
 * changed, and the mistakes that are left. Returns the exit code. Throws `ConfigError` for a file
 * that uses none of the known actions.
 */
export async function initFrom(
  { file, root, facts, action, dryRun, force }: FromRequest,
  { write, writeError }: Pick<CommandContext, 'write' | 'writeError'>,
): Promise<number> {
  const translated = await translateWorkflow(await readWorkflowFile(file), file, action);
  const name = path.basename(file).replace(/^(?:anode-)?(.*?)\.ya?ml$/, 'anode-$1.yml');
  const target = `.github/workflows/${name}`;
  const otherWorkflows = buildsAmong(facts.workflows).map((workflow) => workflow.file);
  const { signsKeyless } = facts;
  const mistakes = await checkWorkflow(translated.text, target, { otherWorkflows, signsKeyless, eventUse });
  const told = [
    ...listed('Without a counterpart', translated, true),
    ...listed('Changed', translated, false),
    ...(mistakes.length === 0 ? [] : ['Mistakes that are left:', renderRemarks(target, mistakes)]),
  ].join('\n');
  const { secrets } = namedSecrets(translated.text);
  const next = [
    ...(action.startsWith('OWNER/') ? [`Replace OWNER in \`${action}\` by the owner of your release.`] : []),
    ...(secrets.length === 0 ? [] : [`Check that these secrets exist: ${secrets.join(', ')}.`]),
    `Compare ${target} with ${file}, and try it.`,
    `Remove ${file} then: both start for the same events.`,
  ];
  const steps = next.map((step, index) => `${index + 1}. ${step}`).join('\n');
  const rest = `${told}\n\nNext:\n${steps}\n`;
  if (dryRun) {
    write(translated.text);
    writeError(rest);
    return 0;
  }
  const { written } = await writeNewFiles(root, [{ path: target, text: translated.text }], force);
  const first = written.length === 0 ? `${target} is as it was.` : `Wrote ${target}`;
  write(`${first}\n${rest}`);
  return 0;
}

function listed(title: string, { remarks }: TranslatedWorkflow, lost: boolean): string[] {
  const lines = remarks
    .filter((one) => one.lost === lost)
    .map(({ line, message }) => `  line ${line}: ${message}`);
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}
