import * as z from 'zod';
import { builtinProfileName, effortNames, profileNames } from '../contract/profile-names.ts';
import { nearestKey } from './nearest-key.ts';

const Names = z.array(z.string().min(1).max(100)).max(100);

/** Visible skills of a run, as names or globs. */
export const SkillSettings = z.strictObject({
  /** The only visible skills. Default: all. */
  visible: Names.optional(),
  /** Skills it does not see, whatever makes them visible. */
  deny: Names.optional(),
});
export type SkillSettings = z.infer<typeof SkillSettings>;

/** The same for all runs, and what skills may bring. */
export const RunSkillSettings = SkillSettings.extend({
  /** MCP servers that skills may start: all, or those of these names or globs. */
  allowMCP: z.union([z.boolean(), Names]).optional(),
});

const aliases: readonly string[] = Object.values(profileNames).flat();

/** A tool by its canonical name, or a glob of such names. */
const ToolName = z.string().min(1).max(100);

/** One profile of the configuration: a built-in one with the given values on top. */
const ProfileSettings = z.strictObject({
  /**
   * The built-in profile that it starts from. Default: the profile with its own name, else `craft`.
   */
  extends: z
    .string()
    .check((context) => {
      const { value } = context;
      if (builtinProfileName(value) !== null) return;
      const known = [...Object.keys(profileNames), ...aliases];
      const nearest = nearestKey(value, known);
      context.issues.push({
        code: 'custom',
        input: value,
        message: `there is no built-in profile "${value}"${nearest === null ? `; known: ${known.join(', ')}` : `; the nearest is ${nearest}`}`,
      });
    })
    .optional(),
  /** Its purpose. Other agents choose it by this. */
  description: z.string().min(1).max(300).optional(),
  /** Text added to the system prompt. */
  instructions: z.string().min(1).max(8_000).optional(),
  /** The only tools it has. Default: those of the profile it starts from. */
  allow: z.array(ToolName).max(200).optional(),
  /** Tools that it never has, whatever allows them. */
  deny: z.array(ToolName).max(200).optional(),
  /** Skills it sees, of those that all runs see. */
  skills: SkillSettings.optional(),
  /** True takes away whatever changes something. False lifts nothing. */
  readOnly: z.boolean().optional(),
  /** `provider/name`. */
  model: z.string().min(1).optional(),
  effort: z.enum(effortNames).optional(),
  /** Turns of the model. */
  maxRounds: z.int().positive().max(1_000).optional(),
  maxCallsPerRun: z.int().positive().optional(),
  /** Calls of one tool, by its name or a glob. */
  maxCallsPerTool: z.record(ToolName, z.int().nonnegative()).optional(),
  /** True if agents may name it. */
  callable: z.boolean().optional(),
  /** True if it may run as the child of another. */
  allowAsSubagent: z.boolean().optional(),
  /** Profiles whose runs may start it, as names or globs. */
  allowedCallers: z.array(z.string().min(1).max(100)).max(50).optional(),
  /** Children that a run with it may start in total and in parallel. */
  maxDelegations: z.int().nonnegative().max(1_000).optional(),
  maxConcurrentDelegations: z.int().positive().max(16).optional(),
});
export type ProfileSettings = z.infer<typeof ProfileSettings>;

/** `profiles`: by name. An alias of a built-in profile cannot be given another meaning. */
export const ProfilesSettings = z.record(
  z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,40}$/, 'a name of lower-case letters, digits, _ and -')
    .refine(
      (name) => !aliases.includes(name),
      'the name of a profile, and not another name of a built-in one',
    ),
  ProfileSettings,
);
