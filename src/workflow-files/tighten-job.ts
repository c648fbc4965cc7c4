import type { Scalar, YAMLMap } from 'yaml';
import { isFixedReference } from '../checks/workflows.ts';
import { neededPermissions, usefulPermissions, widestPermissions } from './needed-permissions.ts';
import { isOwnReference } from './own-uses.ts';
import { signIn } from './permission-rules.ts';
import { knownPin } from './pinned-actions.ts';
import { mapsBelow, remark, type Translation } from './translation.ts';

/** Steps that may use the job's token, besides ours and checkouts. */
const tokenUse = /GITHUB_TOKEN|github\.token|GH_TOKEN|actions\/github-script@|create-pull-request@/;

/**
 * Gives a job the permissions, checkout, pins and time limit that a job of ours has, with a remark
 * on each change. `own` are its steps of Anode CI.
 */
export function tightenJob(job: YAMLMap, own: readonly YAMLMap[], translation: Translation): void {
  const steps = mapsBelow(translation, job.get('steps'));
  tightenPermissions(job, own, translation);
  for (const step of steps) {
    keepTokenOut(step, translation);
    pin(step, translation);
  }
  if (job.has('timeout-minutes')) return;
  setBeforeSteps(job, 'timeout-minutes', 30, translation);
  remark(translation, job, false, 'timeout-minutes: 30 was added.');
}

function tightenPermissions(job: YAMLMap, own: readonly YAMLMap[], translation: Translation): void {
  const { document, events, yaml } = translation;
  const isTask = own.every((step) => step.hasIn(['with', 'prompt']) || step.hasIn(['with', 'prompt_file']));
  const needed = widestPermissions([
    { contents: 'read' },
    ...(isTask
      ? []
      : events.flatMap((name) => [
          neededPermissions(name, { isReview: false, isAgentJob: false }),
          usefulPermissions(name),
        ])),
  ]);
  const others = mapsBelow(translation, job.get('steps')).filter((step) => !own.includes(step));
  const text = others.map((step) => yaml.stringify(step)).join('\n');
  const stated = job.get('permissions') ?? document.get('permissions');
  const current = yaml.isMap(stated) ? (stated.toJSON() as Record<string, string>) : {};
  // The events of the callers are not known, so the job keeps what it has for them.
  const isCalled = !isTask && events.includes('workflow_call');
  const signsIn = others.some((step) => signIn.test(String(step.get('uses') ?? '')));
  const kept = Object.entries(current).filter(
    ([scope, level]) =>
      (tokenUse.test(text) || isCalled || (scope === 'id-token' && signsIn)) &&
      needed[scope] !== 'write' &&
      level !== 'none' &&
      (scope !== 'id-token' || signsIn),
  );
  const wanted: Readonly<Record<string, string>> = { ...needed, ...Object.fromEntries(kept) };
  if (sameEntries(current, wanted)) return;
  setBeforeSteps(job, 'permissions', wanted, translation);
  const was = yaml.isMap(stated) ? listed(current) : String(stated ?? 'not stated');
  remark(translation, job, false, `The permissions are ${listed(wanted)}; they were ${was}.`);
}

const listed = (scopes: Readonly<Record<string, string>>): string =>
  Object.entries(scopes)
    .map(([scope, level]) => `${scope}: ${level}`)
    .join(', ') || 'none';

const sameEntries = (
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean => Object.keys({ ...one, ...other }).every((key) => one[key] === other[key]);

/** Sets a key of a job. A new one comes before the steps, where a reader looks for it. */
function setBeforeSteps(job: YAMLMap, key: string, value: unknown, { document, yaml }: Translation): void {
  const node = document.createNode(value);
  const isSteps = ({ key: name }: { readonly key: unknown }) => yaml.isScalar(name) && name.value === 'steps';
  const at = job.items.findIndex(isSteps);
  if (job.has(key) || at < 0) job.set(key, node);
  else job.items.splice(at, 0, document.createPair(key, node));
}

function keepTokenOut(step: YAMLMap, translation: Translation): void {
  if (!/^actions\/checkout@/i.test(String(step.get('uses') ?? ''))) return;
  if (String(step.getIn(['with', 'persist-credentials']) ?? '') === 'false') return;
  if (step.has('with')) step.setIn(['with', 'persist-credentials'], false);
  else step.set('with', translation.document.createNode({ 'persist-credentials': false }));
  remark(translation, step, false, 'The checkout keeps no token (persist-credentials: false).');
}

function pin(step: YAMLMap, translation: Translation): void {
  const uses = String(step.get('uses') ?? '');
  const known = knownPin(uses);
  if (uses === '' || known === null || isOwnReference(uses) || isFixedReference(uses)) return;
  const node = translation.document.createNode(known.reference) as Scalar;
  node.comment = ` ${known.version}`;
  step.set('uses', node);
  remark(translation, step, false, `${uses} is pinned to the commit of ${known.version}.`);
}
