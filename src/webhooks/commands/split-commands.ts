import { addressedLines, addressedText, escaped, withLineFeeds } from './command-text.ts';
import { type Command, isVerb, ownNames, readCommand } from './read-command.ts';
import type { Trigger, TriggerSettings } from './trigger.ts';

/** Most commands in one comment. */
const mostCommands = 5;

/** The commands of a comment with several, each as a comment of its own. */
type SeveralCommands =
  | { readonly kind: 'commands'; readonly first: Command; readonly bodies: readonly string[] }
  /** A sentence about what is unclear; then none of them counts. */
  | { readonly kind: 'unclear'; readonly problem: string };

/**
 * Splits a comment at the lines that begin with a command or a mention; null for a comment with at
 * most one, and for answers. Text above the first belongs to it. All commands count or none, so
 * that half a request starts nothing.
 */
export function splitCommands(
  body: string,
  thread: Trigger['thread']['kind'],
  settings: TriggerSettings,
): SeveralCommands | null {
  const bodies = partsOf(withLineFeeds(body), settings);
  if (bodies.length < 2) return onOneLine(bodies[0] ?? '', settings);
  const unclear = (problem: string) => ({ kind: 'unclear', problem }) as const;
  if (bodies.length > mostCommands)
    return unclear(
      `At most ${mostCommands} commands count in one comment, and this one has ${bodies.length}.`,
    );
  const commands = bodies.map((part) => readCommand(part, thread, settings));
  const read = commands.filter((command) => command.kind !== 'ignored');
  const [first] = read;
  const isAnswer = read.some(({ kind }) => kind === 'answer');
  if (first === undefined || read.length < commands.length || isAnswer) return null;
  const problems = read.flatMap(({ kind, note, about }, index) => {
    if (about === 'approvals') return ['`approve` and `deny` count in a comment of their own only.'];
    if (kind === 'approve' || kind === 'deny') return [`\`${kind}\` counts in a comment of its own only.`];
    const isBare = kind === 'help' && /^\S+$/.test(bodies[index] ?? '');
    return isBare ? ['A line names me without a request.'] : [note ?? []].flat();
  });
  if (problems.length === 0) return { kind: 'commands', first, bodies };
  return unclear(['None of these commands was started:', ...problems.map((one) => `- ${one}`)].join('\n'));
}

/** Returns the parts of a comment, one for each line that addresses us. */
function partsOf(text: string, settings: TriggerSettings): string[] {
  const names = namesOf(settings);
  const spoken = addressedText(text).replaceAll('\0', ' ');
  const starts = addressedLines(text, '/', names).map(({ start }) => start);
  for (const { start, words } of addressedLines(text, '@', names)) {
    const lineAbove = spoken.lastIndexOf('\n', start - 2) + 1;
    const above = spoken.slice(lineAbove, Math.max(start - 1, 0)).trim();
    const isFirst = above === '' || start === 0 || starts.includes(lineAbove);
    // Elsewhere a sentence may have been broken into lines.
    if (isFirst || /[.!?:;]$/.test(above) || isVerb(words, settings)) starts.push(start);
  }
  const sorted = starts.toSorted((a, b) => a - b);
  return sorted.map((start, index) => text.slice(index === 0 ? 0 : start, sorted[index + 1]).trim());
}

const namesOf = (settings: TriggerSettings): string[] => [settings.mention, ...ownNames(settings)];

/** Returns what is unclear about several commands on one line; null for any other. */
function onOneLine(part: string, settings: TriggerSettings): SeveralCommands | null {
  const names = namesOf(settings).map(escaped).join('|');
  const line = part.split('\n').find((one) => new RegExp(`^ {0,3}[/@](?:${names})`, 'iu').test(one)) ?? '';
  const [, ...more] =
    line.replaceAll(/`[^`]*`/g, '').match(new RegExp(`(?<=^|\\s)/(?:${names})\\s+[a-z]`, 'giu')) ?? [];
  if (more.length === 0) return null;
  return { kind: 'unclear', problem: 'Nothing was started: write each command on a line of its own.' };
}
