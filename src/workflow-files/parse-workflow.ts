import { ConfigError } from '../contract/errors.ts';
import { entriesOf, entryAt, itemsOf, type Located, readLocatedYaml, textAt } from './located-yaml.ts';

/** A text of a workflow and its line. */
export interface WorkflowText {
  readonly text: string;
  readonly line: number;
}

/** An event that starts a workflow; `types` is null if the workflow names none. */
export interface WorkflowTrigger {
  readonly name: string;
  readonly line: number;
  readonly types: readonly string[] | null;
}

/** The permissions of a job's token: by scope, or one level for `all`. */
export interface TokenPermissions {
  readonly line: number;
  readonly scopes: ReadonlyMap<string, string>;
}

export interface ConcurrencySetting {
  readonly line: number;
  readonly group: string;
  /** An expression counts as true: it may be. */
  readonly cancels: boolean;
}

/** A step of a job. */
export interface JobStep {
  readonly line: number;
  readonly id: string | null;
  readonly condition: string | null;
  readonly uses: WorkflowText | null;
  /** The script of `run:`, or of actions/github-script; `line` is the line of its first text. */
  readonly script: WorkflowText | null;
  readonly inputs: ReadonlyMap<string, WorkflowText>;
  readonly variables: ReadonlyMap<string, WorkflowText>;
}

export interface WorkflowJob {
  readonly name: string;
  readonly line: number;
  readonly condition: string | null;
  /** The reusable workflow that the job calls. */
  readonly calls: WorkflowText | null;
  readonly inputs: ReadonlyMap<string, WorkflowText>;
  readonly runsOn: string;
  readonly permissions: TokenPermissions | null;
  readonly timeoutMinutes: WorkflowText | null;
  readonly concurrency: ConcurrencySetting | null;
  readonly variables: ReadonlyMap<string, WorkflowText>;
  readonly outputs: ReadonlyMap<string, WorkflowText>;
  readonly steps: readonly JobStep[];
}

/** A workflow file of GitHub Actions (GitHub Docs, "Workflow syntax for GitHub Actions"). */
export interface WorkflowFile {
  /** The name that GitHub shows; null without one. */
  readonly name: string | null;
  readonly triggers: readonly WorkflowTrigger[];
  readonly permissions: TokenPermissions | null;
  readonly concurrency: ConcurrencySetting | null;
  readonly variables: ReadonlyMap<string, WorkflowText>;
  readonly jobs: readonly WorkflowJob[];
}

/** Parses a workflow; throws `ConfigError` with file and line for a text that is none. */
export async function parseWorkflow(text: string, file: string): Promise<WorkflowFile> {
  const root = await readLocatedYaml(text, file);
  const jobs = entriesOf(entryAt(root, 'jobs'));
  if (entryAt(root, 'on') === null || jobs.length === 0)
    throw new ConfigError(`${file} is no workflow: it needs \`on:\` and \`jobs:\`.`, { file });
  return {
    name: textAt(root, 'name'),
    triggers: triggersOf(entryAt(root, 'on')),
    permissions: permissionsOf(root),
    concurrency: concurrencyOf(root),
    variables: textsOf(root, 'env'),
    jobs: jobs.map(([name, job]) => jobOf(name, job)),
  };
}

function triggersOf(on: Located | null): WorkflowTrigger[] {
  if (typeof on?.value === 'string') return [{ name: on.value, line: on.line, types: null }];
  const listed = itemsOf(on).map((item) => ({ name: textAt(item) ?? '', line: item.line, types: null }));
  const keyed = entriesOf(on).map(([name, entry]) => ({ name, line: entry.line, types: typesOf(entry) }));
  return [...listed, ...keyed];
}

function typesOf(event: Located): string[] | null {
  const types = entryAt(event, 'types');
  if (types === null) return null;
  const single = textAt(types);
  return single === null ? itemsOf(types).map((item) => textAt(item) ?? '') : [single];
}

function permissionsOf(home: Located): TokenPermissions | null {
  const found = entryAt(home, 'permissions');
  if (found === null) return null;
  const whole = /^(read|write)-all$/.exec(textAt(found) ?? '');
  const scopes = whole?.[1] === undefined ? [] : [['all', whole[1]] as const];
  const named = entriesOf(found).map(([scope, level]) => [scope, textAt(level) ?? ''] as const);
  return { line: found.line, scopes: new Map([...scopes, ...named]) };
}

function concurrencyOf(home: Located): ConcurrencySetting | null {
  const found = entryAt(home, 'concurrency');
  if (found === null) return null;
  const group = textAt(found) ?? textAt(found, 'group') ?? '';
  const cancel = textAt(found, 'cancel-in-progress') ?? 'false';
  return { line: found.line, group, cancels: cancel !== 'false' };
}

function textsOf(home: Located | null, key: string): Map<string, WorkflowText> {
  const entries = entriesOf(entryAt(home, key));
  return new Map(entries.map(([name, entry]) => [name, { text: textAt(entry) ?? '', line: entry.line }]));
}

function textOf(home: Located, key: string): WorkflowText | null {
  const entry = entryAt(home, key);
  const text = textAt(entry);
  return entry === null || text === null ? null : { text, line: entry.line };
}

function jobOf(name: string, job: Located): WorkflowJob {
  const labels = entryAt(job, 'runs-on');
  return {
    name,
    line: job.line,
    condition: textAt(job, 'if'),
    calls: textOf(job, 'uses'),
    inputs: textsOf(job, 'with'),
    runsOn:
      textAt(labels) ??
      itemsOf(labels)
        .map((item) => textAt(item) ?? '')
        .join(' '),
    permissions: permissionsOf(job),
    timeoutMinutes: textOf(job, 'timeout-minutes'),
    concurrency: concurrencyOf(job),
    variables: textsOf(job, 'env'),
    outputs: textsOf(job, 'outputs'),
    steps: itemsOf(entryAt(job, 'steps')).map(stepOf),
  };
}

function stepOf(step: Located): JobStep {
  const uses = textOf(step, 'uses');
  const isScript = /^actions\/github-script@/i.test(uses?.text ?? '');
  const home = isScript ? entryAt(step, 'with') : step;
  const script = entryAt(home, isScript ? 'script' : 'run');
  const text = textAt(script);
  return {
    line: step.line,
    id: textAt(step, 'id'),
    condition: textAt(step, 'if'),
    uses,
    script: script === null || text === null ? null : { text, line: script.textLine },
    inputs: textsOf(step, 'with'),
    variables: textsOf(step, 'env'),
  };
}
