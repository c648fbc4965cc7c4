import { expect, test } from 'vitest';
import {
  type AgentCommit,
  decideApprovals,
  decideProvenance,
} from '../../../src/pipeline/agent-commits/decide-agent-commits.ts';

const commit = (message: string): AgentCommit => ({
  ...{ sha: 'c1', tree: 't1', parents: ['p1'], attestation: null },
  message: `Paint it\n\n${message}\nAnode-Run: run_1`,
});
const trusted = { publicKeys: [], openBundle: null };
const pull = (...commits: AgentCommit[]) => ({ head: 'c1', commits, complete: true });
const approval = (login: string, change: object = {}) => ({ login, counts: true, sha: 'c1', ...change });

test('fails where a key is missing, or where GitHub lists no more commits', () => {
  expect([
    decideProvenance(pull(commit('')), trusted),
    decideProvenance({ ...pull(), complete: false }, trusted),
    decideApprovals({ ...pull(), complete: false }, [], { needed: 1, trusted }).state,
  ]).toEqual([
    {
      name: 'anode/provenance',
      state: 'failure',
      title: 'No key to check with',
      summary:
        'Set `agentCommits.publicKeys` or `agentCommits.identities`, or `ANODE_SIGNING_KEY` where runs are made.',
    },
    {
      name: 'anode/provenance',
      state: 'failure',
      title: 'Too many commits to check',
      summary: 'The pull request has more than 250 commits, and GitHub lists no more of them.',
    },
    'pending',
  ]);
});

test('counts people who may push and did not ask, on this head', () => {
  const asked = pull(commit('Co-authored-by: Ada <42+Ada@users.noreply.github.com>'));
  const decide = (logins: ReturnType<typeof approval>[], needed = 2) =>
    decideApprovals(asked, logins, { needed, trusted }).title;
  expect([
    decide([approval('ada'), approval('bob'), approval('rex', { counts: false })]),
    decide([approval('bob'), approval('eve', { sha: 'c0' })]),
    decide([approval('bob'), approval('eve')]),
  ]).toEqual(['1 of 2 approvals', '1 of 2 approvals', 'Approved by bob, eve']);
});
