import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import type { Permissions } from '../../support/github/world.ts';
import type { Job, StepOptions, StepResult } from './start-job.ts';

const Workflow = z.object({
  on: z.object({
    workflow_call: z.object({ inputs: z.record(z.string(), z.object({ default: z.string() })) }),
  }),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.enum(['read', 'write'])),
      steps: z.tuple([z.object({ with: z.record(z.string(), z.string()) })]),
    }),
  ),
});

/** A job of a reusable workflow: its token's permissions, and the inputs of its one step. */
export interface WorkflowJob {
  readonly name: string;
  readonly options: Pick<StepOptions, 'inputs' | 'permissions'>;
}

/** Returns the jobs of a reusable workflow in their order, for the secrets of a caller. */
export async function jobsOfWorkflow(
  file: string,
  secrets: Readonly<Record<string, string>>,
): Promise<WorkflowJob[]> {
  const { on, jobs } = Workflow.parse(parse(await readFile(file, 'utf8')));
  const { inputs } = on.workflow_call;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{\s*(\w+)\.(\w+)\s*\}\}/g, (_, context: string, name: string) =>
      context === 'inputs' ? (inputs[name]?.default ?? '') : (secrets[name] ?? ''),
    );
  return Object.entries(jobs).map(
    ([
      name,
      {
        permissions,
        steps: [step],
      },
    ]) => ({
      name,
      options: {
        permissions: Object.fromEntries(
          Object.entries(permissions).map(([scope, level]) => [scope.replaceAll('-', '_'), level]),
        ) as Permissions,
        inputs: {
          anthropic_api_key: '',
          // Without `bot_token`, the token is the job's own, which the runner makes.
          ...Object.fromEntries(
            Object.entries(step.with)
              .filter(([input]) => input !== 'github_token')
              .map(([input, text]) => [input, filled(text)]),
          ),
        },
      },
    }),
  );
}

/** Plays the jobs of a reusable workflow one after the other, as one run; by their names. */
export async function playWorkflow(
  job: Job,
  shop: RepositoryHandle,
  jobs: readonly WorkflowJob[],
  options: Omit<StepOptions, 'inputs' | 'permissions'>,
): Promise<Readonly<Record<string, StepResult>>> {
  const results: Record<string, StepResult> = {};
  for (const { name, options: own } of jobs) results[name] = await job.run(shop, { ...options, ...own });
  return results;
}
