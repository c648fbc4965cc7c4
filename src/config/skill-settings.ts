import * as z from 'zod';

const Names = z.array(z.string().min(1).max(100)).max(100);

/** Which skills a run may see, as names or globs. */
export const SkillSettings = z.strictObject({
  /** The only skills it sees; left out, all. */
  visible: Names.optional(),
  /** Skills it does not see, whatever makes them visible. */
  deny: Names.optional(),
});
export type SkillSettings = z.infer<typeof SkillSettings>;

/** The same for all runs, and what skills may bring. */
export const RunSkillSettings = SkillSettings.extend({
  /** Whether skills may start servers of the Model Context Protocol that they bring: every one, or those of these names or globs. */
  allowMCP: z.union([z.boolean(), Names]).optional(),
});
