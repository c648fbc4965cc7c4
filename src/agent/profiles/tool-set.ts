import type { Json } from '../../contract/json.ts';
import { largest } from '../../contract/lists.ts';
import { verbs } from '../../contract/verbs.ts';
import { extensionAliases } from '../../tools/registry/extension-aliases.ts';
import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import type { NamedTool, Tool } from '../../tools/tool.ts';
import type { Profile } from './profiles.ts';
import { changes, selectTools } from './select-tools.ts';
import { noThread } from './tool-filters.ts';

/** A tool as one of its names calls it: an alias may fix some arguments. */
export interface FoundTool {
  readonly tool: Tool;
  readonly fixed: Readonly<Record<string, Json>>;
}

/** The tools that are built in. */
export interface BuiltinTools {
  /** Such as can be called at once. */
  readonly atHand: readonly Tool[];
  /**
   * Loaders for calls of other tools, in order. Each returns all tools of the one before and more.
   */
  readonly more: readonly (() => Promise<readonly Tool[]>)[];
}

/**
 * The tools of one run, found by canonical name, wire name or alias; nothing else can be called.
 */
export interface ToolSet {
  /** Tools that are loaded now. Built-in ones may follow, and those of extensions may change. */
  readonly tools: readonly Tool[];
  /** The same with all that are built in. */
  all(): Promise<readonly Tool[]>;
  find(name: string): FoundTool | undefined;
  /** Names close to one that does not exist, for the error. */
  near(name: string): string[];
  /**
   * Returns the reason why this run lacks an existing or possible tool; null for a name that no
   * tool has.
   */
  absent(name: string): string | null;
  /** Returns the tools that no search finds: those of every request, and excluded ones. */
  named(): Promise<readonly NamedTool[]>;
  /** Resolves when the tools of these names are loaded, or known to be missing. */
  ready(names: readonly string[]): Promise<void>;
}

/** A search waits so long for tools that others bring, in milliseconds. */
const searchGraceMs = 15_000;

/** Tools that lead to deferred tools. */
const leading = ['tool_search', 'use_tool', 'batch'];

/**
 * The tools of a run as `selectTools` selects them, to be found by their names, those that others
 * bring behind the built-in ones.
 */
export function makeToolSet(
  builtin: readonly Tool[] | BuiltinTools,
  profile: Profile,
  disabled: readonly string[],
  {
    external = null,
    graceMs = searchGraceMs,
  }: { readonly external?: ExternalTools | null; readonly graceMs?: number } = {},
): ToolSet {
  const select = (own: readonly Tool[], extensionTools: readonly Tool[]) => {
    const registry = extensionTools.length === 0 ? own : [...own, ...extensionTools];
    const tools = selectTools(registry, profile, disabled);
    return { own, brought: extensionTools, registry, tools, byName: namesOf(tools) };
  };
  const { atHand, more } = 'more' in builtin ? builtin : { atHand: builtin, more: [] };
  let loaded = 0;
  let selected = select(atHand, external?.current() ?? []);
  const now = () => {
    const extensionTools = external?.current() ?? selected.brought;
    if (extensionTools !== selected.brought) selected = select(selected.own, extensionTools);
    return selected;
  };
  /** Loads up to that stage; false where there is none. Asked twice at once, both wait for it. */
  const loadTo = async (stage: number): Promise<boolean> => {
    const own = await more[stage]?.();
    if (own === undefined) return false;
    loaded = Math.max(loaded, stage + 1);
    if (own.length > selected.own.length) selected = select(own, selected.brought);
    return true;
  };
  const all = async () => {
    if (loaded < more.length) await loadTo(more.length - 1);
    return now().tools;
  };
  const find = (name: string) => findIn(now().byName, name);
  return {
    get tools() {
      return now().tools;
    },
    all,
    find,
    near: (name) => nearNames(name, now().byName),
    async ready(names) {
      const isThere = (tool: Tool | undefined) => tool !== undefined && !leading.includes(tool.name);
      const missing = () => names.filter((name) => !isThere(find(name)?.tool));
      while (missing().length > 0 && (await loadTo(loaded)));
      const left = missing();
      if (external === null || left.length === 0) return;
      // For `tool_search` alone, a slow extension is awaited only for the grace period. The model
      // gets a reminder of tools that are loaded later.
      if (left.every((name) => find(name)?.tool.name === 'tool_search'))
        await settledWithin(external.loaded, graceMs);
      else await external.loaded;
    },
    absent: (name) => {
      const { registry, tools } = now();
      const tool = findIn(namesOf(registry), name)?.tool;
      if (tool === undefined) return notSetUp(name);
      if (tool.exposure === 'hidden' || tools.includes(tool)) return null;
      return whyExcluded(tool, profile);
    },
    async named() {
      await all();
      const { registry, tools } = now();
      return registry.flatMap((tool) => {
        const { name, findBy, exposure } = tool;
        const isThere = tools.includes(tool);
        if (exposure === 'hidden' || (isThere && exposure === 'deferred')) return [];
        return { name, findBy, note: isThere ? `Call ${name} by its name.` : whyExcluded(tool, profile) };
      });
    },
  };
}

/** Says why a profile excludes a tool, and which command starts a run that has it. */
function whyExcluded(tool: Tool, profile: Profile): string {
  const filter = profile.within.find(({ deny, why }) => why !== undefined && deny.includes(tool.name));
  if (filter?.why !== undefined) return filter.why;
  const verb = Object.entries(verbs).find(([, { result }]) => result === tool.name)?.[0];
  if (verb !== undefined && !profile.within.includes(noThread))
    return `This run has no ${tool.name}. Say in your answer that a comment \`/anode ${verb}\` starts one that has it.`;
  return profile.readOnly && changes(tool)
    ? `This run only reads, so it has no ${tool.name}. Say in your answer what should be done.`
    : `This run has no ${tool.name}; go on without it.`;
}

function namesOf(tools: readonly Tool[]): Map<string, FoundTool> {
  const byName = new Map<string, FoundTool>();
  for (const tool of tools) {
    const names = [...Object.entries(tool.aliases ?? {}), [tool.name, {}] as const];
    for (const [name, fixed] of names) {
      byName.set(name.replaceAll('.', '_'), { tool, fixed });
      byName.set(name, { tool, fixed });
    }
  }
  return byName;
}

/**
 * Finds a tool by name. Models write names in the case of other harnesses, and underscores for an
 * extension's hyphens. Such a name is found if it matches one tool only.
 */
function findIn(byName: ReadonlyMap<string, FoundTool>, name: string): FoundTool | undefined {
  const exact = byName.get(name) ?? byName.get(name.toLowerCase());
  if (exact !== undefined || !isExtensionTool.test(name)) return exact;
  const alike = [...byName].filter(([one]) => isExtensionTool.test(one) && spelling(one) === spelling(name));
  const tools = new Set(alike.map(([, { tool }]) => tool));
  return tools.size === 1 ? alike[0]?.[1] : undefined;
}

/** Prefixes of tools of extensions: `mcp__<server>__`, `plugin__<plugin>__`, `tb__`. */
const isExtensionTool = /^(?:mcp|plugin|tb)__/i;

const spelling = (name: string): string => name.toLowerCase().replaceAll(/[-.]/g, '_');

/** Names of other harnesses for starting an agent. None of them means a task list. */
const agents = /^(?:task|agent|dispatch_agent|spawn_agent|new_task|delegate)$/i;

/**
 * Returns canonical names of visible tools that share the most words with the name, by the tool's
 * name or an alias. Those of nearest length are first. `mcp` and similar prefixes do not count.
 */
function nearNames(name: string, byName: ReadonlyMap<string, FoundTool>): string[] {
  if (agents.test(name)) return [];
  const words = name
    .replace(isExtensionTool, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
  const scored = [...byName]
    .filter(([, { tool }]) => tool.exposure !== 'hidden')
    .map(([one, { tool }]) => ({
      name: tool.name,
      shared: words.filter((word) => one.toLowerCase().replace(isExtensionTool, '').includes(word)).length,
      apart: Math.abs(one.length - name.length),
    }));
  const most = largest(
    scored.map(({ shared }) => shared),
    1,
  );
  const near = scored.filter(({ shared }) => shared === most);
  if (most > 1 || isExtensionTool.test(name)) near.sort((a, b) => a.apart - b.apart);
  return [...new Set(near.map((one) => one.name))].slice(0, 3);
}

const web =
  'The web is not open to this run, as tools.web names no hosts that it may read; go on without it.';
const search =
  'This run cannot search the web: tools.web opens that, with the key of a backend; go on without it.';
const language = 'No language server was found for this checkout; use code_search and grep.';
const meaning =
  'Nothing here searches by meaning: tools.semanticSearch.model names no model; use code_search and grep.';
const python = 'This run has no Python interpreter of its own; use bash.';
const remoteAgents =
  'This run may ask no agents elsewhere, as a2a.agents names none that it can; go on without them.';

/** Tools that are there only where something is configured or found. */
const reasons: Readonly<Record<string, string>> = {
  web_fetch: web,
  fetch: web,
  download: web,
  web_search: search,
  lsp: language,
  get_diagnostics: language,
  diagnostics: language,
  semantic_search: meaning,
  monty_python_repl: python,
  a2a_call: remoteAgents,
  a2a_discover: remoteAgents,
};

/**
 * Returns the reason why a possible tool is not set up, and the remedy, by any of its names. Null
 * for any other name.
 */
export function notSetUp(name: string): string | null {
  const plain = name.toLowerCase();
  const known = Object.entries(extensionAliases).find(([, aliases]) =>
    Object.keys(aliases).some((alias) => alias.toLowerCase() === plain),
  );
  const own = known?.[0] ?? plain;
  return Object.hasOwn(reasons, own) ? (reasons[own] ?? null) : null;
}
