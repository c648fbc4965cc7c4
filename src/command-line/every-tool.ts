import { findProfile } from '../agent/profiles/profiles.ts';
import { makeToolSet, type ToolSet } from '../agent/profiles/tool-set.ts';
import { builtinTools } from '../tools/registry/builtin-tools.ts';
import type { Tool } from '../tools/tool.ts';

/** Returns the built-in and extension tools, except for disabled ones. */
export function everyTool(disabled: readonly string[], external: readonly Tool[] = []): ToolSet {
  const registry = [...builtinTools, ...external];
  const allow = registry.map(({ name }) => name);
  return makeToolSet(registry, { ...findProfile('craft'), allow }, disabled);
}
