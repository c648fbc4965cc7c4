import type { PublishPorts } from './ports.ts';

/**
 * The usual places of a pull request template. See GitHub Docs, "About issue and pull request
 * templates".
 */
const templatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);

/** A template's text, null if there is none, and a note about a missing one. */
export interface ReadTemplate {
  readonly template: string | null;
  readonly problem: string | null;
}

/** More than any template; what is longer is not taken for one. */
const longest = 30_000;

/**
 * Reads the configured template from the base branch. Default for pull requests: the repository's
 * own. `false`: none.
 */
export async function readTemplate(
  kind: 'pull_request' | 'handoff',
  setting: string | false | undefined,
  { readBaseFile }: Pick<PublishPorts, 'readBaseFile'>,
): Promise<ReadTemplate> {
  if (setting === false || readBaseFile === undefined) return { template: null, problem: null };
  const usual = kind === 'pull_request' ? templatePaths : [];
  const paths = setting === undefined ? usual : [setting];
  for (const path of paths) {
    const template = await readBaseFile(path);
    if (template !== null && template.length <= longest) return { template, problem: null };
  }
  const problem = setting === undefined ? null : `The template ${setting} is no file of the base branch.`;
  return { template: null, problem };
}
