import type { ToolServices } from './tools/tool.ts';
import { noAttachments } from './workspace/attachments.ts';

type Given = 'workspace' | 'commands' | 'spillFolder' | 'storage' | 'tasks';

/** What the tools of one run work on. What a way in does not give, it has none of. */
export function makeServices(run: Pick<ToolServices, Given> & Partial<ToolServices>): ToolServices {
  return {
    workspace: run.workspace,
    commands: run.commands,
    spillFolder: run.spillFolder,
    repositories: run.repositories ?? [],
    attachments: run.attachments ?? noAttachments,
    storage: run.storage,
    tasks: run.tasks,
  };
}
