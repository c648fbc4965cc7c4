import type { Suggestion } from './suggestions.ts';

type Change = Pick<Suggestion, 'before' | 'after'>;

/** Maximum characters of a line and names of a suggestion that are looked at. */
const limits = { line: 1_000, names: 100 };

const declarations = [
  /\b(?:function\*?|const|let|var|class|interface|type|enum|def|fn|func|struct|trait)\s+([A-Za-z_$][\w$]*)/gu,
  /\bfunc\s+\([^)]*\)\s*([A-Za-z_]\w*)/gu,
  /^\s*([A-Za-z_$][\w$]*)\s*=(?!=)/gu,
];

/**
 * Returns the other suggestions that each one has to be applied with: one introduces a name that
 * only the other uses, as where a definition is renamed. A name that several suggestions declare
 * couples none, since they may be locals of different functions.
 */
export function coupledSuggestions<One extends Change>(
  suggestions: readonly One[],
): ReadonlyMap<One, readonly One[]> {
  const entries = suggestions.flatMap((suggestion) => {
    const { added, declared } = namesOf(suggestion);
    return added.map((name) => ({ suggestion, name, declares: declared.has(name) }));
  });
  const coupled = new Map<One, Set<One>>();
  const couple = (one: One, other: One) => coupled.set(one, (coupled.get(one) ?? new Set()).add(other));
  for (const group of Map.groupBy(entries, ({ name }) => name).values()) {
    const [declarer, ...more] = group.filter(({ declares }) => declares);
    if (declarer === undefined || more.length > 0) continue;
    for (const user of group) {
      if (user === declarer) continue;
      couple(declarer.suggestion, user.suggestion);
      couple(user.suggestion, declarer.suggestion);
    }
  }
  return new Map(
    [...coupled].map(([one, others]) => [one, suggestions.filter((other) => others.has(other))]),
  );
}

/** The names that only the new text has, and those of them that it declares. */
function namesOf({ before, after }: Change): {
  readonly added: readonly string[];
  readonly declared: Set<string>;
} {
  const old = new Set(before.flatMap(wordsOf));
  const added = [...new Set(after.flatMap(wordsOf))].filter((word) => !old.has(word));
  const declared = after.flatMap((line) =>
    declarations.flatMap((pattern) => [...cut(line).matchAll(pattern)].map(([, name]) => name ?? '')),
  );
  return { added: added.slice(0, limits.names), declared: new Set(declared) };
}

const cut = (line: string): string => line.slice(0, limits.line);

const wordsOf = (line: string): string[] => cut(line).match(/[A-Za-z_$][\w$]{2,}/gu) ?? [];
