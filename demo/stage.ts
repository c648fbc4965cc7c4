import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import type { Config } from '../src/config/schema.ts';
import { type AppProcess, appPermissions, startAppProcess } from '../test/support/app-process.ts';
import { freePort } from '../test/support/free-port.ts';
import type { RepositoryHandle } from '../test/support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../test/support/github/start-github.ts';
import { startScriptedModel } from '../test/support/model/scripted-model.ts';
import type { Sample } from './sample.ts';
import { scriptedAnswers } from './scripted-answers.ts';

/** The configuration on the sample's base branch: careful, and one rule that lets its tests run. */
const sampleConfig = `# What Anode CI may do here.
permissions:
  preset: careful
  rules:
    - tool: bash
      matches: { command: node --test }
      action: allow
sandbox: preferred
`;

/** The model the demo runs with, and how to say so. */
export interface DemoModel {
  readonly scripted: boolean;
  readonly description: string;
  /** `provider/name` where the environment alone does not say which. */
  readonly name: string | null;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The real model where the environment has a key or an endpoint, else the scripted one over real HTTP. */
export async function chooseModel(
  environment: Readonly<Record<string, string | undefined>>,
  sample: Sample,
): Promise<DemoModel> {
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'];
  const given = Object.fromEntries(
    names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const real = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'].find((name) => name in given);
  if (real !== undefined) {
    const name =
      real === 'OPENAI_BASE_URL' ? `openai/${await servedModel(given.OPENAI_BASE_URL ?? '')}` : null;
    return {
      scripted: false,
      description: `GitHub is a stand-in on this machine. The model is real${name === null ? '' : ` (${name})`}, by ${real}, and costs money.`,
      name,
      environment: given,
      close: async () => undefined,
    };
  }
  const server = await startScriptedModel({ script: scriptedAnswers(sample) });
  return {
    scripted: true,
    description:
      'GitHub and the model are stand-ins on this machine, so no key is needed. The App, git, the sandbox and the permissions are real.',
    name: null,
    environment: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'the-scripted-model-takes-any-key' },
    close: () => server.close(),
  };
}

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })).min(1) });

/** The first model that an endpoint without a key says it serves (OpenAI API reference, "List models"). */
async function servedModel(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`);
  return ModelList.parse(await response.json()).data[0]?.id ?? '';
}

/** Everything the demo plays on. */
export interface Stage {
  readonly sample: Sample;
  readonly github: GitHub;
  readonly repository: RepositoryHandle;
  /** The App's own login. */
  readonly bot: string;
  readonly model: DemoModel;
  readonly folder: string;
  /** What the App logged as a warning or worse, for when something did not happen. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Starts GitHub's stand-in with the sample repository, and the real App as a process of its own against it. */
export async function setStage(sample: Sample, model: DemoModel): Promise<Stage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-demo-'));
  const github = await startGitHub();
  const app = github.addApp({ slug: 'anode-ci', permissions: appPermissions });
  const repository = await github.createRepository('sample/dayspan', {
    files: { ...sample.base, '.github/anode.yml': sampleConfig },
  });
  repository.setPermission('maintainer', 'write');
  repository.setPermission('passer-by', 'read');
  let server: AppProcess | null = null;
  const close = async () => {
    await server?.stop();
    await github.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (model.name !== null) await writeOperatorConfig(folder, { model: model.name });
    // Comments link to reports of their runs, so that the port has to be known before the App starts.
    const port = String(await freePort());
    const address = { PORT: port, ANODE_PUBLIC_URL: `http://127.0.0.1:${port}` };
    server = await startAppProcess({
      github,
      app,
      folder,
      environment: { ...model.environment, ...address },
    });
  } catch (error) {
    await close();
    throw error;
  }
  const { complaints, url } = server;
  github.subscribe('anode-ci', `${url}/api/github/webhooks`);
  return { sample, github, repository, bot: app.login, model, folder, complaints, close };
}

/** The configuration of whoever runs the App, in the home folder it is started with. */
async function writeOperatorConfig(home: string, config: Config): Promise<void> {
  const directory = path.join(home, '.config', 'anode');
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, 'config.json'), JSON.stringify(config));
}

/** A pull request from a fork, with the same bug, by someone without write permission. */
export async function openForkPullRequest(stage: Stage): Promise<number> {
  const { repository, sample } = stage;
  const fork = await repository.fork('passer-by');
  const { files, title, body } = sample.pullRequest;
  await fork.commit('ranges', { files, message: title, author: 'passer-by' });
  const pull = await repository.openPullRequest({
    title: `${title}, again`,
    body,
    head: 'ranges',
    headRepository: fork,
    author: 'passer-by',
  });
  return pull.number;
}
