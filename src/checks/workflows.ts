import type { Finding } from '../contract/findings.ts';
import type { ChangedFile } from './changed-file.ts';
import { readWorkflow, type Workflow, type WorkflowStep } from './read-workflow.ts';

/**
 * Events that run untrusted input with the base branch's rights (GitHub Docs, "Security hardening
 * for GitHub Actions").
 */
const dangerous: Readonly<Record<string, { readonly severity: Finding['severity']; readonly why: string }>> =
  {
    pull_request_target: {
      severity: 'high',
      why: 'It runs for pull requests of anyone with the secrets and the token of the base branch.',
    },
    workflow_run: {
      severity: 'medium',
      why: 'It runs with the secrets of the default branch on what another workflow, perhaps of a fork, left behind.',
    },
    issue_comment: {
      severity: 'medium',
      why: 'Anyone who may comment can start it, with the token of the default branch.',
    },
    issues: {
      severity: 'low',
      why: 'Anyone who may open an issue can start it, with the token of the default branch.',
    },
  };

/** Scopes that let a token change code, releases or trust. */
const strongScopes = 'all contents actions packages id-token deployments administration pages'.split(' ');

/** Event values that the sender chooses freely. */
const chosenByOthers =
  /\$\{\{[^}]*\b(github\.head_ref|github\.event\.(?:issue|pull_request|discussion|comment|review|review_comment|workflow_run|head_commit|commits|pages|client_payload|inputs)(?:\.[\w.*[\]-]+)?)/g;
const harmlessLeaf =
  /\.(?:number|id|node_id|sha|state|merged|draft|created_at|updated_at|url|html_url|merge_commit_sha|conclusion|run_id|head_sha)$/;

/** Matches a `ref` that checks out what a pull request brings. */
export const headOfPull =
  /github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|refs\/pull\/|github\.event\.workflow_run\.head_(?:sha|branch)/;

/** Finds new abilities that a change to a workflow or an action gives to others. */
export async function findWorkflowChanges(file: ChangedFile): Promise<Finding[]> {
  const isOne =
    /^\.github\/workflows\/[^/]+\.ya?ml$/.test(file.path) || /(?:^|\/)action\.ya?ml$/.test(file.path);
  if (!isOne || file.kind === 'delete' || file.after === null) return [];
  const after = await readWorkflow(file.after);
  if (after === null) return [];
  const before = file.before === null ? null : await readWorkflow(file.before);
  const make: Make = (line, severity, title, body) => ({
    ...{ path: file.path, side: 'RIGHT', line, severity, category: 'security', title, body },
    check: 'workflows',
  });
  return [
    ...newTriggers(before, after, make),
    ...widerPermissions(before, after, make),
    ...unpinned(before, after, make),
    ...injections(before, after, make),
    ...headCheckouts(before, after, make),
  ];
}

type Make = (line: number, severity: Finding['severity'], title: string, body: string) => Finding;

function newTriggers(before: Workflow | null, after: Workflow, make: Make): Finding[] {
  return [...after.triggers].flatMap(([name, line]) => {
    const known = dangerous[name];
    if (known === undefined || before?.triggers.has(name) === true) return [];
    return [make(line, known.severity, `The workflow now starts on ${name}`, known.why)];
  });
}

function widerPermissions(before: Workflow | null, after: Workflow, make: Make): Finding[] {
  const found: Finding[] = [];
  for (const [scope, now] of after.permissions) {
    const where = scope === '' ? 'The workflow' : `The job ${scope}`;
    const was = before?.permissions.get(scope) ?? null;
    if (now === null) {
      const body = `${where} no longer limits its token, which now gets the repository's default permissions.`;
      if (was !== null) found.push(make(1, 'medium', 'Permissions are no longer stated', body));
      continue;
    }
    // A job without permissions of its own had those of the workflow.
    const earlier = was ?? before?.permissions.get('') ?? null;
    const gained = [...now.scopes]
      .filter(([scope, level]) => level === 'write' && !couldWrite(earlier?.scopes, scope))
      .map(([scope]) => scope);
    if (gained.length === 0) continue;
    const names = gained.map((scope) => (scope === 'all' ? 'write-all' : `${scope}: write`)).join(', ');
    const title = `The token may now do more: ${names}`;
    const body = `${where} gives its token ${names}${before === null ? '' : ', which it did not have'}.`;
    found.push(make(now.line, severityOf(gained, before === null), title, body));
  }
  return found;
}

function severityOf(gained: readonly string[], isNew: boolean): Finding['severity'] {
  if (!gained.some((scope) => strongScopes.includes(scope))) return 'low';
  return gained.includes('all') || !isNew ? 'high' : 'medium';
}

function couldWrite(scopes: ReadonlyMap<string, string> | undefined, scope: string): boolean {
  return scopes?.get(scope) === 'write' || scopes?.get('all') === 'write';
}

function unpinned(before: Workflow | null, after: Workflow, make: Make): Finding[] {
  const known = new Set([...(before?.steps ?? []), ...(before?.calls ?? [])].map(({ uses }) => uses));
  return [...after.steps, ...after.calls].flatMap(({ uses, line }) => {
    if (uses === null || known.has(uses) || isPinned(uses)) return [];
    const body = `\`${uses.slice(0, 200)}\` is whatever its owner puts there next. Pin it to a full commit (or an image to its digest), with the version in a comment.`;
    return [make(line, 'medium', 'An action of others is not pinned', body)];
  });
}

/** True for pinned references, and for actions of GitHub or the repository itself. */
function isPinned(uses: string): boolean {
  return /^(?:actions|github)\//i.test(uses) || isFixedReference(uses);
}

/** True for an action of the repository itself, a full commit, or an image by its digest. */
export function isFixedReference(uses: string): boolean {
  if (uses.startsWith('./')) return true;
  if (uses.startsWith('docker://')) return /@sha256:[0-9a-f]{64}$/.test(uses);
  return /@(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(uses);
}

function injections(before: Workflow | null, after: Workflow, make: Make): Finding[] {
  const known = new Set((before?.steps ?? []).flatMap(injected));
  return after.steps.flatMap((step) => {
    const fresh = [...new Set(injected(step))].filter((name) => !known.has(name));
    if (fresh.length === 0) return [];
    const names = fresh.slice(0, 5).map((name) => `\`${name.slice(0, 100)}\``);
    const body = `${names.join(', ')} is put into a script as it is, so whoever writes it writes the script. Pass it by \`env\` and use the variable.`;
    return [make(step.line, 'high', 'A value of strangers becomes part of a script', body)];
  });
}

const injected = ({ script }: WorkflowStep): string[] => (script === null ? [] : injectedValues(script));

/** Returns the values of strangers in a script as they are; reads 100,000 characters. */
export function injectedValues(script: string): string[] {
  return [...script.slice(0, 100_000).matchAll(chosenByOthers)].flatMap(([, name = '']) =>
    harmlessLeaf.test(name) ? [] : [name],
  );
}

function headCheckouts(before: Workflow | null, after: Workflow, make: Make): Finding[] {
  const event = ['pull_request_target', 'workflow_run'].find((name) => after.triggers.has(name));
  if (event === undefined) return [];
  const was = before?.triggers.has(event) === true;
  const known = new Set((before?.steps ?? []).flatMap(({ ref }) => (was && ref !== null ? [ref] : [])));
  return after.steps.flatMap(({ ref, line }) => {
    if (ref === null || known.has(ref) || !headOfPull.test(ref)) return [];
    const body = `On \`${event}\` the job has secrets and a token of the base branch, and this step puts the code of a pull request beside them. One build or test step then hands both over.`;
    return [
      make(line, 'critical', 'The head of a pull request is checked out with the rights of the base', body),
    ];
  });
}
