import * as z from 'zod';
import { presetOf } from './config/defaults.ts';
import type { Config } from './config/schema.ts';
import { policyWarnings } from './permissions/policy-warnings.ts';
import { builtinTools } from './tools/builtin-tools.ts';

/** What an operator should know of a policy that is taken for what it says, but cannot mean it. */
export function warningsOf(config: Config): string[] {
  const word = config.permissions?.preset;
  const preset = presetOf(config);
  const unknown =
    word === undefined || word === 'yolo' || word === preset
      ? []
      : [
          `permissions.preset: there is no preset "${word}"; ${preset} holds. Known: unrestricted, careful, strict.`,
        ];
  const tools = builtinTools.map(({ name, aliases, input, argumentAliases }) => ({
    name,
    aliases: Object.keys(aliases ?? {}),
    arguments: input instanceof z.ZodObject ? Object.keys(input.shape) : null,
    argumentAliases: argumentAliases ?? {},
  }));
  return [...unknown, ...policyWarnings(config.permissions?.rules ?? [], tools)];
}
