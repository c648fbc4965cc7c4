import { ConfigError } from '../contract/errors.ts';
import { inputRules } from './input-rules.ts';
import { jobRules } from './job-rules.ts';
import { findOwnUses } from './own-uses.ts';
import { parseWorkflow } from './parse-workflow.ts';
import { permissionRules } from './permission-rules.ts';
import { secretRules } from './secret-rules.ts';
import { triggerRules } from './trigger-rules.ts';
import type { RuleFacts, WorkflowRemark } from './workflow-remark.ts';

/** All rules, in the order of their documentation. */
export const workflowRules = [
  ...permissionRules,
  ...triggerRules,
  ...secretRules,
  ...jobRules,
  ...inputRules,
] as const;

/** A remark with the name of its rule. */
export interface NamedRemark extends WorkflowRemark {
  readonly rule: string;
}

/**
 * Returns the mistakes in a workflow that uses Anode CI, by line. Throws `ConfigError` for a text
 * that is no workflow, or one without a step of Anode CI.
 */
export async function checkWorkflow(
  text: string,
  file: string,
  about: Omit<RuleFacts, 'workflow' | 'uses'>,
): Promise<NamedRemark[]> {
  const workflow = await parseWorkflow(text, file);
  const uses = findOwnUses(workflow);
  if (uses.length === 0)
    throw new ConfigError(`${file} has no step of Anode CI. docs/action.md has workflows to copy.`, { file });
  const facts = { workflow, uses, ...about };
  return workflowRules
    .flatMap(({ name, check }) => check(facts).map((remark) => ({ rule: name, ...remark })))
    .sort((one, other) => one.line - other.line);
}
