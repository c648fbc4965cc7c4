import { ToolError } from '../../contract/errors.ts';
import { TaskResult } from '../services/children.ts';
import { defineTool, type ToolContext, toJson } from '../tool.ts';

/** Returns a child's result to its parent and ends the child. */
export const taskReturn = defineTool({
  name: 'task.return',
  description: 'Give your result back to the agent that started you, and end.',
  input: TaskResult,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: args.summary }),
  async execute(args, context) {
    const { task, name = '' } = context.state;
    if (task === undefined) {
      throw new ToolError('unavailable', 'No one delegated this run. Give your result as your answer.');
    }
    const artifacts =
      args.artifacts && (await Promise.all(args.artifacts.map((one) => checkedArtifact(one, context))));
    const result = { ...args, artifacts };
    const folder = `summaries/${name}`;
    const by = { tool: 'task.return', callId: context.callId };
    await context.storage.change(`${folder}/result.json`, by, () => `${JSON.stringify(result, null, 2)}\n`);
    await context.storage.change(`${folder}/summary.md`, by, () => `${args.summary}\n`);
    task.result = result;
    await context.finish(args.summary);
    return { content: `Returned. It is kept in ${folder}/.`, data: toJson(result) };
  },
});

/** Returns the artifact under its normalised path. Throws `ToolError` if it does not exist. */
async function checkedArtifact<Given extends { readonly path: string }>(
  artifact: Given,
  { storage }: Pick<ToolContext, 'storage'>,
): Promise<Given> {
  const path = storage.locate(artifact.path);
  const { files } = await storage.open();
  if ((await files.stat(path))?.kind === 'file') return { ...artifact, path };
  throw new ToolError(
    'not_found',
    `${artifact.path} is no file of this run's own. Write it with workspace_write_file, or leave it out; name files of the repository in the summary.`,
  );
}
