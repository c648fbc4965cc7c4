import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import type { Tool } from '../../tools/tool.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import type { Profile } from '../profiles/profiles.ts';
import { findsDeferred, selectTools } from '../profiles/select-tools.ts';
import type { TurnReminder } from './turn-reminders.ts';

/** Maximum bytes of one reminder, as every request repeats it, and characters of one tool. */
const mostBytes = 2_048;
const longestLine = 120;

/** Maximum bytes of all load problems, and characters of one. */
const mostOfProblems = 1_024;
const longestProblem = 300;

/** Reminders of the tools of extensions. */
export interface ExternalToolsReminder {
  /**
   * Returns the reminder for the first message: tools that load within `graceMs` milliseconds, and
   * load problems. Omits tools that every request defines anyway. Null for nothing.
   */
  first(graceMs: number): Promise<string | null>;
  /** Tools that were added, removed or failed to load since the last reminder. */
  readonly later: TurnReminder;
}

interface RunTools {
  readonly builtin: () => Promise<readonly Tool[]>;
  readonly profile: Profile;
  readonly disabled: readonly string[];
}

/** Makes the reminders of a run with these built-in tools and this profile. */
export function externalToolsReminder(external: ExternalTools, run: RunTools): ExternalToolsReminder {
  return new Reminder(external, run);
}

class Reminder implements ExternalToolsReminder {
  readonly #external: ExternalTools;
  readonly #run: RunTools;
  /** The content of each tool that the model knows, by name. */
  #notified: ReadonlyMap<string, string> = new Map();
  #notifiedProblems = 0;
  /** False for a resumed run, whose first message may list other tools. */
  #hasBegun = false;
  /** Description and schema of each tool. A tool of the same name may change later. */
  readonly #contents = new WeakMap<Tool, string>();
  readonly later: TurnReminder = async () => {
    const tools = await this.#here();
    return joined([...(tools === null ? [] : this.#changesIn(tools)), ...this.#newProblems()]);
  };

  constructor(external: ExternalTools, run: RunTools) {
    this.#external = external;
    this.#run = run;
  }

  async first(graceMs: number): Promise<string | null> {
    this.#hasBegun = true;
    await settledWithin(this.#external.loaded, graceMs);
    const tools = await this.#here();
    if (tools !== null) this.#notified = this.#contentsOf(tools);
    const title = 'Tools of this project, found by tool_search and called by use_tool:';
    return joined([...listed(title, tools ?? []), ...this.#newProblems()]);
  }

  /** Returns the run's tools of extensions. Null if every request defines them anyway. */
  async #here(): Promise<readonly Tool[] | null> {
    const { profile, disabled, builtin } = this.#run;
    const tools = this.#external.current();
    if (tools.length === 0 && this.#external.problems().length === 0) return [];
    return findsDeferred(selectTools(await builtin(), profile, disabled))
      ? selectTools(tools, profile, disabled)
      : null;
  }

  /** Lists the tools that were added, changed or removed since the last reminder. */
  #changesIn(tools: readonly Tool[]): string[] {
    const before = this.#notified;
    const now = this.#contentsOf(tools);
    this.#notified = now;
    const title = this.#hasBegun
      ? 'More tools are there now, called by use_tool:'
      : 'Tools of this project as they are since the run goes on, called by use_tool:';
    this.#hasBegun = true;
    const isOther = ({ name }: Tool) => before.has(name) && before.get(name) !== now.get(name);
    const gone = [...before.keys()].filter((name) => !now.has(name));
    return [
      ...listed(
        title,
        tools.filter(({ name }) => !before.has(name)),
      ),
      ...listed('Other than before, in what they do or take (tool_search shows it):', tools.filter(isOther)),
      ...(gone.length === 0 ? [] : [`No more there: ${gone.join(', ').slice(0, mostBytes)}.`]),
    ];
  }

  #newProblems(): string[] {
    const problems = this.#external.problems().slice(this.#notifiedProblems);
    this.#notifiedProblems += problems.length;
    return problems.length === 0 ? [] : [missing(problems)];
  }

  #contentsOf(tools: readonly Tool[]): Map<string, string> {
    return new Map(tools.map((tool) => [tool.name, this.#contentOf(tool)]));
  }

  #contentOf(tool: Tool): string {
    const content = this.#contents.get(tool) ?? JSON.stringify([tool.description, tool.schema]);
    this.#contents.set(tool, content);
    return content;
  }
}

const joined = (parts: readonly string[]): string | null => (parts.length === 0 ? null : parts.join('\n'));

/** Lists tools, one a line. Only names if the lines do not fit, and a count of the rest. */
function listed(title: string, tools: readonly Tool[]): string[] {
  if (tools.length === 0) return [];
  const lines = tools.map(({ name, description }) => `${name}: ${oneLine(description)}`);
  const whole = [title, ...lines].join('\n');
  if (Buffer.byteLength(whole) <= mostBytes) return [whole];
  const names: string[] = [];
  let size = Buffer.byteLength(title) + 60;
  for (const { name } of tools) {
    size += Buffer.byteLength(name) + 2;
    if (size > mostBytes) break;
    names.push(name);
  }
  const rest = tools.length - names.length;
  const more = rest === 0 ? '' : `\n[… ${rest} more, which tool_search finds …]`;
  return [`${title}\n${names.join(', ')}${more}`];
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
