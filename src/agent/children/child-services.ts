import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ToolServices } from '../../tools/tool.ts';
import { createReadMemory } from '../../workspace/changes/read-memory.ts';
import type { RunStorage } from '../../workspace/storage/run-storage.ts';

/**
 * Returns the services of a child: the checkout and files of its run tree, and its own memory of
 * the files it has read. So a child cannot overwrite changes that another run made in the meantime.
 * Its long outputs have their own folder, as call ids may repeat between runs.
 */
export async function childServices(services: ToolServices, childRunId: string): Promise<ToolServices> {
  const spillFolder = path.join(services.spillFolder, childRunId);
  await mkdir(spillFolder, { recursive: true, mode: 0o700 });
  return {
    ...services,
    spillFolder,
    workspace: { ...services.workspace, memory: createReadMemory() },
    storage: withOwnMemory(services.storage),
  };
}

function withOwnMemory(storage: RunStorage): RunStorage {
  const memory = createReadMemory();
  return {
    ...storage,
    open: async () => ({ ...(await storage.open()), memory }),
    async change(at, by, work) {
      let after = '';
      await storage.change(at, by, (before) => {
        after = work(before);
        return after;
      });
      memory.saw(storage.locate(at), Buffer.from(after));
    },
  };
}
