/** What the model is told of a skill at first. */
export interface SkillLine {
  readonly name: string;
  readonly description: string;
}

/** Skills with a line of their own, and characters of one; the pack is resent with every request. */
const limits = { lines: 30, characters: 160 };

/**
 * What the model is told of skills before its first turn: those of repository and operator with what they are for, ours by name. Null
 * for none.
 */
export function skillNote(found: readonly SkillLine[], builtIn: readonly string[]): string | null {
  if (found.length + builtIn.length === 0) return null;
  const lines = found.slice(0, limits.lines).map(({ name, description }) => {
    const line = `${name}: ${description}`;
    return line.length > limits.characters ? `${line.slice(0, limits.characters - 1).toWellFormed()}…` : line;
  });
  const more =
    found.length > lines.length ? [`[… ${found.length - lines.length} more; list_skills names them …]`] : [];
  const ours = builtIn.length === 0 ? [] : [builtIn.join(', ')];
  return ['Skills, instructions for kinds of work (use_tool skill {name}):', ...lines, ...more, ...ours].join(
    '\n',
  );
}
