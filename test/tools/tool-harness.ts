import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callOnlyReads } from '../../src/agent/calls/inner-calls.ts';
import { parseToolInput } from '../../src/agent/calls/parse-tool-input.ts';
import { findProfile } from '../../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../../src/agent/profiles/tool-set.ts';
import { type EditChecks, newEditChecks } from '../../src/checks/linters/edit-checks.ts';
import { RunStopped, ToolError } from '../../src/contract/errors.ts';
import type { Json } from '../../src/contract/json.ts';
import type { SandboxMode } from '../../src/contract/levels.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import type { Question } from '../../src/contract/run-results.ts';
import { syntaxProgram } from '../../src/run/programs/process-program.ts';
import type { CommandRunner } from '../../src/sandbox/command-runner.ts';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';
import { createSyntaxParser } from '../../src/tools/code/create-syntax-parser.ts';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import type { ChildRequest, ChildResult } from '../../src/tools/services/children.ts';
import { createMailboxes } from '../../src/tools/services/mailboxes.ts';
import { noPastThreads } from '../../src/tools/services/past-threads.ts';
import { noReviewServices } from '../../src/tools/services/run-services.ts';
import { createSessions } from '../../src/tools/shell/sessions/sessions.ts';
import { createSkillLibrary } from '../../src/tools/skills/create-skill-library.ts';
import type { Prepared, ToolContext, ToolOutput } from '../../src/tools/tool.ts';
import { type Attachments, noAttachments } from '../../src/workspace/files/attachments.ts';
import { trustedTreeIn } from '../../src/workspace/git/trusted-tree.ts';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import { createRunStorage } from '../../src/workspace/storage/run-storage.ts';

/** A file's content, with an executable flag, or the target of a link. */
export type TreeEntry = string | Buffer | { readonly symlink: string } | { readonly executable: string };

/** Tools on a real work tree, with only the model, the person and the child run played. */
export interface ToolHarness {
  readonly root: string;
  readonly entries: RunEntry[];
  readonly asked: Question[];
  readonly children: ChildRequest[];
  /** The answers that tools ended the run with. */
  readonly finished: readonly (string | null)[];
  readonly context: ToolContext;
  /** Calls a tool by any of its names as a model would; throws the tool's errors. */
  call(name: string, input: { readonly [key: string]: Json }): Promise<ToolOutput>;
  prepare(name: string, input: { readonly [key: string]: Json }): Promise<Prepared>;
  /** The text of the result; an error counts as its kind and message. */
  say(name: string, input: { readonly [key: string]: Json }): Promise<string>;
  /** Every file of the tree but git's own. */
  tree(): Record<string, string>;
  write(name: string, content: TreeEntry): void;
  remove(name: string): void;
  close(): Promise<void>;
}

export interface HarnessOptions {
  /** A folder of the operator's own skills. */
  readonly userSkills?: string;
  /** True where runs may write skills. */
  readonly mayWriteSkills?: boolean;
  /** What holds in the run. */
  readonly instructions?: ToolContext['instructions']['activated'];
  /** The choices of a triage; default: none. */
  readonly choices?: ToolContext['choices'];
  /** The parts of a review besides a reviewer; default: none. */
  readonly review?: ToolContext['review'];
  readonly git?: boolean;
  readonly answer?: string;
  /** The result of every child, or a function that plays them. */
  readonly child?: ChildResult | ((request: ChildRequest) => ChildResult);
  /** The conversation of the thread; none when left out. */
  readonly chat?: ToolContext['chat'];
  /** Earlier runs; none when left out. */
  readonly threads?: ToolContext['threads'];
  /** Whether people wait on a thread; true when left out. */
  readonly foreground?: boolean;
  /** The conversation of the calls; default: none. */
  readonly conversation?: ToolContext['conversation'];
  /** True for the tools of a child run. */
  readonly inChild?: boolean;
  readonly signal?: AbortSignal;
  readonly attachments?: Attachments;
  /** Around commands; off when left out. */
  readonly sandbox?: SandboxMode;
  /** The checks of changed files; default: none. */
  readonly editChecks?: Partial<EditChecks>;
  /** Other checkouts by the folder they lie in beside the tree, each with its files. */
  readonly repositories?: Readonly<Record<string, Readonly<Record<string, TreeEntry>>>>;
}

/** Opens a folder with the given files, as a git repository with one commit if requested. */
export async function openTools(
  files: Readonly<Record<string, TreeEntry>>,
  options: HarnessOptions = {},
): Promise<ToolHarness> {
  const base = mkdtempSync(path.join(tmpdir(), 'tools-'));
  const root = path.join(base, 'tree');
  const spillFolder = path.join(base, 'spill');
  mkdirSync(root);
  mkdirSync(spillFolder);
  const write = (name: string, content: TreeEntry): void => writeEntry(path.join(root, name), content);
  for (const [name, content] of Object.entries(files)) write(name, content);
  if (options.git === true) commitAll(root);

  const repositories = Object.entries(options.repositories ?? {}).map(([name, content]) => {
    const folder = path.join(base, name);
    for (const [file, entry] of Object.entries(content)) writeEntry(path.join(folder, file), entry);
    commitAll(folder);
    return { name, displayPath: `../${name}`, root: folder };
  });
  const workspace = await openWorkspace({
    root,
    runFolder: path.join(base, 'run'),
    spillFolder,
    repositories,
  });
  let runner: CommandRunner | null = null;
  const commandRunner = async (): Promise<CommandRunner> => {
    runner ??= await createCommandRunner({
      mode: options.sandbox ?? 'off',
      workspace,
      spillFolder,
      environment: { PATH: [...(options.editChecks?.programFolders ?? []), process.env.PATH].join(':') },
    });
    return runner;
  };
  const stored = createMemoryStateStore();
  const now = () => new Date(0);
  const entries: RunEntry[] = [];
  const asked: Question[] = [];
  const children: ChildRequest[] = [];
  const finished: (string | null)[] = [];
  const commands: CommandRunner = {
    sandboxed: false,
    run: async (request) => (await commandRunner()).run(request),
    open: async (request) => (await commandRunner()).open(request),
    close: async () => runner?.close(),
  };
  const context: ToolContext = {
    callId: 'call_1',
    workspace,
    commands,
    sessions: createSessions({ root, commands, spillFolder }),
    syntax: createSyntaxParser(syntaxProgram()),
    onlyReads: false,
    signal: options.signal ?? new AbortController().signal,
    spillFolder,
    repositories,
    attachments: options.attachments ?? noAttachments,
    editChecks: newEditChecks(options.editChecks),
    storage: createRunStorage({
      folder: path.join(base, 'storage'),
      runId: 'run_1',
      sharedStore: stored,
      restored: {},
      redact: (text) => text,
      now,
    }),
    choices: options.choices ?? null,
    skills: createSkillLibrary({
      tree: trustedTreeIn(workspace.files),
      userFolder: options.userSkills ?? null,
      visibility: undefined,
      mayWrite: () => options.mayWriteSkills === true,
      report: () => undefined,
    }),
    instructions: { activated: options.instructions ?? [] },
    review: options.review ?? noReviewServices,
    tasks: { store: stored, repositoryUrl: 'https://github.com/acme/shop', now },
    threads: options.threads ?? noPastThreads,
    chat: options.chat ?? null,
    mailboxes: createMailboxes(),
    state: {
      todos: [],
      findings: [],
      ...(options.inChild === true
        ? {}
        : { message: { foreground: options.foreground ?? true, text: null } }),
    },
    record: (entry) => entries.push(entry),
    conversation: options.conversation ?? null,
    finish: async (answer) => {
      finished.push(answer);
    },
    requestPermissions: async (request) => {
      throw new RunStopped({ kind: 'waiting', message: JSON.stringify(request) });
    },
    ask: async (question) => {
      asked.push(question);
      return options.answer ?? 'yes';
    },
    runChild: async (request) => {
      children.push(request);
      if (options.child === undefined) throw new ToolError('unavailable', 'No child is played here.');
      return typeof options.child === 'function' ? options.child(request) : options.child;
    },
    runCalls: async () => [],
    describeCall: async (name, args) => `${name} ${JSON.stringify(args)}`,
    deferredTools: async () => [],
    namedTools: async () => [],
  };
  const tools = makeToolSet(
    builtinTools,
    { ...findProfile('craft'), allow: builtinTools.map(({ name }) => name) },
    [],
  );
  const parsed = (name: string, input: { readonly [key: string]: Json }) => {
    const found = tools.find(name);
    if (found === undefined) throw new TypeError(`no tool is called ${name}`);
    return { tool: found.tool, input: parseToolInput(found, { ...input }).input };
  };
  const call: ToolHarness['call'] = async (name, raw) => {
    const { tool, input } = parsed(name, raw);
    tool.targets(input);
    const evaluated = { ...context, onlyReads: callOnlyReads(tool, input, () => false) };
    return tool.execute(input, evaluated, await tool.prepare?.(input, evaluated));
  };
  return {
    root,
    entries,
    asked,
    children,
    finished,
    context,
    call,
    async prepare(name, raw) {
      const { tool, input } = parsed(name, raw);
      if (tool.prepare === undefined) throw new TypeError(`${name} has nothing to prepare`);
      return tool.prepare(input, context);
    },
    say: (name, raw) =>
      call(name, raw).then(
        (output) => (typeof output.content === 'string' ? output.content : ''),
        (error: ToolError) => `${error.kind}: ${error.message}`,
      ),
    tree: () => readTree(root),
    write,
    remove: (name) => rmSync(path.join(root, name), { recursive: true }),
    async close() {
      await context.syntax.close();
      await context.commands.close();
      await workspace.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function writeEntry(file: string, content: TreeEntry): void {
  mkdirSync(path.dirname(file), { recursive: true });
  if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(file, content);
  else if ('executable' in content) writeFileSync(file, content.executable, { mode: 0o755 });
  else symlinkSync(content.symlink, file);
}

/**
 * Every file below a folder except git's own, as latin1, so bytes can be compared; links as `->
 * target`.
 */
export function readTree(folder: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) Object.assign(tree, readTree(folder, name));
    else if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(path.join(folder, name))}`;
    else tree[name] = readFileSync(path.join(folder, name), 'latin1');
  }
  return tree;
}

function commitAll(root: string): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'start');
}
