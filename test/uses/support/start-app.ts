import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type AppProcess, appPermissions, startAppProcess } from '../../support/app-process.ts';
import { findReport, visible } from '../../support/find-report.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';
import type { Reply, Script, ScriptedRequest } from '../../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';
import { cliProgram } from '../../support/program-files.ts';
import { copyDatabase } from '../../support/shared/copy-database.ts';
import { taskOf, turnOf } from './conversation.ts';
import { projectRoot } from './run-program.ts';

/** The model's answers to one task; `turn` counts from 1. */
export type Part = (turn: number, request: ScriptedRequest) => Reply | Promise<Reply>;

/** The key that the App calls the model with: nobody may ever see it. */
export const modelKey = 'canary-key-of-the-scripted-model';

/** The App, GitHub's stand-in and a model, each a real server, for all threads of one test file. */
export interface Stage {
  readonly github: GitHub;
  readonly app: ReturnType<GitHub['addApp']>;
  readonly model: ScriptedModel;
  readonly folder: string;
  /** The App's process at present. */
  readonly server: () => AppProcess;
  /** Starts the App again on the same data, after it was ended. */
  restart(): Promise<void>;
  /** The model plays this part for tasks that hold the words. */
  learn(words: string, part: Part): void;
  /** The requests to the model for such tasks. */
  requestsFor(words: string): ScriptedRequest[];
  /** Waits for something to appear on GitHub; if it does not, the App's output is reported. */
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void>;
  /** Moves GitHub's clock on by two seconds, for what has to be earlier than what follows. */
  passTime(): void;
  /**
   * The text of the first report after a comment, as a reader sees it, without the final line of
   * figures.
   */
  report(repository: RepositoryHandle, number: number, after?: number): Promise<string>;
  /** The App's writes through the API of a repository, in order: `POST /issues/1/comments`. */
  writes(repository: RepositoryHandle): string[];
  close(): Promise<void>;
}

/**
 * Starts everything; `environment` overrides the App's default one, `permissions` are its
 * installation's, `order` is that of the deliveries.
 */
export async function startStage(
  environment: Readonly<Record<string, string>> = {},
  permissions: Parameters<GitHub['addApp']>[0]['permissions'] = appPermissions,
  order: Parameters<GitHub['subscribe']>[2] = 'in order',
): Promise<Stage> {
  const parts: { readonly words: string; readonly part: Part }[] = [];
  const script: Script = (request) => {
    const found = parts.find(({ words }) => taskOf(request).includes(words));
    if (found === undefined) throw new Error(`no part for: ${taskOf(request)}`);
    return found.part(turnOf(request), request);
  };
  let ahead = 0;
  const model = await startScriptedModel({ script, key: modelKey });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-uses-'));
  await copyDatabase(path.join(folder, 'data'));
  const github = await startGitHub({ now: () => new Date(Date.now() + ahead) });
  const app = github.addApp({ slug: 'anode-ci', permissions });
  const start = (port: string) =>
    startAppProcess({
      github,
      app,
      folder,
      // The database is WebAssembly: optimising it costs more than a test gets back.
      program: ['--liftoff-only', path.join(projectRoot, cliProgram)],
      environment: {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: modelKey,
        PORT: port,
        ...environment,
      },
    });
  const until: Stage['until'] = async (what, holds) => {
    try {
      await github.waitFor(holds, { what });
    } catch (cause) {
      throw new Error(`${what} is missing. The App said:\n${server.lines.slice(-20).join('\n')}`, { cause });
    }
  };
  let server = await start('0');
  github.subscribe('anode-ci', `${server.url}/api/github/webhooks`, order);
  return {
    github,
    app,
    model,
    folder,
    server: () => server,
    async restart() {
      server = await start(new URL(server.url).port);
    },
    learn: (words, part) => void parts.push({ words, part }),
    until,
    requestsFor: (words) => model.requests.filter((request) => taskOf(request).includes(words)),
    passTime: () => {
      ahead += 2_000;
    },
    async report(repository, number, after = 0) {
      const find = () => findReport(repository, app.login, number, after);
      await until(`a report on #${number} of ${repository.fullName}`, () => find() !== undefined);
      return visible(find()?.body ?? '').replace(/\n*<sub>\d+ (?:turn|run)[^\n]*<\/sub>$/, '');
    },
    writes: (repository) => {
      const place = `/repos/${repository.fullName}`;
      return github.requests
        .filter(({ method, actor, path: at }) => {
          const wrote = method !== 'GET' && actor === app.login;
          return wrote && (at.startsWith(place) || at === '/graphql');
        })
        .map(({ method, path: at }) => `${method} ${at.replace(place, '')}`);
    },
    async close() {
      await server.stop();
      await github.close();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
