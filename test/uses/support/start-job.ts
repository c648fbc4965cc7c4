import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';
import type { Permissions } from '../../support/github/world.ts';
import type { ScriptedRequest } from '../../support/model/script.ts';
import { startScriptedModel } from '../../support/model/scripted-model.ts';
import { actionProgram } from '../../support/program-files.ts';
import { call, taskOf, turnOf } from './conversation.ts';
import { type ProgramResult, type StartedProgram, startProgram } from './run-program.ts';
import type { Part } from './start-app.ts';

/** The model's key in the workflow: it must be seen nowhere. */
export const actionKey = 'canary-key-of-the-action';

/** The end of a step: its output, and the files that it wrote for GitHub. */
export interface StepResult extends ProgramResult {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** `git status --short` of the job's checkout; empty without one. */
  readonly status: string;
  /** The folder of its runner, and what it leaves to the end of the job. */
  readonly runner: string;
  readonly state: Readonly<Record<string, string>>;
}

/** A step that is running still. */
export interface StartedStep {
  readonly child: StartedProgram['child'];
  readonly ended: Promise<StepResult>;
}

export interface StepOptions {
  /** The Action's own where left out. */
  readonly program?: string;
  /** Its newest payload becomes the event file. */
  readonly event: string;
  /** Its action, where the newest of any is not meant. */
  readonly action?: string;
  /** The payload itself, of an event that the stand-in does not make. */
  readonly payload?: object;
  readonly actor: string;
  /** Inputs of action.yml by name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The branch that the job has checked out; default: `main`. */
  readonly branch?: string;
  /** `permissions:` of the job. Default: everything that the Action needs. */
  readonly permissions?: Permissions;
  /** The step whose end is started: the same runner, with the state that the step left. */
  readonly after?: StepResult;
  /** Makes the job's checkout in an empty folder. Default: a clone of `branch`. */
  readonly checkout?: (folder: string) => Promise<void>;
  /** The user that runs the step and owns its runner. Default: ours. */
  readonly user?: number;
  /** The owner of the checkout, where it is another than `user`. */
  readonly owner?: number;
  /** The Node to start. Default: ours. */
  readonly node?: string;
  /** The workflow run, with an artifact service. Default: run 7 without one. */
  readonly workflowRun?: { readonly runId: number; readonly branch?: string; readonly fork?: string };
  /** Variables that the workflow sets for the step besides its inputs. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The part of GitHub Actions for a step, with a model. Each step has a runner of its own. */
export interface Job {
  readonly github: GitHub;
  learn(words: string, part: Part): void;
  requestsFor(words: string): ScriptedRequest[];
  run(repository: RepositoryHandle, options: StepOptions): Promise<StepResult>;
  /** The same, with the process to send signals to. */
  start(repository: RepositoryHandle, options: StepOptions): Promise<StartedStep>;
  /** A folder that outlives a step. */
  stateFolder(): Promise<string>;
  /** Replaces a word in every file below a folder. */
  forge(folder: string, from: string, to: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the stand-in and the model. */
export async function startJob(): Promise<Job> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-job-'));
  const parts: { readonly words: string; readonly part: Part }[] = [];
  const model = await startScriptedModel({
    key: actionKey,
    script: (request) => {
      const found = parts.find(({ words }) => taskOf(request).includes(words));
      if (found === undefined) throw new Error(`no part for: ${taskOf(request)}`);
      return found.part(turnOf(request), request);
    },
  });
  const github = await startGitHub();
  const defaults = await inputDefaults();
  const made = (name: string) => mkdtemp(path.join(folder, name));
  const start: Job['start'] = async (
    repository,
    {
      program = actionProgram,
      event,
      action,
      payload,
      actor,
      inputs,
      branch = 'main',
      permissions = { contents: 'write', issues: 'write', pull_requests: 'write' },
      after,
      checkout: makeCheckout,
      user,
      owner,
      node,
      workflowRun,
      environment,
    },
  ) => {
    const runner = after?.runner ?? (await made('runner-'));
    const at = (name: string) => path.join(runner, name);
    const checkout = at('a checkout');
    await mkdir(checkout, { recursive: true });
    if (makeCheckout !== undefined) await makeCheckout(checkout);
    else if (after === undefined)
      await promisify(execFile)('git', ['clone', '-q', '-b', branch, repository.cloneUrl, checkout]);
    await mkdir(at('temp'), { recursive: true });
    await writeFile(at('event.json'), JSON.stringify(payload ?? github.lastEventPayload(event, action)));
    for (const name of ['output', 'summary', 'state', 'env', 'path']) await writeFile(at(name), '');
    // A push is one to its branch; all other events stand on the default branch.
    const pushed = event === 'push' ? branch : 'main';
    const sha = (await repository.head(pushed)) ?? '';
    const token = github.createToken({
      actor: 'github-actions[bot]',
      permissions,
      repositories: [repository.fullName],
    });
    const given = {
      ...defaults,
      github_token: token,
      anthropic_api_key: actionKey,
      ...inputs,
    };
    if (user !== undefined) {
      await chmod(folder, 0o755);
      await promisify(execFile)('chown', ['-R', `${user}:${user}`, runner]);
      if (owner !== undefined) await promisify(execFile)('chown', ['-R', `${owner}:${owner}`, checkout]);
    }
    const { child, ended } = startProgram(program, [], {
      cwd: checkout,
      ...(user === undefined ? {} : { user }),
      ...(node === undefined ? {} : { node }),
      environment: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        HOME: runner,
        ...(user === undefined ? { NODE_COMPILE_CACHE: path.join(folder, 'compiled') } : {}),
        RUNNER_OS: 'Linux',
        RUNNER_TEMP: at('temp'),
        GITHUB_STATE: at('state'),
        GITHUB_ENV: at('env'),
        GITHUB_PATH: at('path'),
        GITHUB_EVENT_NAME: event,
        GITHUB_EVENT_PATH: at('event.json'),
        GITHUB_OUTPUT: at('output'),
        GITHUB_STEP_SUMMARY: at('summary'),
        GITHUB_REPOSITORY: repository.fullName,
        GITHUB_WORKSPACE: checkout,
        GITHUB_ACTOR: actor,
        GITHUB_SHA: sha,
        GITHUB_REF: `refs/heads/${pushed}`,
        GITHUB_RUN_ID: String(workflowRun?.runId ?? 7),
        GITHUB_RUN_ATTEMPT: '1',
        ...(workflowRun === undefined ? {} : github.startArtifactJob(repository.fullName, workflowRun)),
        GITHUB_API_URL: github.apiUrl,
        GITHUB_SERVER_URL: github.url,
        ANTHROPIC_BASE_URL: model.url,
        ...environment,
        ...Object.fromEntries(
          Object.entries(after?.state ?? {}).map(([name, value]) => [`STATE_${name}`, value]),
        ),
        ...Object.fromEntries(
          Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
        ),
      },
    });
    const finish = async (): Promise<StepResult> => {
      const result = await ended;
      const status = existsSync(path.join(checkout, '.git'))
        ? await promisify(execFile)('git', [
            ...['-c', 'safe.directory=*', '-C', checkout, 'status', '--short'],
          ])
        : { stdout: '' };
      return {
        ...result,
        outputs: readOutputs(await readFile(at('output'), 'utf8')),
        summary: await readFile(at('summary'), 'utf8'),
        status: status.stdout,
        runner,
        state: readOutputs(await readFile(at('state'), 'utf8')),
      };
    };
    return { child, ended: finish() };
  };
  return {
    github,
    learn: (words, part) => void parts.push({ words, part }),
    requestsFor: (words) => model.requests.filter((request) => taskOf(request).includes(words)),
    stateFolder: () => made('state-'),
    async forge(where, from, to) {
      const entries = await readdir(where, { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((one) => one.isFile())) {
        const file = path.join(entry.parentPath, entry.name);
        await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to));
      }
    },
    start,
    run: async (...of) => (await start(...of)).ended,
    async close() {
      await github.close();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The inputs that a runner gives where the workflow sets none: the defaults of action.yml that are no expressions. */
async function inputDefaults(): Promise<Record<string, string>> {
  const { inputs } = parse(await readFile('action/action.yml', 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  };
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) =>
      input.default === undefined || input.default.startsWith('${{') ? [] : [[name, input.default]],
    ),
  );
}

/**
 * Reads the outputs of a step (GitHub docs, "Workflow commands"): `name=value`, or
 * `name<<delimiter`, the value's lines, the delimiter.
 */
export function readOutputs(written: string): Record<string, string> {
  // On Windows the lines end otherwise.
  const text = written.replaceAll('\r\n', '\n');
  const long = [...text.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [
    name,
    value,
  ]);
  const rest = text.replaceAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm, '');
  const short = [...rest.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  return Object.fromEntries([...long, ...short]);
}

/** Creates `acme/shop` with a red colour, in which ada may write. */
export async function openShop({ github }: Pick<Job, 'github'>): Promise<RepositoryHandle> {
  const shop = await github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'sandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  return shop;
}

/** Has the model make the colour of the shop blue when it is asked to `paint it`. */
export function learnPainting({ learn }: Pick<Job, 'learn'>): void {
  learn('paint it', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue.' },
  );
}
