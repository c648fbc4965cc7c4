import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/settled-within.ts';
import type { Tool } from '../../tools/tool.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import type { Profile } from '../profiles/profiles.ts';
import { findsDeferred, selectTools } from '../profiles/select-tools.ts';
import type { TurnReminder } from './turn-reminders.ts';

/**
 * Bytes of one note, and characters of what it says of one tool: the first is sent again with every
 * request.
 */
const mostBytes = 2_048;
const longestLine = 120;

/** Maximum bytes of all load problems, and characters of one. */
const mostOfProblems = 1_024;
const longestProblem = 300;

/** Reminders of the tools of extensions. */
export interface ExternalToolsReminder {
  /**
   * For the first message: those that are there, or come within `patienceMs` milliseconds, unless
   * every request tells of them anyway, and what could not be loaded. Null where there is neither.
   */
  first(graceMs: number): Promise<string | null>;
  /** Tools that came, went or failed to load since the last reminder. */
  readonly later: TurnReminder;
}

/** For a run with the built-in tools `builtin` and this profile. */
export function externalToolsReminder(
  external: ExternalTools,
  run: {
    readonly builtin: () => Promise<readonly Tool[]>;
    readonly profile: Profile;
    readonly disabled: readonly string[];
  },
): ExternalToolsReminder {
  let notified: ReadonlyMap<string, string> = new Map();
  // A session that goes on has its first message already, from a run that may have had others.
  let begun = false;
  // Description and schema of each tool, as one of the same name may change later.
  const known = new WeakMap<Tool, string>();
  const contentOf = (tool: Tool): string => {
    const content = known.get(tool) ?? JSON.stringify([tool.description, tool.schema]);
    known.set(tool, content);
    return content;
  };
  const contentsOf = (tools: readonly Tool[]) => new Map(tools.map((tool) => [tool.name, contentOf(tool)]));
  let notifiedProblems = 0;
  const newProblems = (): string[] => {
    const problems = external.problems().slice(notifiedProblems);
    notifiedProblems += problems.length;
    return problems.length === 0 ? [] : [missing(problems)];
  };
  const here = async (): Promise<readonly Tool[] | null> => {
    const { profile, disabled } = run;
    const extensionTools = external.current();
    if (extensionTools.length === 0 && external.problems().length === 0) return [];
    const found = findsDeferred(selectTools(await run.builtin(), profile, disabled));
    return found ? selectTools(extensionTools, profile, disabled) : null;
  };
  return {
    async first(graceMs) {
      begun = true;
      await settledWithin(external.loaded, graceMs);
      const tools = await here();
      if (tools === null) return newProblems()[0] ?? null;
      notified = contentsOf(tools);
      const title = 'Tools of this project, found by tool_search and called by use_tool:';
      const parts = [...(tools.length === 0 ? [] : [listed(title, tools)]), ...newProblems()];
      return parts.length === 0 ? null : parts.join('\n');
    },
    async later() {
      const tools = await here();
      if (tools === null) return newProblems()[0] ?? null;
      const now = contentsOf(tools);
      const come = tools.filter(({ name }) => !notified.has(name));
      const gone = [...notified.keys()].filter((name) => !now.has(name));
      const other = tools.filter(({ name }) => notified.has(name) && notified.get(name) !== now.get(name));
      notified = now;
      const title = begun
        ? 'More tools are there now, called by use_tool:'
        : 'Tools of this project as they are since the run goes on, called by use_tool:';
      begun = true;
      const parts = [
        ...(come.length === 0 ? [] : [listed(title, come)]),
        ...(other.length === 0
          ? []
          : [listed('Other than before, in what they do or take (tool_search shows it):', other)]),
        ...(gone.length === 0 ? [] : [`No more there: ${gone.join(', ').slice(0, mostBytes)}.`]),
        ...newProblems(),
      ];
      return parts.length === 0 ? null : parts.join('\n');
    },
  };
}

/** One line for each tool. Only names if the lines do not fit, and a count of the rest. */
function listed(title: string, tools: readonly Tool[]): string {
  const lines = tools.map(({ name, description }) => `${name}: ${oneLine(description)}`);
  const whole = [title, ...lines].join('\n');
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  const names: string[] = [];
  let size = Buffer.byteLength(title) + 60;
  for (const { name } of tools) {
    size += Buffer.byteLength(name) + 2;
    if (size > mostBytes) break;
    names.push(name);
  }
  const rest = tools.length - names.length;
  return `${title}\n${names.join(', ')}${rest === 0 ? '' : `\n[… ${rest} more, which tool_search finds …]`}`;
}

/** Lists load problems, so that the model knows what is absent, and why. */
function missing(problems: readonly string[]): string {
  const lines: string[] = [];
  let size = 0;
  for (const problem of problems) {
    const line = plainLine(problem);
    const text = line.length > longestProblem ? `${line.slice(0, longestProblem - 1)}…` : line;
    size += Buffer.byteLength(text) + 1;
    if (size > mostOfProblems) break;
    lines.push(text);
  }
  const rest = problems.length - lines.length;
  return [
    'Not there:',
    ...lines,
    ...(rest === 0 ? [] : [`[… ${rest} more such faults, in the report …]`]),
  ].join('\n');
}

const plainLine = (text: string): string => stripInvisible(text).text.replaceAll(/\s+/g, ' ').trim();

function oneLine(text: string): string {
  const line = plainLine(text);
  const first = /^.+?[.!?](?= |$)/.exec(line)?.[0] ?? line;
  return first.length > longestLine ? `${first.slice(0, longestLine - 1)}…` : first;
}
