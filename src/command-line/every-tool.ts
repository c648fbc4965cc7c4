import { findProfile } from '../agent/profiles.ts';
import { makeToolSet, type ToolSet } from '../agent/tool-set.ts';
import { builtinTools } from '../tools/builtin-tools.ts';

/** The built-in tools as one profile may call them or, without one, all of them, less what config disables. */
export function everyTool(profile: string | undefined, disabled: readonly string[]): ToolSet {
  const named = findProfile(profile ?? 'craft');
  return makeToolSet(
    builtinTools,
    profile === undefined ? { ...named, allow: builtinTools.map(({ name }) => name) } : named,
    disabled,
  );
}
