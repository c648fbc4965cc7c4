/** The result of a check on a tree with some changes. `quote` is the command's output. */
export interface Trial {
  readonly result: 'passed' | 'failed' | 'not_run';
  /** A sentence for people, '' for nothing. */
  readonly said: string;
  readonly command?: string;
  readonly quote?: string | undefined;
}

/** The way changes are tried, with the limits. */
interface Proving<Change> {
  /** Runs the check with these changes in the tree and nothing else; none: the tree as it is. */
  readonly trial: (changes: readonly Change[]) => Promise<Trial>;
  /** True if two changes cannot be made together. */
  readonly collide: (a: Change, b: Change) => boolean;
  /** True if a change is part of one edit and may need the other parts. */
  readonly belongs: (change: Change) => boolean;
  /** Maximum changes tried alone. The others are tried as a group, halved when it fails. */
  readonly singles: number;
  /** Trials at most, the one of the tree as it is included. */
  readonly trials: number;
}

const outOfTime: Trial = { result: 'not_run', said: 'There was no time left to check it.' };

/**
 * Tries each change. If the check fails without any, nothing is known of them. Parts of one edit
 * that pass only together have passed, with a note.
 */
export async function proveAll<Change>(
  changes: readonly Change[],
  proving: Proving<Change>,
): Promise<ReadonlyMap<Change, Trial>> {
  const results = new Map<Change, Trial>();
  if (changes.length === 0) return results;
  let left = proving.trials;
  const tried = async (group: readonly Change[]): Promise<Trial> => {
    left -= 1;
    return left < 0 ? outOfTime : proving.trial(group);
  };
  const base = await tried([]);
  if (base.result !== 'passed') {
    const said = base.result === 'failed' ? 'fails without the change, too.' : base.said;
    for (const change of changes) results.set(change, { ...base, result: 'not_run', said });
    return results;
  }
  for (const change of changes.slice(0, proving.singles)) results.set(change, await tried([change]));
  for (const group of apart(changes.slice(proving.singles), proving.collide))
    await halve(group, tried, results);
  await together(changes, proving, tried, results);
  return results;
}

/** Groups without two that collide, as few as a greedy look gives. */
function apart<Change>(changes: readonly Change[], collide: Proving<Change>['collide']): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.find((members) => members.every((member) => !collide(member, change)));
    if (group === undefined) groups.push([change]);
    else group.push(change);
  }
  return groups;
}

async function halve<Change>(
  group: readonly Change[],
  tried: Proving<Change>['trial'],
  results: Map<Change, Trial>,
): Promise<void> {
  if (group.length === 0) return;
  const trial = await tried(group);
  const said =
    trial.result === 'passed' && group.length > 1
      ? `${trial.said} It was checked together with ${group.length - 1} more.`
      : trial.said;
  if (trial.result !== 'failed' || group.length === 1) {
    for (const change of group) results.set(change, { ...trial, said });
    return;
  }
  const middle = Math.ceil(group.length / 2);
  await halve(group.slice(0, middle), tried, results);
  await halve(group.slice(middle), tried, results);
}

async function together<Change>(
  changes: readonly Change[],
  { belongs, collide }: Proving<Change>,
  tried: Proving<Change>['trial'],
  results: Map<Change, Trial>,
): Promise<void> {
  const edit = changes.filter(belongs);
  const failed = edit.filter((change) => results.get(change)?.result === 'failed');
  if (failed.length === 0 || edit.length < 2 || apart(edit, collide).length > 1) return;
  const trial = await tried(edit);
  if (trial.result !== 'passed') return;
  const said = `${trial.said} That takes all ${edit.length} changes together: alone it does not.`;
  for (const change of failed) results.set(change, { ...trial, said });
}
