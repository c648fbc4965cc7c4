import type { JsonObject } from '../../contract/json.ts';
import { integerAt, objectAt, stringAt } from './payload-reader.ts';

/** Conclusions of a build that failed (GitHub Docs, "REST API endpoints for workflow runs"). */
const failed = ['failure', 'timed_out', 'startup_failure'];

/** The events that report the end of a build, with the key of their subject. */
const subjects: Readonly<Record<string, string>> = {
  workflow_run: 'workflow_run',
  check_suite: 'check_suite',
};

/** Returns true for an event that reports the end of a build. */
export function isBuildEvent(name: string): boolean {
  return Object.hasOwn(subjects, name);
}

/**
 * Returns the pull request of a failed build, in the shape of a `pull_request` event's payload;
 * null without one. GitHub names none for a fork's head. The head is the one that was built.
 */
export function pullOfBuild(name: string, payload: JsonObject): JsonObject | null {
  const subject = objectAt(payload, subjects[name] ?? '');
  const sha = subject && stringAt(subject, 'head_sha');
  const repository = integerAt(payload, 'repository', 'id');
  const listed = subject?.pull_requests;
  if (subject === null || sha === null || !Array.isArray(listed)) return null;
  for (const one of listed) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
    const number = integerAt(one, 'number');
    const isOwn =
      integerAt(one, 'base', 'repo', 'id') === repository &&
      integerAt(one, 'head', 'repo', 'id') === repository;
    if (number !== null && isOwn && stringAt(one, 'head', 'sha') === sha)
      return { number, state: 'open', head: { sha }, updated_at: stringAt(subject, 'updated_at') };
  }
  return null;
}

/** Returns why a build starts nothing, for the log; null if it failed and may be repaired. */
export function whyNoFailure(name: string, payload: JsonObject): string | null {
  const subject = objectAt(payload, subjects[name] ?? '') ?? {};
  const conclusion = stringAt(subject, 'conclusion') ?? 'nothing yet';
  if (!failed.includes(conclusion)) return `the build ended with ${conclusion}`;
  // Its workflows report themselves.
  if (name === 'check_suite' && stringAt(subject, 'app', 'slug') === 'github-actions')
    return 'builds of GitHub Actions are reported by workflow_run';
  const pull = pullOfBuild(name, payload);
  return pull === null ? 'no open pull request of this repository has the head that was built' : null;
}

/** Returns the file of a failed workflow: `.github/workflows/ci.yml`; null for any other build. */
export function workflowFile(payload: JsonObject): string | null {
  const path = stringAt(payload, 'workflow_run', 'path');
  return path !== null && /^\.github\/workflows\/[\w.-]{1,200}\.ya?ml$/u.test(path) ? path : null;
}
