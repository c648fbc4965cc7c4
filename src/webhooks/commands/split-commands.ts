import { escaped, paragraphsOf } from './command-text.ts';
import { type Command, ownNames, readCommand } from './read-command.ts';
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
 * most one, and for answers. All commands count or none, so that half a request starts nothing.
 */
export function splitCommands(
  body: string,
  thread: Trigger['thread']['kind'],
  settings: TriggerSettings,
): SeveralCommands | null {
  const names = [settings.mention, ...ownNames(settings)].map(escaped).join('|');
  const bodies = partsOf(body, names);
  if (bodies.length < 2) return onOneLine(bodies[0] ?? '', names);
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
  const problems = read.flatMap(({ kind, note }, index) => {
    if (kind === 'approve' || kind === 'deny') return [`\`${kind}\` counts in a comment of its own only.`];
    const isBare = kind === 'help' && /^\S+$/.test(bodies[index] ?? '');
    return isBare ? ['A line names me without a request.'] : [note ?? []].flat();
  });
  if (problems.length === 0) return { kind: 'commands', first, bodies };
  return unclear(['None of these commands was started:', ...problems.map((one) => `- ${one}`)].join('\n'));
}

/** Returns the parts of a comment from each line that addresses us on. */
function partsOf(body: string, names: string): string[] {
  const text = body.replaceAll(/\r\n?/g, '\n').trim();
  const slash = new RegExp(`^/(?:${names})(?=\\s|$)`, 'iu');
  const mention = new RegExp(`^@(?:${names})(?![\\p{L}\\p{N}\\p{M}_/@-]|\\.[\\p{L}\\p{N}])`, 'iu');
  const starts: number[] = [];
  // A slash counts only in a comment that begins with one.
  const bySlash = slash.test(text);
  for (const paragraph of paragraphsOf(text)) {
    let at = paragraph.start;
    let previous = '.';
    for (const line of paragraph.text.split('\n')) {
      const begins = (bySlash && slash.test(line)) || mention.test(line);
      const follows = starts.includes(at - previous.length - 1) || /[.!?:;]\s*$/.test(previous);
      if (begins && (at === paragraph.start || follows)) starts.push(at);
      at += line.length + 1;
      previous = line;
    }
  }
  return starts.map((start, index) => text.slice(start, starts[index + 1]).trim());
}

/** Returns what is unclear about several commands on one line; null for any other. */
function onOneLine(part: string, names: string): SeveralCommands | null {
  const [line = ''] = part.split('\n');
  const [, ...more] =
    line.replaceAll(/`[^`]*`/g, '').match(new RegExp(`(?<=^|\\s)/(?:${names})\\s+[a-z]`, 'giu')) ?? [];
  if (more.length === 0) return null;
  return { kind: 'unclear', problem: 'Nothing was started: write each command on a line of its own.' };
}
