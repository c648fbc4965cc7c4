import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, systemReason } from '../contract/errors.ts';
import { events } from '../webhooks/triggers/events.ts';
import { checkWorkflow, type NamedRemark } from '../workflow-files/check-workflow.ts';
import type { EventUse, RuleFacts } from '../workflow-files/workflow-remark.ts';
import type { CommandContext } from './local-run.ts';
import { buildsAmong, findWorkflows, signsKeyless } from './repository-facts.ts';

/**
 * Prints the mistakes in a workflow of ours. Returns exit code 1 if something in it does not work
 * or is unsafe, else 0. Throws `ConfigError` for a file that is no such workflow.
 */
export async function doctorWorkflow(
  file: string,
  format: 'text' | 'json',
  context: Pick<CommandContext, 'write'>,
): Promise<number> {
  const text = await readWorkflowFile(file);
  const remarks = await checkWorkflow(text, file, { ...(await factsBeside(file)), eventUse });
  const shown = format === 'json' ? `${JSON.stringify(remarks, null, 2)}\n` : renderRemarks(file, remarks);
  context.write(shown);
  return remarks.some(({ level }) => level === 'error') ? 1 : 0;
}

/** Reads a workflow file; throws `ConfigError` with the reason if it cannot be read. */
export async function readWorkflowFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${systemReason(error)}.`, { file });
  }
}

/** Tells what an event can start without a prompt, by the table of triggers. */
export function eventUse(name: string): EventUse {
  const known = name === 'pull_request_target' ? 'pull_request.' : `${name}.`;
  const types = Object.keys(events).filter((key) => key.startsWith(known));
  return { decides: types.length > 0, types: types.map((key) => key.slice(known.length)) };
}

/** Reads the configuration and the other workflows of the repository that a file lies in. */
async function factsBeside(file: string): Promise<Pick<RuleFacts, 'otherWorkflows' | 'signsKeyless'>> {
  const folder = path.dirname(path.resolve(file));
  if (!/[\\/]\.github[\\/]workflows$/.test(folder)) return { otherWorkflows: [], signsKeyless: true };
  const otherWorkflows = buildsAmong(await findWorkflows(folder))
    .map((workflow) => workflow.file)
    .filter((name) => name !== path.basename(file));
  return { otherWorkflows, signsKeyless: await signsKeyless(path.resolve(folder, '../..')) };
}

/** Renders remarks for a terminal, with the lines to write. */
export function renderRemarks(file: string, remarks: readonly NamedRemark[]): string {
  if (remarks.length === 0) return `ok      ${file}: no mistakes found.\n`;
  const [errors, warnings] = ['error', 'warning'].map((level) =>
    remarks.filter((one) => one.level === level),
  );
  const counts = [counted(errors?.length ?? 0, 'error'), counted(warnings?.length ?? 0, 'warning')];
  return `${remarks.map((remark) => renderRemark(file, remark)).join('\n')}\n${counts.join(', ')} in ${file}.\n`;
}

function renderRemark(file: string, { line, level, rule, what, why, write }: NamedRemark): string {
  const lines = write.map((one) => `      ${one}\n`).join('');
  return `${file}:${line}: ${level}: ${what} [${rule}]\n    ${why} Write:\n${lines}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
