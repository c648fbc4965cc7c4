import path from 'node:path';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import { openToolbox } from '../../extensions/toolbox/open-toolbox.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { keysInReach } from '../policy/keys-in-reach.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import { trustOf } from '../records/keep-past-run.ts';
import type { ExternalRun } from './external-run.ts';
import { givenTo, notBesideKeys, unknownHolders } from './given-to.ts';
import { keptDescriptions } from './kept-descriptions.ts';
import { trustedTree } from './trusted-tree.ts';

/** The toolbox of a run: programs of the commit that steers it, and the operator's own. */
export function toolboxSource(run: ExternalRun): ExternalSource {
  const { environment, config } = run;
  const folder = path.join(run.runFolder, 'toolbox');
  const hosts = (name: string): readonly string[] => config.network?.programs?.[name] ?? [];
  // Before a name is known, all of them are started to say it.
  if (keysInReach(run))
    return {
      name: 'the toolbox',
      load: async () => ({ tools: [], problems: [`The toolbox ${notBesideKeys}.`] }),
      close: async () => undefined,
    };
  /** The programs by what they call themselves, those included that may not be started. */
  const asked: string[] = [];
  const toolbox = openToolbox({
    root: run.root,
    folder,
    named: { environment: environment.ANODE_TOOLBOX, config: config.tools?.toolboxDirs ?? [] },
    home: environment.HOME,
    trusted: trustedTree(run, 'toolbox'),
    // What a run says that may only read, or that works on a stranger's files, could have been put into its mouth: it adds nothing.
    cache: keptDescriptions(run.kept, !run.readOnly && trustOf(run.plan) === 'own'),
    timeoutSeconds: config.tools?.externalTimeout ?? defaultExternalTimeout,
    givenTo(holder) {
      asked.push(holder.name);
      return givenTo(run, holder, hosts(holder.name));
    },
    runnerFor(name) {
      const own =
        name === null ? { name: 'toolbox' } : { name: `toolbox-${name}`, hosts: hosts(`toolbox:${name}`) };
      return createProgramRunner(run, folder, { ...own, writes: true });
    },
  });
  return {
    ...toolbox,
    async load(signal) {
      const loaded = await toolbox.load(signal);
      return { ...loaded, problems: [...loaded.problems, ...unknownHolders(run, 'toolbox:', asked)] };
    },
  };
}
