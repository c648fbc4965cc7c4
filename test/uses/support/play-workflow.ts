import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import type { Permissions } from '../../support/github/world.ts';
import { type Contexts, condition, type ExpressionValue, interpolate } from './evaluate-expression.ts';
import { git, runnerCheckout } from './runner-checkout.ts';
import { type Job, readOutputs, type StepResult } from './start-job.ts';

/** A workflow file as far as the player knows it. */
interface PlayableWorkflow {
  readonly on: Readonly<Record<string, Readonly<Record<string, readonly string[]>> | null>>;
  readonly jobs: Readonly<Record<string, PlayableJob>>;
}

interface PlayableJob {
  readonly if?: string;
  readonly needs?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly PlayableStep[];
}

interface PlayableStep {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

type Texts = Readonly<Record<string, string>>;

/** Facts from outside the workflow: its event, actor and secrets. */
export interface PlayOptions {
  readonly event: string;
  readonly actor: string;
  /** The payload; default: the newest of the event. */
  readonly payload?: object;
  readonly secrets: Texts;
  readonly variables?: Texts;
  /** `github.ref`; default: the default branch. */
  readonly ref?: string;
  /** Paths that the pull request changes, for a workflow with `paths:`. */
  readonly changed?: readonly string[];
  /** Scripts of programs that scripts call, such as `gh`, by name. */
  readonly programs?: Texts;
  /** Variables of the runner for the step of Anode CI. */
  readonly environment?: Texts;
  /** Folder with the caches of earlier runs, to which a run adds its own. */
  readonly caches?: string;
  /** Number of the workflow run, which then has a service for artifacts. */
  readonly runId?: number;
}

/** Result of a job, and the steps that ran. */
export interface PlayedJob {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Texts;
  /** The step of Anode CI; null if it has none, or it was skipped. */
  readonly step: StepResult | null;
  /** Output of its scripts. */
  readonly printed: string;
  /** Each step that ran, by its action's name or `run`. */
  readonly ran: readonly string[];
}

/** All a step may use. */
interface Stage {
  readonly job: Job;
  readonly shop: RepositoryHandle;
  readonly options: PlayOptions;
  readonly payload: object;
  readonly folder: string;
  readonly artifacts: Map<string, string>;
}

/** A job at work. */
interface AtWork {
  readonly checkout: string;
  readonly temp: string;
  readonly permissions: Permissions;
  readonly jobToken: string;
  contexts: Contexts;
  failed: boolean;
  played: StepResult | null;
  printed: string;
  readonly atEnd: (() => Promise<void>)[];
}

/**
 * Plays a workflow for an event as a runner would: triggers, conditions, inputs, permissions and
 * scripts are those of its text. The step of Anode CI is the program itself. Of other actions, the
 * effect on the job is made. Throws for what it does not know. Null if the event starts nothing.
 */
export async function playWorkflow(
  text: string,
  { job, shop }: { readonly job: Job; readonly shop: RepositoryHandle },
  options: PlayOptions,
): Promise<Readonly<Record<string, PlayedJob>> | null> {
  const workflow = parse(text) as PlayableWorkflow;
  const payload = options.payload ?? job.github.lastEventPayload(options.event);
  if (!startsOn(workflow, options, payload)) return null;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-play-'));
  try {
    const stage = { job, shop, options, payload, folder, artifacts: new Map<string, string>() };
    const done: Record<string, PlayedJob> = {};
    for (const [name, one] of Object.entries(workflow.jobs))
      done[name] = await playJob(name, one, done, stage);
    return done;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** True if an event passes the filters of the workflow (GitHub Docs, "Workflow syntax"). */
function startsOn({ on }: PlayableWorkflow, options: PlayOptions, payload: object): boolean {
  if (!Object.hasOwn(on, options.event)) return false;
  if (options.event === 'schedule') return true;
  return Object.entries(on[options.event] ?? {}).every(([name, wanted]) => {
    const values = filters[name]?.(payload, options);
    if (values === undefined) throw new Error(`cannot filter by ${name}`);
    return values.some((value) => wanted.some((pattern) => path.matchesGlob(value, pattern)));
  });
}

type Filter = (payload: object, options: PlayOptions) => readonly string[];

const filters: Readonly<Record<string, Filter>> = {
  types: (payload) => ('action' in payload ? [String(payload.action)] : []),
  paths: (_, { changed }) => changed ?? [],
  tags: (_, { ref }) => [ref?.replace(/^refs\/tags\//, '') ?? ''],
  workflows: (payload) => [(payload as { workflow_run: { name: string } }).workflow_run.name],
};

async function playJob(
  name: string,
  job: PlayableJob,
  done: Readonly<Record<string, PlayedJob>>,
  stage: Stage,
): Promise<PlayedJob> {
  const needed = job.needs === undefined ? undefined : done[job.needs];
  const work = await startWork(name, job, done, stage);
  const skipped = { result: 'skipped', outputs: {}, step: null, printed: '', ran: [] } as const;
  const waits = needed !== undefined && needed.result !== 'success';
  if (!condition(job.if, work.contexts, waits)) return skipped;
  const ran: string[] = [];
  for (const step of job.steps) {
    if (!condition(step.if, work.contexts, work.failed)) continue;
    ran.push(step.uses?.replace(/@.*/, '') ?? 'run');
    const outputs = await playStep(step, work, stage);
    if (step.id !== undefined) work.contexts = withStep(work.contexts, step.id, outputs);
  }
  for (const end of work.atEnd) await end();
  const outputs = Object.entries(job.outputs ?? {}).map(([key, value]) => [
    key,
    interpolate(value, work.contexts),
  ]);
  return {
    result: work.failed ? 'failure' : 'success',
    outputs: Object.fromEntries(outputs) as Texts,
    step: work.played,
    printed: work.printed,
    ran,
  };
}

async function startWork(
  name: string,
  { permissions }: PlayableJob,
  done: Readonly<Record<string, PlayedJob>>,
  { job, shop, options, payload, folder }: Stage,
): Promise<AtWork> {
  const [checkout, temp] = [path.join(folder, name, 'checkout'), path.join(folder, name, 'temp')];
  for (const made of [checkout, temp]) await mkdir(made, { recursive: true });
  const scopes = Object.entries(permissions).map(([scope, level]) => [scope.replaceAll('-', '_'), level]);
  const granted = Object.fromEntries(scopes) as Permissions;
  const jobToken = job.github.createToken({
    actor: 'github-actions[bot]',
    permissions: granted,
    repositories: [shop.fullName],
  });
  const ref = options.ref ?? 'refs/heads/main';
  const needs = Object.entries(done).map(([key, { outputs, result }]) => [key, { outputs, result }]);
  const contexts = {
    github: {
      event: payload as ExpressionValue,
      ...{ event_name: options.event, actor: options.actor, repository: shop.fullName, token: jobToken },
      ...{ ref, ref_name: ref.replace(/^refs\/\w+\//, ''), run_id: options.runId ?? 7, run_attempt: 1 },
    },
    ...{ secrets: options.secrets, vars: options.variables ?? {}, runner: { temp }, steps: {} },
    needs: Object.fromEntries(needs) as ExpressionValue,
  };
  return {
    checkout,
    temp,
    permissions: granted,
    jobToken,
    contexts,
    failed: false,
    played: null,
    printed: '',
    atEnd: [],
  };
}

const withStep = ({ steps, ...others }: Contexts, id: string, outputs: Texts): Contexts => ({
  ...others,
  steps: { ...(steps as Readonly<Record<string, ExpressionValue>>), [id]: { outputs } },
});

/** Plays one step; returns its outputs. */
async function playStep(step: PlayableStep, work: AtWork, stage: Stage): Promise<Texts> {
  const texts = (values: PlayableStep['with'] = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, interpolate(String(value), work.contexts)]),
    );
  const [inputs, environment] = [texts(step.with), texts(step.env)];
  if (step.run !== undefined)
    return runScript(interpolate(step.run, work.contexts), environment, work, stage);
  const name = step.uses?.replace(/@.*/, '') ?? '';
  if (name === 'OWNER/anode-ci') return runOwn(inputs, environment, work, stage);
  const action = actions[name];
  if (action === undefined) throw new Error(`cannot play ${name}`);
  return action(inputs, work, stage);
}

async function runOwn(inputs: Texts, environment: Texts, work: AtWork, stage: Stage): Promise<Texts> {
  const { job, shop, options, payload } = stage;
  let own = '';
  work.played = await job.run(shop, {
    ...{ event: options.event, actor: options.actor, payload, permissions: work.permissions },
    // Jobs hand over artifacts, and threads their state, by the service of the workflow run.
    ...(options.runId === undefined ? {} : { workflowRun: { runId: options.runId } }),
    // Only what the workflow gives: the stage has a key of its own for other tests.
    inputs: { anthropic_api_key: '', github_token: work.jobToken, ...inputs },
    environment: {
      RUNNER_TEMP: work.temp,
      GITHUB_REF: options.ref ?? 'refs/heads/main',
      ...runnerVariables(work, options),
      ...environment,
    },
    async checkout(folder) {
      own = folder;
      await cp(work.checkout, folder, { recursive: true, verbatimSymlinks: true });
    },
  });
  await rm(work.checkout, { recursive: true });
  await cp(own, work.checkout, { recursive: true, verbatimSymlinks: true });
  work.failed ||= work.played.code !== 0;
  return work.played.outputs;
}

/** Leaves the variables for identity tokens to a job with the permission, as a runner does. */
const runnerVariables = ({ permissions }: AtWork, { environment = {} }: PlayOptions): Texts =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => 'id_token' in permissions || !name.startsWith('ACTIONS_ID_TOKEN_'),
    ),
  );

/** Runs a script as a runner does by default: `bash -e`, with the workflow's own programs first. */
async function runScript(script: string, environment: Texts, work: AtWork, stage: Stage): Promise<Texts> {
  const { folder, options, shop } = stage;
  const programs = path.join(folder, 'programs');
  await mkdir(programs, { recursive: true });
  for (const [name, body] of Object.entries(options.programs ?? {})) {
    await writeFile(path.join(programs, name), `#!/bin/bash -e\n${body}\n`);
    await chmod(path.join(programs, name), 0o755);
  }
  const output = path.join(work.temp, 'output');
  await writeFile(output, '');
  const ref = options.ref ?? 'refs/heads/main';
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: work.checkout,
    env: {
      ...{ PATH: `${programs}:/usr/bin:/bin`, HOME: folder, RUNNER_TEMP: work.temp, GITHUB_OUTPUT: output },
      ...{ GITHUB_RUN_ID: String(options.runId ?? 7), GITHUB_REPOSITORY: shop.fullName },
      ...{ GITHUB_REF: ref, GITHUB_REF_NAME: ref.replace(/^refs\/\w+\//, '') },
      ...environment,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, errors] = await Promise.all([ended, readText(child.stdout), readText(child.stderr)]);
  work.printed += out + errors;
  work.failed ||= code !== 0;
  return readOutputs(await readFile(output, 'utf8'));
}

type PlayedAction = (inputs: Texts, work: AtWork, stage: Stage) => Promise<Texts>;

/** The effects of other actions on a job. */
const actions: Readonly<Record<string, PlayedAction>> = {
  async 'actions/checkout'(inputs, { checkout }, { shop, payload, options }) {
    if (inputs['persist-credentials'] !== 'false') throw new Error('the checkout keeps its token');
    const pull = options.event.startsWith('pull_request') ? numberOf(payload) : undefined;
    if (inputs['fetch-depth'] !== '0')
      await runnerCheckout(shop, checkout, pull === undefined ? {} : { pull });
    else {
      await git(checkout, 'clone', '-q', shop.cloneUrl, '.');
      if (pull !== undefined) await git(checkout, 'fetch', '-q', 'origin', `refs/pull/${pull}/head`);
      await git(checkout, 'checkout', '-q', '--detach', inputs.ref ?? 'HEAD');
    }
    return {};
  },
  async 'actions/create-github-app-token'(inputs, _, { job, shop }) {
    if (!inputs['app-id'] || !inputs['private-key']) throw new Error('the App has no id or key');
    const permissions: Permissions = {
      ...{ contents: 'write', issues: 'write', pull_requests: 'write' },
      ...{ actions: 'read', checks: 'read' },
    };
    const token = job.github.createToken({
      actor: 'shop-bot[bot]',
      permissions,
      repositories: [shop.fullName],
    });
    return { token };
  },
  async 'actions/cache'({ path: folder = '', key = '', 'restore-keys': prefix = '' }, work, { options }) {
    if (options.caches === undefined) throw new Error('there is no folder for caches');
    const store = options.caches;
    const found = (await readdir(store)).toSorted().findLast((name) => name.startsWith(prefix));
    if (found !== undefined) await cp(path.join(store, found), folder, { recursive: true });
    // Stored at the end of the job, as `post` of the action does.
    work.atEnd.push(() => cp(folder, path.join(store, key), { recursive: true }));
    return {};
  },
  async 'actions/upload-artifact'({ name = '', path: file = '' }, _, { artifacts, folder }) {
    const stored = path.join(folder, `artifact-${artifacts.size}`);
    await cp(file, path.join(stored, path.basename(file)), { recursive: true });
    artifacts.set(name, stored);
    return {};
  },
  async 'actions/download-artifact'({ name = '', path: target = '' }, _, { artifacts }) {
    const stored = artifacts.get(name);
    if (stored === undefined) throw new Error(`no artifact ${name}`);
    await cp(stored, target, { recursive: true });
    return {};
  },
  async 'github/codeql-action/upload-sarif'({ sarif_file: file = '' }, work) {
    work.printed += await readFile(file, 'utf8');
    return {};
  },
};

function numberOf(payload: object): number {
  const { pull_request: pull } = payload as { readonly pull_request?: { readonly number: number } };
  if (pull === undefined) throw new Error('the event has no pull request');
  return pull.number;
}
