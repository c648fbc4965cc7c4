import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ToolServices } from '../../tools/tool.ts';
import { createReadMemory } from '../../workspace/changes/read-memory.ts';
import type { RunStorage } from '../../workspace/storage/run-storage.ts';

/**
 * What a child works on: the checkout and files of its family, with a memory of its own of what it has read. What another run
 * changed since then is so refused to it, and what it changed to the others. Its long outputs lie in a folder of their own, as ids
 * of calls need not differ between runs.
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
