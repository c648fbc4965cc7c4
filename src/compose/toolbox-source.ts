import path from 'node:path';
import { defaultExternalTimeout } from '../config/defaults.ts';
import {
  type EnvironmentPolicy,
  passedVariables,
  type VariableHolder,
} from '../permissions/environment-policy.ts';
import type { ExternalSource } from '../tools/external/load-external-tools.ts';
import { openToolbox } from '../tools/toolbox/open-toolbox.ts';
import { findGit, readHead } from '../workspace/git-layout.ts';
import { makeOwnGit } from '../workspace/own-git.ts';
import { type SteeringTree, steeringAt } from '../workspace/steering-tree.ts';
import type { ExternalRun } from './external-tools.ts';
import { keptDescriptions } from './kept-descriptions.ts';
import { passPolicyOf } from './pass-policy.ts';
import { createProgramRunner } from './start-program.ts';

/** The toolbox of a run: programs of the commit that steers it, and the operator's own. */
export function toolboxSource(run: ExternalRun): ExternalSource {
  const { environment, config } = run;
  const folder = path.join(run.runFolder, 'toolbox');
  const policy = passPolicyOf(run);
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
    variablesFor: (holder) => variablesFor(holder, policy, run.sandboxed),
    runnerFor: (name) =>
      createProgramRunner(run, folder, { name: name === null ? 'toolbox' : `toolbox-${name}`, writes: true }),
  });
}

/** What a program is given, or why it cannot be run: without a sandbox nothing keeps what it is given from others. */
function variablesFor(holder: VariableHolder, policy: EnvironmentPolicy, sandboxed: boolean) {
  const { variables, withheld } = passedVariables(holder, policy);
  const [first] = withheld;
  const names = Object.keys(variables);
  if (first !== undefined) return { problem: `is not given ${first.name}, as ${first.why}` };
  if (names.length > 0 && !sandboxed)
    return {
      problem: `cannot be given ${names.join(', ')}, as there is no sandbox to keep that from others`,
    };
  return { variables };
}

/** The files of the commit that a checkout of the operator's own stands at: a command in the sandbox cannot move it. */
async function lastCommitOf({ root, runFolder }: ExternalRun): Promise<SteeringTree | null> {
  const layout = findGit(root);
  const sha = layout === null ? null : readHead(layout).sha;
  return layout === null || sha === null
    ? null
    : steeringAt(makeOwnGit(layout, path.join(runFolder, 'toolbox.git')), sha);
}
