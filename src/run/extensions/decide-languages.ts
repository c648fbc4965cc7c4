import type { Config } from '../../config/schema.ts';
import type { Preset } from '../../contract/levels.ts';
import type { LanguageServerEntry } from '../../extensions/language/server-entry.ts';
import { languageServers } from '../../extensions/language/server-table.ts';
import { decideEditChecks } from '../policy/decide-edit-checks.ts';

/** Which language servers a run may have. */
export interface DecidedLanguages {
  readonly entries: readonly LanguageServerEntry[];
  /** Whether those may start that code of the checkout can have run programs, the checkout's own among them. */
  readonly checkout: boolean;
  readonly programFolders: readonly string[];
  /** Why there are none, or what is wrong with one, each a sentence. */
  readonly problems: readonly string[];
}

/**
 * Which language servers a run may have. Pure. All of them need a working sandbox: they read what a stranger wrote. Those that code or
 * configuration of the checkout can have run programs (build scripts, plug-ins) start only where linters of a review would: not on
 * a fork unless `lsp.forks` says so, and not where `strict`, a rule or a disabled `bash` keeps commands away.
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
        `lsp.servers.${name} is left out: it is no server known here, and needs command and languages.`,
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

/** A server as the configuration names it, over the known one of its name; null where that leaves it without a program or a language. */
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
  // Who names the program has said which: only by default it is looked for in node_modules.
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
  // Another program or other words for it may do what the known one does not.
  return settings.command === undefined ? entry : { ...entry, runsCheckout: true };
}
