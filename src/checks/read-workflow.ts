import { objectIn } from './read-manifests.ts';

/** A step that uses an action, or runs a script, and where it stands. */
export interface WorkflowStep {
  readonly line: number;
  readonly uses: string | null;
  readonly script: string | null;
  /** The ref that it checks out; null if it names none. */
  readonly ref: string | null;
}

/** Parts of a workflow, or of an `action.yml`, that decide who may do what. */
export interface Workflow {
  readonly triggers: ReadonlyMap<string, number>;
  /** The token's permissions by job, `''` for the workflow; null if not stated. */
  readonly permissions: ReadonlyMap<
    string,
    { readonly line: number; readonly scopes: ReadonlyMap<string, string> } | null
  >;
  readonly steps: readonly WorkflowStep[];
  /** Reusable workflows that jobs call. */
  readonly calls: readonly WorkflowStep[];
}

/** Maximum characters of a workflow. */
const longest = 256 * 1024;

/** Reads a workflow; null for a text that is none. Aliases are followed a hundred times at most. */
export async function readWorkflow(text: string): Promise<Workflow | null> {
  if (text.length > longest) return null;
  const { isNode, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  if (document.errors.length > 0) return null;
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    return null;
  }
  const lineOf = (path: readonly (string | number)[]): number => {
    const node = document.getIn(path, true);
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
  };
  const jobs = objectIn(value, 'jobs') ?? {};
  const steps = [
    ...Object.entries(jobs).flatMap(([job, content]) => stepsIn(content, ['jobs', job, 'steps'], lineOf)),
    ...stepsIn(objectIn(value, 'runs'), ['runs', 'steps'], lineOf),
  ];
  const scopesOfToken = [['', value] as const, ...Object.entries(jobs)];
  return {
    triggers: triggersOf(value, lineOf),
    permissions: new Map(
      scopesOfToken.map(([scope, home]) => {
        const scopes = scopesOf(home);
        const path = scope === '' ? ['permissions'] : ['jobs', scope, 'permissions'];
        return [scope, scopes === null ? null : { line: lineOf(path), scopes }];
      }),
    ),
    steps,
    calls: Object.entries(jobs).flatMap(([job, content]) => {
      const uses = textIn(content, 'uses');
      return uses === null ? [] : [{ line: lineOf(['jobs', job, 'uses']), uses, script: null, ref: null }];
    }),
  };
}

type LineOf = (path: readonly (string | number)[]) => number;

function triggersOf(value: unknown, lineOf: LineOf): Map<string, number> {
  const on = keyIn(value, 'on');
  if (typeof on === 'string') return new Map([[on, lineOf(['on'])]]);
  if (Array.isArray(on)) return new Map(on.map((name, index) => [String(name), lineOf(['on', index])]));
  return new Map(Object.keys(objectIn(value, 'on') ?? {}).map((name) => [name, lineOf(['on', name])]));
}

function scopesOf(home: unknown): Map<string, string> | null {
  const permissions = keyIn(home, 'permissions');
  if (permissions === undefined) return null;
  if (typeof permissions === 'string') return new Map([['all', permissions.replace(/-all$/, '')]]);
  return new Map(
    Object.entries(objectIn(home, 'permissions') ?? {}).map(([scope, level]) => [scope, String(level)]),
  );
}

function stepsIn(home: unknown, path: readonly string[], lineOf: LineOf): WorkflowStep[] {
  const steps = keyIn(home, 'steps');
  if (!Array.isArray(steps)) return [];
  return steps.map((step: unknown, index) => {
    const uses = textIn(step, 'uses');
    const options = objectIn(step, 'with');
    const command = textIn(step, 'run');
    const script = command ?? (uses?.includes('github-script') === true ? textIn(options, 'script') : null);
    const own = command === null ? [] : ['run'];
    const key = uses === null ? own : ['uses'];
    return { line: lineOf([...path, index, ...key]), uses, script, ref: textIn(options, 'ref') };
  });
}

function keyIn(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

function textIn(value: unknown, key: string): string | null {
  const found = keyIn(value, key);
  return typeof found === 'string' ? found : null;
}
