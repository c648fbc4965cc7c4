import { findProfile } from '../agent/profiles/profiles.ts';
import { makeToolSet, type ToolSet } from '../agent/profiles/tool-set.ts';
import { builtinTools } from '../tools/builtin-tools.ts';

/** The built-in tools, less what config disables. */
export function everyTool(disabled: readonly string[]): ToolSet {
  const allow = builtinTools.map(({ name }) => name);
  return makeToolSet(builtinTools, { ...findProfile('craft'), allow }, disabled);
}
