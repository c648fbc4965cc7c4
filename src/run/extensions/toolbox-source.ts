import path from 'node:path';
import * as z from 'zod';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import { parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { DescriptionCache } from '../../extensions/toolbox/describe-programs.ts';
import { openToolbox } from '../../extensions/toolbox/open-toolbox.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { keysInReach } from '../policy/keys-in-reach.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import { trustOf } from '../records/store-past-run.ts';
import { type ExternalRun, trustedTree } from './external-run.ts';
import { keysExposed, programEnvironment, unknownHolderProblems } from './program-environment.ts';

/** Creates the source of the toolbox: programs of the trusted commit, and the operator's own. */
export function toolboxSource(run: ExternalRun): ExternalSource {
  const { environment, config } = run;
  const folder = path.join(run.runFolder, 'toolbox');
  const hosts = (name: string): readonly string[] => config.network?.programs?.[name] ?? [];
  // All programs must be started to learn their names.
  if (keysInReach(run))
    return {
      name: 'the toolbox',
      load: async () => ({ tools: [], problems: [`The toolbox ${keysExposed}.`] }),
      close: async () => undefined,
    };
  /** The names of all programs, including those that may not start. */
  const holders: string[] = [];
  const toolbox = openToolbox({
    root: run.root,
    folder,
    named: { environment: environment.ANODE_TOOLBOX, config: config.tools?.toolboxDirs ?? [] },
    home: environment.HOME,
    trusted: trustedTree(run, 'toolbox'),
    // Untrusted text could have shaped the descriptions of a read-only or foreign run, so those are
    // not stored.
    cache: storedDescriptions(run.store, !run.readOnly && trustOf(run.plan) === 'own'),
    timeoutSeconds: config.tools?.externalTimeout ?? defaultExternalTimeout,
    programEnvironment(holder) {
      holders.push(holder.name);
      return programEnvironment(run, holder, hosts(holder.name));
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
      return {
        ...loaded,
        problems: [...loaded.problems, ...unknownHolderProblems(run, 'toolbox:', holders)],
      };
    },
  };
}

/** Descriptions by digest, the newest last. */
const Descriptions = z.record(z.string(), z.string());

/** Maximum stored descriptions of a repository, and characters of each. */
const maxStored = 200;
const maxStoredLength = 16 * 1024;

/**
 * Stores descriptions as one value. Without a store every run asks each program; with `writes`
 * false nothing is added.
 */
function storedDescriptions(store: StateStore | null, writes: boolean): DescriptionCache {
  let known: Promise<Map<string, string>> | null = null;
  const all = () => {
    known ??= read();
    return known;
  };
  const read = async () => {
    const text = await store?.get(stateKeys.toolbox());
    return new Map(Object.entries(Descriptions.safeParse(parseJson(text ?? '')).data ?? {}));
  };
  return {
    get: async (digest) => (await all()).get(digest) ?? null,
    async add(printed) {
      const descriptions = await all();
      for (const [digest, text] of printed)
        if (text.length <= maxStoredLength) descriptions.set(digest, text);
      if (store === null || !writes || printed.size === 0) return;
      const newest = [...descriptions].slice(-maxStored);
      await store.set(stateKeys.toolbox(), JSON.stringify(Object.fromEntries(newest)));
    },
  };
}
