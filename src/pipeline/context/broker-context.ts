import path from 'node:path';
import type { Octokit } from '@octokit/rest';
import type { Logger } from 'pino';
import { effectiveConfig } from '../../config/effective-config.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import { parseRepositoryConfig } from '../../config/parse-repository-config.ts';
import type { Config } from '../../config/schema.ts';
import { ownSecrets } from '../../config/secret-values.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { StateRoot, StateStore } from '../../contract/state-store.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import { createOctokit, type Posting, type TokenSource } from '../../github/create-octokit.ts';
import type { IdentityTokenSource } from '../../github/identity-token.ts';
import type { StagedWrites } from '../../github/staged-writes.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { RunCheckPorts } from '../../reporting/check-run/run-check.ts';
import type { RunContext } from '../../run/records/run-context.ts';
import type { DecideContext } from '../../webhooks/authorize/decide-context.ts';
import type { DeliveryAttempt } from '../../webhooks/deliveries/queue.ts';
import type { ActiveRuns } from './active-runs.ts';
import type { DoctorSources } from './collect-doctor-facts.ts';
import type { JobShare } from './job-share.ts';
import { type ReportLinks, reportLinkFor } from './report-links.ts';
import type { ThreadTurns } from './turn.ts';

/**
 * A token for a check run, or for a commit status only; null if the installation may write neither.
 */
export type CheckRight = { readonly kind: RunCheckPorts['kind']; readonly token: TokenSource } | null;

/**
 * Credentials, folders and settings of an entry point: the App's for an installation, the Action's
 * for a job.
 */
interface BrokerSettings {
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly host: DecideContext['settings']['host'];
  /**
   * Takes every write to GitHub in its place. `writeToken` rejects then. Default: writes are sent.
   */
  readonly staged?: StagedWrites | undefined;
  /** Tokens for the event's repository only: one that reads, one that may write. */
  readonly readToken: TokenSource;
  readonly writeToken: TokenSource;
  /** A token that may upload to code scanning. Default: nothing is uploaded. */
  readonly scanToken?: TokenSource;
  /**
   * A token that reads checks and job logs. Default: `readToken`. Fails if the right is missing.
   */
  readonly checksToken?: TokenSource;
  /**
   * The installation that covers the repository. Default: none. Rejects with 404 once it was
   * deleted.
   */
  readonly installation?: (() => Promise<{ readonly suspended: boolean }>) &
    NonNullable<DoctorSources['installation']>;
  /**
   * The right to report on the commit. Default: the writing token, if the configuration asks for a
   * check.
   */
  readonly checkRight?: () => Promise<CheckRight>;
  /** The file for a review's SARIF log. Default: null, none. */
  readonly sarifFile?: string | null;
  /** Tokens that name the workflow, for signing without a key. Default: none can be had. */
  readonly identityToken?: IdentityTokenSource;
  /** Takes the attestation of each commit, a signed envelope as JSON. Default: nothing does. */
  readonly storeAttestation?: (commit: string, text: string) => Promise<void>;
  /** The budget of writes that all runs of the installation, or of the process, share. */
  readonly budget: ContentBudget;
  readonly log: Logger;
  /** Our own account: `anode-ci[bot]`. */
  readonly ownLogin: string;
  /** The page of the workflow's run; null without one. */
  readonly runUrl: string | null;
  /** The App's links to run reports. Default: null, people cannot reach the App. */
  readonly reportLinks?: ReportLinks | null;
  readonly runsFolder: string;
  readonly checkoutsFolder: string;
  readonly mirrorsFolder: string;
  /** The folder for results of set-ups. */
  readonly setupFolder: string;
  /** The folder that relative paths of `workspace.repos` start from. Default: the checkout. */
  readonly repositoriesFrom?: string | undefined;
  /**
   * The operator's configuration, weaker than the repository's; the only source of endpoints and
   * keys.
   */
  readonly operatorConfig: Config;
  /** Workflow inputs. They override files, unless a file is stricter (`effectiveConfig`). */
  readonly overrides: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The least sandbox the operator demands; null leaves it to the configuration. */
  readonly sandbox: SandboxMode | null;
  /** Receives the events of a run, besides its display on GitHub. Default: nothing does. */
  readonly listen?: RunContext['listen'];
  /** Prepares the machine for a run. Default: nothing to prepare. Never rejects. */
  readonly beforeRun?: (plan: RunPlan) => Promise<void>;
  /** True if stored state cannot be forged, so that answers to questions count. */
  readonly canAsk: boolean;
  /**
   * True if the token cannot write and there is no key of a model: reviews are checks alone, and
   * nothing is posted. Default: false.
   */
  readonly readOnlyToken?: boolean;
  /** The share of a job, where agent and publisher have a job each. Default: all of it. */
  readonly share?: JobShare;
  /** Makes the ids of planned runs. Default: random ones. */
  readonly ids?: DecideContext['ids'];
  /** True if no state of the thread was found, though it is stored. Default: false. */
  readonly isStateLost?: boolean;
  /** Gives the turns on a thread. Default: the entry point has a queue. */
  readonly turns?: ThreadTurns<GitHubContext>;
  /** The active runs, for stopping them. Default: none can be stopped. */
  readonly runs?: ActiveRuns;
  /**
   * Milliseconds before each further try during an outage, if no delivery is repeated. Default: no
   * further try.
   */
  readonly outageWaitsMs?: readonly number[];
}

/** Surroundings of every event of an entry point. */
export interface EntryContext extends BrokerSettings {
  /** The state of all repositories; an event reaches only its own repository's state. */
  readonly state: StateRoot;
  /** The installation that the event came by; null for an entry point without one. */
  readonly installationId: number | null;
  /** The repository's id, for events that may lack it. */
  readonly repositoryId?: number;
}

/** Surroundings of one event: the state and folders of its repository only. */
export interface EventContext extends BrokerSettings {
  readonly store: StateStore;
  /** The repository's name in the state and in folders of ours. */
  readonly tenant: string;
  /** The folder of all repositories' state, which no run may be given. */
  readonly stateFolder: string;
}

/** Adds clients of the event's repository. */
export interface GitHubContext extends EventContext {
  readonly github: { readonly reader: Octokit; readonly writer: Octokit };
  /** For a further client that writes. */
  readonly posting: Posting;
}

/** Surroundings of one plan's run, with the credentials that the run itself never gets. */
export interface BrokerContext extends RunContext, Omit<GitHubContext, keyof RunContext> {
  readonly store: StateStore;
  /** Why `config` is empty: the plan's configuration cannot be used. Null if it can. */
  readonly configError: ConfigError | null;
  /** The address of the run's page or report; null without one. */
  readonly link: string | null;
  /** True when no other attempt follows, so that failures must be reported now. */
  readonly lastAttempt: boolean;
  /** True if another attempt follows an outage of GitHub. */
  readonly triedInOutage: boolean;
}

/** Adds the clients, which send no request until they are used. */
export function withClients(context: EventContext): GitHubContext {
  const { apiUrl, readToken, budget, staged } = context;
  const posting = { budget, redact: createRedactor(ownSecrets(context)) };
  const reader = createOctokit({ apiUrl, token: readToken, staged });
  const writer = createOctokit({ apiUrl, token: writerToken(context), posting, staged });
  return { ...context, github: { reader, writer }, posting };
}

/** Returns the token of a client that writes. A staged run only reads with it. */
export const writerToken = ({
  readToken,
  writeToken,
  staged,
}: Pick<EventContext, 'readToken' | 'writeToken' | 'staged'>): TokenSource =>
  staged === undefined ? writeToken : readToken;

/** Returns the configuration of commits. A staged run pushes them: a push has the patch to show. */
export const commitConfig = ({ config, staged }: Pick<BrokerContext, 'config' | 'staged'>): Config =>
  staged === undefined ? config : { ...config, commit: { ...config.commit, via: 'push' } };

/** Returns the name of an event in our state; null for an event file. */
export function deliveryKey({ delivery_id, part }: IncomingEvent): string | null {
  return delivery_id === null || part === undefined ? delivery_id : `${delivery_id}.${part}`;
}

/** Copies the settings that decide on an event, and no credential. */
export function decisionSettings(context: EventContext) {
  const { host, serverUrl, overrides, operatorConfig, isStateLost = false, canAsk } = context;
  return { host, serverUrl, overrides, operatorConfig, isStateLost, isStored: canAsk };
}

/**
 * Opens the surroundings of a plan's run in one attempt. A broken configuration is in
 * `configError`.
 */
export function openContext(
  plan: RunPlan,
  attempt: Omit<DeliveryAttempt, 'signal'>,
  signal: AbortSignal,
  context: GitHubContext,
): BrokerContext {
  const { reportLinks, runUrl, stateFolder } = context;
  const { config, configError } = readConfig(plan, context);
  const folder = attempt.attempt === 1 ? 'attempt' : `attempt-${attempt.attempt}`;
  const reportUrl = configError === null && reportLinks ? reportLinkFor(plan, config, reportLinks) : null;
  return {
    ...context,
    ...{
      config,
      configError,
      signal,
      listen: context.listen ?? (() => undefined),
      link: runUrl ?? reportUrl,
      ownFolders: [stateFolder],
    },
    lastAttempt: attempt.last,
    triedInOutage: !attempt.lastWhileDown,
    runsFolder: path.join(context.runsFolder, folder),
    checkoutsFolder: path.join(context.checkoutsFolder, folder),
  };
}

/** Copies the fields that a run may have, and no other. */
export function runContextOf(
  context: BrokerContext,
  listen: (event: RunEvent) => void = context.listen,
): RunContext {
  const { config, environment, runsFolder, ownFolders, repositoriesFrom, store, canAsk, signal } = context;
  return {
    ...{ config, environment, runsFolder, ownFolders, repositoriesFrom, listen, signal },
    // State that could be forged on its way is not read.
    store: canAsk ? store : null,
  };
}

function readConfig(
  { config_text: text, config_file: file, source }: RunPlan,
  { overrides, operatorConfig }: Pick<BrokerSettings, 'overrides' | 'operatorConfig'>,
): Pick<BrokerContext, 'config' | 'configError'> {
  try {
    const own = text === null ? {} : parseRepositoryConfig(text, file ?? 'the configuration', source.kind);
    const { config } = effectiveConfig(overrides, mergeConfig(own, operatorConfig));
    return { config, configError: null };
  } catch (error) {
    if (error instanceof ConfigError) return { config: {}, configError: error };
    throw error;
  }
}
