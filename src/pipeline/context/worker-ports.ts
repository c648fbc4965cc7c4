import type { SandboxMode } from '../../contract/levels.ts';
import type { StateRoot, StateStore } from '../../contract/state-store.ts';
import type { TokenSource } from '../../github/create-octokit.ts';
import type { DecidePorts } from '../../webhooks/authorize/decide-ports.ts';
import type { DoctorSources } from './collect-doctor-facts.ts';
import type { ExecutePorts } from './execute-ports.ts';
import type { RunsInHand } from './runs-in-hand.ts';

/** What handling events needs; the App has one for each installation, the Action one for its job. */
export interface WorkerPorts
  extends Omit<ExecutePorts, 'signal' | 'lastAttempt' | 'triedWhileDown' | 'store' | 'tenant' | 'ownFolder'> {
  /** The state of all repositories; an event gets to that of its own. */
  readonly state: StateRoot;
  /** The installation that the event came by; null where none of ours is asked. */
  readonly installationId: number | null;
  /** The repository's id where the event may not name it. */
  readonly repositoryId?: number;
  readonly host: DecidePorts['settings']['host'];
  readonly serverUrl: string;
  /** The least sandbox the operator demands; null where the configuration and a workflow's inputs decide. */
  readonly sandbox: SandboxMode | null;
  /** Where runs are taken in hand, so that others can end them; left out, nobody can. */
  readonly runs?: RunsInHand;
  /** One that reads checks and logs of jobs; left out, the reading one. Fails where the installation has no such right. */
  readonly checksToken?: TokenSource;
  /** What the installation was granted; left out, there is none. */
  readonly installation?: NonNullable<ExecutePorts['installation'] & DoctorSources['installation']>;
}

/** The same for the repository of one event: its state, and folders of its own. */
export interface EventPorts extends Omit<WorkerPorts, 'state' | 'installationId' | 'repositoryId'> {
  readonly store: StateStore;
  readonly tenant: string;
  readonly ownFolder: string;
}
