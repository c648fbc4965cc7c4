import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { montyPythonRepl } from '../../extensions/python/monty-python-repl.ts';
import { createPythonSessions } from '../../extensions/python/python-session.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { createProgramRunner, programNode } from '../programs/program-runner.ts';
import type { ExternalRun } from './external-run.ts';
import type { FoundMonty } from './find-monty.ts';

/** Creates the source for Python. It has its own sandbox, as native code reads untrusted input. */
export function pythonSource(run: ExternalRun, { file, folders }: FoundMonty): ExternalSource {
  const folder = path.join(run.runFolder, 'python');
  const sessions = createPythonSessions({
    file,
    cwd: run.root,
    node: programNode(run),
    async runner() {
      await mkdir(folder, { recursive: true });
      return createProgramRunner(run, folder, { name: 'python', shown: folders });
    },
  });
  return {
    name: 'Python',
    load: async () => ({ tools: [montyPythonRepl(sessions)], problems: [] }),
    close: () => sessions.close(),
  };
}
