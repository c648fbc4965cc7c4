import { rm, rmdir } from 'node:fs/promises';
import { findProfile } from '../agent/profiles/profiles.ts';
import { withoutCommands } from '../agent/profiles/tool-filters.ts';
import { makeToolSet, type ToolSet } from '../agent/profiles/tool-set.ts';
import { defaultExternalTimeout } from '../config/defaults.ts';
import type { Config } from '../config/schema.ts';
import type { SandboxMode } from '../contract/levels.ts';
import { chooseProfile } from '../run/conversation/choose-profile.ts';
import { openExternalTools } from '../run/extensions/external-tools.ts';
import { localOrigin } from '../run/policy/local-plan.ts';
import { sandboxAllowsCommands } from '../run/policy/sandbox-allows-commands.ts';
import { newRunId } from '../run/records/run-context.ts';
import { probeSandbox } from '../sandbox/probe-sandbox.ts';
import { builtinTools } from '../tools/registry/builtin-tools.ts';
import type { LoadingTools } from '../tools/registry/load-external-tools.ts';
import type { Skill } from '../tools/services/skill-entry.ts';
import type { Tool } from '../tools/tool.ts';
import { createRunFolder } from '../workspace/storage/run-folder.ts';
import { localRunsFolder } from './local-folders.ts';
import type { CommandContext } from './local-run.ts';
import { localState } from './local-state.ts';
import { statusLine } from './status-line.ts';

/** Tools of a local run. */
export interface LocalTools {
  readonly set: ToolSet;
  /** All tools that are not built in, also outside the set. */
  readonly external: readonly Tool[];
  /** Load errors, one sentence each. */
  readonly problems: readonly string[];
  /**
   * Starts the MCP servers of skills if `skills.allowMCP` allows it; returns `external` with their
   * tools.
   */
  withSkills(skills: readonly Skill[]): Promise<readonly Tool[]>;
  /** Stops their servers; the tools cannot be called afterwards. */
  close(): Promise<void>;
}

/**
 * Loads the tools of a run by one profile; null for all tools. Disabled ones are omitted. A
 * terminal shows pending sources.
 */
export async function openLocalTools(run: {
  readonly root: string;
  readonly profile: string | null;
  readonly config: Config;
  readonly sandbox: SandboxMode;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly terminal?: CommandContext['terminal'];
}): Promise<LocalTools> {
  const { config, environment, root } = run;
  const profile = run.profile === null ? null : chooseProfile({ ...run, profile: run.profile }).profile;
  const problems: string[] = [];
  const warn = (message: string) => void problems.push(message);
  const { folder } = await createRunFolder({ base: localRunsFolder(), runId: newRunId('run') });
  const sandboxed = run.sandbox !== 'off' && (await probeSandbox({ path: environment.PATH, root })).available;
  const extensions = await openExternalTools(
    {
      ...{ config, environment, root, sandboxed, warn, runFolder: folder, signal: run.signal },
      ...{ plan: localOrigin(root), readOnly: profile?.readOnly ?? false, secrets: [] },
      store: localState(root, environment, warn).state,
    },
    profile ?? findProfile('craft'),
    async () => builtinTools,
  );
  if (extensions.tools !== null) await waitForSources(extensions.tools, run);
  const external = extensions.tools?.current() ?? [];
  const registry = [...builtinTools, ...external];
  const allowing = profile ?? everyToolOf(registry);
  const mayRun = sandboxAllowsCommands({ plan: localOrigin(root), sandbox: run.sandbox, sandboxed });
  return {
    set: makeToolSet(registry, mayRun ? allowing : withoutCommands(allowing), config.tools?.disabled ?? []),
    external,
    problems,
    async withSkills(skills) {
      await Promise.all(skills.map((skill) => extensions.startPrograms?.(skill)));
      return extensions.tools?.current() ?? [];
    },
    async close() {
      await extensions.close();
      await rm(folder, { recursive: true, force: true });
      await rmdir(localRunsFolder()).catch(() => undefined);
    },
  };
}

/** Waits for all sources and displays the pending ones. */
async function waitForSources(
  { loaded, sources }: LoadingTools,
  { config, terminal }: Pick<Parameters<typeof openLocalTools>[0], 'config' | 'terminal'>,
): Promise<void> {
  const watched = terminal?.() ?? null;
  if (watched === null) return loaded;
  const show = statusLine(watched);
  const seconds = config.tools?.externalTimeout ?? defaultExternalTimeout;
  const waiting = new Set(sources);
  const display = () =>
    show(`Waiting for ${[...waiting].map(({ name }) => name).join(', ')} (${seconds} s at most) …`);
  display();
  for (const source of sources)
    void source.loaded.then(() => {
      waiting.delete(source);
      if (waiting.size > 0) display();
    });
  await loaded;
  show(null);
}

/** Returns the built-in and extension tools, except for disabled ones. */
export function everyTool(disabled: readonly string[], external: readonly Tool[] = []): ToolSet {
  const registry = [...builtinTools, ...external];
  return makeToolSet(registry, everyToolOf(registry), disabled);
}

const everyToolOf = (registry: readonly Tool[]) => ({
  ...findProfile('craft'),
  allow: registry.map(({ name }) => name),
});
