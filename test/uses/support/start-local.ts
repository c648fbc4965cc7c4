import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ScriptedRequest } from '../../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';
import { cliProgram } from '../../support/program-files.ts';
import { taskOf, turnOf } from './conversation.ts';
import { type ProgramResult, runProgram, type StartedProgram, startProgram } from './run-program.ts';
import type { Part } from './start-app.ts';

/** The key that the command line calls the model with: it must be seen nowhere. */
export const localKey = 'canary-key-of-the-local-model';

/** Files by path; a file's folder is made. */
export type Tree = Readonly<Record<string, string>>;

/** A model and any number of checkouts for the command line. */
export interface Local {
  readonly model: ScriptedModel;
  /** The home folder of every program that is run. */
  readonly home: string;
  learn(words: string, part: Part): void;
  /** The requests to the model for tasks that hold the words. */
  requestsFor(words: string): ScriptedRequest[];
  /** A git repository with one commit of these files. */
  checkout(files: Tree): Promise<string>;
  /** A folder that is no repository. */
  plainFolder(files: Tree): Promise<string>;
  git(folder: string, ...args: string[]): Promise<string>;
  /** `anode …` in a folder, to its end. */
  anode(folder: string, args: readonly string[], options?: LocalOptions): Promise<ProgramResult>;
  start(folder: string, args: readonly string[], options?: LocalOptions): StartedProgram;
  close(): Promise<void>;
}

export interface LocalOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** As in `ProgramOptions`. */
  readonly user?: number;
  /** The command line's own where left out. */
  readonly program?: string;
}

/** Starts the model; the environment of a run names it by `ANTHROPIC_BASE_URL` unless told otherwise. */
export async function startLocal(): Promise<Local> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-local-'));
  const home = path.join(folder, 'home');
  await mkdir(home);
  const parts: { readonly words: string; readonly part: Part }[] = [];
  const model = await startScriptedModel({
    key: localKey,
    script: (request) => {
      const task = taskOf(request);
      const found = parts.find(({ words }) => task.includes(words));
      if (found === undefined) throw new Error(`no part for: ${task}`);
      return found.part(turnOf(request), request);
    },
  });
  let folders = 0;
  const plainFolder = async (files: Tree) => {
    folders += 1;
    const made = path.join(folder, `checkout-${folders}`);
    await mkdir(made);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(made, name)), { recursive: true });
      await writeFile(path.join(made, name), content);
    }
    return made;
  };
  const git = async (where: string, ...args: string[]) => {
    const person = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com'];
    const { stdout } = await promisify(execFile)('git', ['-C', where, ...person, ...args]);
    return stdout;
  };
  const optionsOf = (cwd: string, options: LocalOptions) => ({
    cwd,
    environment: {
      HOME: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: localKey,
      ...options.environment,
    },
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.user === undefined ? {} : { user: options.user }),
  });
  return {
    model,
    home,
    learn: (words, part) => void parts.push({ words, part }),
    requestsFor: (words) => model.requests.filter((request) => taskOf(request).includes(words)),
    plainFolder,
    async checkout(files) {
      const made = await plainFolder(files);
      await git(made, 'init', '-q', '-b', 'main');
      await git(made, 'add', '.');
      await git(made, 'commit', '-q', '-m', 'Start');
      return made;
    },
    git,
    anode: (cwd, args, options = {}) =>
      runProgram(options.program ?? cliProgram, args, optionsOf(cwd, options)),
    start: (cwd, args, options = {}) => startProgram(cliProgram, args, optionsOf(cwd, options)),
    async close() {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
