import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { Preset } from '../../contract/levels.ts';
import { presetFrom } from '../../contract/levels.ts';
import { diagnosticsTool } from '../../extensions/language/diagnostics-tool.ts';
import { findLanguages } from '../../extensions/language/find-languages.ts';
import { getDiagnosticsTool } from '../../extensions/language/get-diagnostics-tool.ts';
import { createLanguageServers } from '../../extensions/language/language-servers.ts';
import { lspTool } from '../../extensions/language/lsp-tool.ts';
import type { LanguageServerEntry } from '../../extensions/language/server-entry.ts';
import { languageServers } from '../../extensions/language/server-table.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { isInside } from '../../workspace/files/confine-path.ts';
import { createConfinedFiles } from '../../workspace/files/create-confined-files.ts';
import { decideEditChecks } from '../policy/decide-edit-checks.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import type { ExternalRun } from './external-run.ts';
import { type ProgramEnvironment, programEnvironment } from './program-environment.ts';

/** Idle seconds after which a server is stopped. */
const idleSeconds = 300;
/** Time-out of a start in seconds. */
const startSeconds = 60;

/** Creates the source of language servers. Loading finds them; the first call starts one. */
export function languageSource(run: ExternalRun): ExternalSource {
  const { config, environment, root } = run;
  const folder = path.join(run.runFolder, 'language');
  const decided = decideLanguages({
    config,
    preset: presetFrom(run.preset ?? config.permissions?.preset ?? 'careful'),
    sandboxed: run.sandboxed,
    fork: run.plan.checkout.fork,
    path: environment.PATH,
  });
  const problems = [...decided.problems];
  const variables = new Map<string, ProgramEnvironment['variables']>();
  for (const { name } of decided.entries) {
    const given = programEnvironment(run, { name: `lsp:${name}`, by: 'repository' }, []);
    if ('variables' in given) variables.set(name, given.variables);
    else problems.push(`The language server ${name} ${given.problem}, so it does not start.`);
  }
  const entries = decided.entries.filter(({ name }) => variables.has(name));
  const locations = { programFolders: decided.programFolders, checkout: decided.checkout };
  let samples: readonly string[] = [];
  const servers = createLanguageServers({
    entries,
    locations,
    runnerFor(name, program) {
      mkdirSync(folder, { recursive: true });
      return createProgramRunner(run, folder, {
        name,
        shown: packagesOf(program, root, decided.programFolders),
      });
    },
    variablesFor: (name) => variables.get(name) ?? {},
    sampleFiles: () => samples,
    idleMs: (config.lsp?.idleSeconds ?? idleSeconds) * 1_000,
    startMs: (config.lsp?.startSeconds ?? startSeconds) * 1_000,
    after(milliseconds, act) {
      const timer = setTimeout(act, milliseconds);
      // The timer must not keep the process alive.
      timer.unref();
      return () => clearTimeout(timer);
    },
    report: run.warn,
  });
  return {
    name: 'the language servers',
    async load(signal) {
      const found = await findLanguages(entries, {
        ...{ ...locations, root, signal },
        files: createConfinedFiles({ root, readOnlyRoots: [] }),
        setUp: run.prepared != null,
      });
      samples = found.samples;
      const configured = Object.values(config.lsp?.servers ?? {}).some((one) => one !== false);
      const there = found.samples.length > 0 || (configured && entries.length > 0);
      const tools = there
        ? [lspTool(servers, found.names), getDiagnosticsTool(servers), diagnosticsTool(servers)]
        : [];
      return { tools, problems };
    },
    close: () => servers.close(),
  };
}

/**
 * The folder of packages behind a link in `node_modules/.bin`. Empty for a program of the checkout
 * or the system, which the sandbox mounts anyway. Empty too for one that is not on PATH, as a
 * repository's file may name any path of the machine.
 */
function packagesOf(program: string, root: string, programFolders: readonly string[]): readonly string[] {
  if (!programFolders.includes(path.dirname(program)) || !existsSync(program)) return [];
  const real = realpathSync(program);
  const packages = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  return packages === undefined || isInside(root, real) || real.startsWith('/usr/') ? [] : [packages];
}

/** The language servers that a run may have. */
interface DecidedLanguages {
  readonly entries: readonly LanguageServerEntry[];
  /** True if servers may start that run code of the checkout, and programs in it. */
  readonly checkout: boolean;
  readonly programFolders: readonly string[];
  /** Why there are none, or what is wrong with one, each a sentence. */
  readonly problems: readonly string[];
}

/**
 * Decides which language servers a run may have. All need a sandbox, as they read untrusted files.
 * Servers that the checkout can make run programs start only where linters of a review would. That
 * excludes forks, unless `lsp.forks` is set, and runs in which `strict`, a rule or a disabled
 * `bash` forbids commands.
 */
export function decideLanguages(run: {
  readonly config: Config;
  readonly preset: Preset;
  readonly sandboxed: boolean;
  readonly fork: boolean;
  /** PATH as commands have it. */
  readonly path: string | undefined;
}): DecidedLanguages {
  const { config, sandboxed, preset, path } = run;
  const { servers = {}, detect = true, forks = false } = config.lsp ?? {};
  const named = Object.keys(servers).filter((name) => servers[name] !== false);
  const { programs, programFolders } = decideEditChecks({ config, preset, sandboxed, path, readOnly: false });
  const none = { entries: [], checkout: false, programFolders };
  if (!sandboxed)
    return {
      ...none,
      problems:
        named.length === 0
          ? []
          : [
              `The language servers of lsp.servers (${named.join(', ')}) do not start: they need a working sandbox.`,
            ],
    };
  const problems: string[] = [];
  const own = named.flatMap((name) => {
    const entry = entryOf(name, servers[name] || {});
    if (entry === null)
      problems.push(
        `lsp.servers.${name} is left out: it is not a known server, and needs command and languages.`,
      );
    return entry === null ? [] : [entry];
  });
  const found = detect ? languageServers.filter(({ name }) => !Object.hasOwn(servers, name)) : [];
  return {
    entries: [...own, ...found],
    checkout: programs && (!run.fork || forks),
    programFolders,
    problems,
  };
}

type Settings = Exclude<NonNullable<NonNullable<Config['lsp']>['servers']>[string], false>;

/** Merges a configured server over the known one; null without a program or a language. */
function entryOf(name: string, settings: Settings): LanguageServerEntry | null {
  const known = languageServers.find((one) => one.name === name);
  const [program, ...args] = settings.command ?? known?.command ?? [];
  const languages = settings.languages ?? known?.languages;
  if (program === undefined || languages === undefined) return null;
  const {
    command: _,
    inCheckout: __,
    since: ___,
    ...rest
  } = known ?? { markers: [] as readonly string[], command: null };
  // Only default programs are looked for in node_modules.
  const place = settings.command === undefined ? known : undefined;
  const entry: LanguageServerEntry = {
    runsCheckout: true,
    ...rest,
    name,
    command: [program, ...args],
    languages,
    markers: settings.rootMarkers ?? rest.markers,
    ...(place?.inCheckout === undefined ? {} : { inCheckout: place.inCheckout }),
    ...(place?.since === undefined ? {} : { since: place.since }),
    ...(settings.settings === undefined ? {} : { settings: settings.settings }),
    ...(settings.initializationOptions === undefined
      ? {}
      : { initializationOptions: settings.initializationOptions }),
    env: { ...known?.env, ...settings.env },
  };
  // Another command may do what the known one does not.
  return settings.command === undefined ? entry : { ...entry, runsCheckout: true };
}
