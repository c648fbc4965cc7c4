import path from 'node:path';
import { defaultExternalTimeout } from '../config/defaults.ts';
import {
  type EnvironmentPolicy,
  passedVariables,
  type VariableHolder,
} from '../permissions/environment-policy.ts';
import type { ExternalSource } from '../tools/external/load-external-tools.ts';
import { openToolbox, type ToolboxRun } from '../tools/toolbox/open-toolbox.ts';
import { findGit, readHead } from '../workspace/git-layout.ts';
import { makeOwnGit } from '../workspace/own-git.ts';
import { type SteeringTree, steeringAt } from '../workspace/steering-tree.ts';
import type { ExternalRun } from './external-run.ts';
import { trustOf } from './keep-past-run.ts';
import { keptDescriptions } from './kept-descriptions.ts';
import { passPolicyOf } from './pass-policy.ts';
import { createProgramRunner } from './start-program.ts';

/** The toolbox of a run: programs of the commit that steers it, and the operator's own. */
export function toolboxSource(run: ExternalRun): ExternalSource {
  const { environment, config } = run;
  const folder = path.join(run.runFolder, 'toolbox');
  const policy = passPolicyOf(run);
  const hosts = (name: string): readonly string[] => config.network?.programs?.[name] ?? [];
  let tree: Promise<SteeringTree | null> | null = null;
  return openToolbox({
    root: run.root,
    folder,
    named: { environment: environment.ANODE_TOOLBOX, config: config.tools?.toolboxDirs ?? [] },
    home: environment.HOME,
    trusted: () => {
      tree ??= run.steering != null ? Promise.resolve(run.steering) : lastCommitOf(run);
      return tree;
    },
    // What a run says that may only read could have been put into its mouth: it sees what is known and adds nothing.
    cache: keptDescriptions(run.kept, !run.readOnly),
    timeoutSeconds: config.tools?.externalTimeout ?? defaultExternalTimeout,
    givenTo: (holder) =>
      givenTo(holder, hosts(holder.name), {
        policy,
        sandboxed: run.sandboxed,
        trusted: trustOf(run.plan) === 'own',
      }),
    async runnerFor(name) {
      if (name === null) return createProgramRunner(run, folder, { name: 'toolbox', writes: true });
      const own = { name: `toolbox-${name}`, writes: true };
      const entries = hosts(`toolbox:${name}`);
      // Without a sandbox there is no network to open.
      if (entries.length === 0 || !run.sandboxed) return createProgramRunner(run, folder, own);
      const { networkedRunner } = await import('./networked-runner.ts');
      return networkedRunner(entries, (network) => createProgramRunner(run, folder, { ...own, network }));
    },
  });
}

/**
 * What a program is given, or why it cannot be run. Without a sandbox nothing keeps what it is given from others; and a run that a
 * stranger's words are part of could be talked into asking it for what only it can reach.
 */
function givenTo(
  holder: VariableHolder,
  hosts: readonly string[],
  run: { readonly policy: EnvironmentPolicy; readonly sandboxed: boolean; readonly trusted: boolean },
): ReturnType<ToolboxRun['givenTo']> {
  const { variables, withheld } = passedVariables(holder, run.policy);
  const [first] = withheld;
  const names = Object.keys(variables);
  if (first !== undefined) return { problem: `is not given ${first.name}, as ${first.why}` };
  if (names.length > 0 && !run.sandboxed)
    return {
      problem: `cannot be given ${names.join(', ')}, as there is no sandbox to keep that from others`,
    };
  const apart = names.length > 0 || hosts.length > 0;
  if (apart && !run.trusted)
    return {
      problem: `cannot be given ${[...names, ...hosts].join(', ')} in a run for a fork or for somebody who cannot write`,
    };
  return { variables, apart };
}

/** The files of the commit that a checkout of the operator's own stands at: a command in the sandbox cannot move it. */
async function lastCommitOf({ root, runFolder }: ExternalRun): Promise<SteeringTree | null> {
  const layout = findGit(root);
  const sha = layout === null ? null : readHead(layout).sha;
  return layout === null || sha === null
    ? null
    : steeringAt(makeOwnGit(layout, path.join(runFolder, 'toolbox.git')), sha);
}
