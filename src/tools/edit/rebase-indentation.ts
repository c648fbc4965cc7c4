/**
 * Returns a function that gives new lines the file's indentation. It compares the old lines as
 * wanted and as found (undefined for a missing one). Either all are shifted by the same whitespace,
 * or each depth has its own (tabs for spaces, four for two). Without such a rule, lines are
 * unchanged.
 */
export function rebaser(
  wanted: readonly string[],
  found: readonly (string | undefined)[],
): (line: string) => string {
  const pairs = wanted.flatMap((line, index) => {
    const current = found[index];
    return line.trim() === '' || current === undefined
      ? []
      : [{ wanted: indentOf(line), found: indentOf(current) }];
  });
  const shift = sharedShift(pairs);
  const move = shift === null ? translated(pairs) : shifted(shift);
  return (line) => (line.trim() === '' ? line : move(line));
}

/**
 * True if new lines already have the file's indentation although the old ones had not. Unchanged
 * lines decide: they are indented as in the file or as in the old text. Without any, the least
 * indented lines decide.
 */
export function isIndentedAsFile(
  next: readonly string[],
  wanted: readonly string[],
  found: readonly (string | undefined)[],
): boolean {
  const moved = new Map<string, { readonly found: Set<string>; readonly wanted: Set<string> }>();
  for (const [index, line] of wanted.entries()) {
    const current = found[index];
    if (line.trim() === '' || current === undefined || indentOf(line) === indentOf(current)) continue;
    const indents = moved.get(line.trim()) ?? { found: new Set(), wanted: new Set() };
    indents.found.add(indentOf(current));
    indents.wanted.add(indentOf(line));
    moved.set(line.trim(), indents);
  }
  if (moved.size === 0) return false;
  let [asFile, asWanted] = [0, 0];
  for (const line of next) {
    const indents = moved.get(line.trim());
    const matchesFile = indents?.found.has(indentOf(line)) === true;
    const matchesWanted = indents?.wanted.has(indentOf(line)) === true;
    if (matchesFile && !matchesWanted) asFile += 1;
    if (matchesWanted && !matchesFile) asWanted += 1;
  }
  if (asFile + asWanted > 0) return asFile > asWanted;
  const base = leastIndent(found.filter((line) => line !== undefined));
  return leastIndent(next) === base && leastIndent(wanted) !== base;
}

/**
 * Removes a doubled indentation from new text for a piece that begins after its line's indentation
 * (`before`). Applies only if all lines have that indentation and the first has exactly it. An edit
 * of indentation alone stays as it is.
 */
export function withoutDoubledIndent(before: string, piece: string, next: string): string {
  if (before === '' || before.trim() !== '' || piece.trimStart() !== piece || next.trim() === piece.trim())
    return next;
  const lines = next.split('\n').filter((line) => line.trim() !== '');
  const isDoubled =
    indentOf(next.split('\n', 1)[0] ?? '') === before && lines.every((line) => line.startsWith(before));
  return isDoubled ? next.slice(before.length) : next;
}

/** Returns the shortest indentation of non-blank lines. Null without any. */
function leastIndent(lines: readonly string[]): string | null {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  return indents.reduce<string | null>(
    (least, indent) => (least === null || indent.length < least.length ? indent : least),
    null,
  );
}

interface Pair {
  readonly wanted: string;
  readonly found: string;
}

interface Shift {
  readonly add: string;
  readonly remove: string;
}

function shifted(shift: Shift): (line: string) => string {
  return (line) =>
    shift.add + (line.startsWith(shift.remove) ? line.slice(shift.remove.length) : line.trimStart());
}

function sharedShift(pairs: readonly Pair[]): Shift | null {
  let shared: Shift | null = null;
  for (const pair of pairs) {
    const shift = shiftOf(pair);
    if (shift === null) return null;
    if (shared !== null && (shared.add !== shift.add || shared.remove !== shift.remove)) return null;
    shared = shift;
  }
  return shared;
}

function shiftOf({ wanted, found }: Pair): Shift | null {
  if (found.endsWith(wanted)) return { add: found.slice(0, found.length - wanted.length), remove: '' };
  if (wanted.endsWith(found)) return { add: '', remove: wanted.slice(0, wanted.length - found.length) };
  return null;
}

/**
 * Maps depth to depth, if at least two lines differ in depth and none contradicts. One line alone
 * may be the whitespace that the edit changes.
 */
function translated(pairs: readonly Pair[]): (line: string) => string {
  const depths = new Map<string, string>();
  for (const { wanted, found } of pairs) {
    if ((depths.get(wanted) ?? found) !== found) return (line) => line;
    depths.set(wanted, found);
  }
  if (pairs.filter(({ wanted, found }) => wanted !== found).length < 2) return (line) => line;
  const known = [...depths].sort(([a], [b]) => b.length - a.length);
  const step = stepOf(known.toReversed());
  return (line) => {
    const indent = indentOf(line);
    const [base, moved] = known.find(([one]) => indent.startsWith(one)) ?? ['', ''];
    let [deeper, extra] = [indent.slice(base.length), ''];
    while (step !== null && deeper.startsWith(step.wanted)) {
      deeper = deeper.slice(step.wanted.length);
      extra += step.found;
    }
    return moved + extra + deeper + line.slice(indent.length);
  };
}

/**
 * Returns one level of indentation in both, from the first two depths where one continues the
 * other.
 */
function stepOf(known: readonly (readonly [string, string])[]): Pair | null {
  const all = [['', ''] as const, ...known];
  for (const [index, [wanted, found]] of all.entries()) {
    const [before, beforeFound] = all[index - 1] ?? [wanted, found];
    if (wanted === before || !wanted.startsWith(before) || !found.startsWith(beforeFound)) continue;
    const step = { wanted: wanted.slice(before.length), found: found.slice(beforeFound.length) };
    if (step.found !== '') return step;
  }
  return null;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
