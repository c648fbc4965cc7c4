import type { Octokit } from '@octokit/rest';
import { ConfigError } from '../src/contract/errors.ts';
import type { ConfigLocation } from '../src/webhooks/authorize/read-config.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';

/** Returns the task of a step, from the input `prompt` or the file of `prompt_file`. */
export async function readPrompt(
  { prompt, promptFile }: Pick<ActionInputs, 'prompt' | 'promptFile'>,
  job: Pick<Job, 'workspace'>,
  from: { readonly octokit: Octokit; readonly base: ConfigLocation },
): Promise<string> {
  if (prompt !== null) return prompt;
  const file = promptFile ?? '';
  const { readInputFile } = await import('./read-input-file.ts');
  const text = await readInputFile('prompt_file', file, job, from);
  if (text.trim() !== '') return text;
  throw new ConfigError(`The input prompt_file: ${file} is empty.`, { key: 'prompt_file' });
}
