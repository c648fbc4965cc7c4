import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { decidePublishScope, type ScopeFacts } from '../../../src/reporting/changes/publish-scope.ts';
import { samplePlan } from '../samples.ts';

const asked = samplePlan();
const { requester } = asked;
const still: ScopeFacts = {
  installation: 'active',
  requester: { id: requester.id, type: 'User', writes: true },
  pull: { state: 'open', base: asked.checkout.base_ref },
};
const decide = (facts: Partial<ScopeFacts> = {}, plan: Partial<RunPlan> = {}) => {
  const decided = decidePublishScope({ ...asked, ...plan }, { ...still, ...facts });
  return decided.kind === 'stands' ? 'stands' : `${decided.kind}: ${decided.reason}`;
};
const reader = { id: requester.id, type: 'User', writes: false };
const policy = { read_only: true, trigger_comment: null };

test('publishes a run whose facts are unchanged', () => {
  const issue = { kind: 'issue', number: 2, title: 'Weeks' } as const;
  const bot = { ...requester, type: 'Bot', permission: 'none' } as const;
  expect([
    decide(),
    decide({ pull: null }, { thread: issue }),
    decide({ pull: null }, { thread: null }),
    decide({ requester: reader }, policy),
    decide({ requester: null }, policy),
    decide({ requester: reader }, { requester: { ...requester, permission: 'read' } }),
    decide({ requester: { ...reader, type: 'Bot' } }, { requester: bot }),
  ]).toEqual(Array(7).fill('stands'));
});

test('publishes only text if the requester or the pull request changed', () => {
  const { login } = requester;
  const gone = `words: ${login} is not the account any more that asked.`;
  const pull = (state: 'open' | 'closed' | 'merged', base = 'main') => ({ pull: { state, base } });
  expect([
    decide({ requester: reader }),
    decide({ requester: null }),
    decide({ requester: { ...reader, id: requester.id + 1, writes: true } }),
    decide(pull('closed')),
    decide(pull('merged')),
    decide({ pull: null }),
    decide(pull('open', 'release`s')),
    decide({ requester: reader, ...pull('closed') }),
    decide(pull('closed'), policy),
  ]).toEqual([
    `words: ${login} has no write permission any more.`,
    ...[gone, gone],
    'words: the pull request is closed.',
    'words: the pull request is merged.',
    'words: the pull request is gone.',
    'words: the pull request points at ``release`s`` now, and the run was about `main`.',
    `words: ${login} has no write permission any more, and the pull request is closed.`,
    'words: the pull request is closed.',
  ]);
});

test('publishes nothing without an active installation', () => {
  expect([decide({ installation: 'suspended' }), decide({ installation: 'gone' }, policy)]).toEqual([
    'nothing: The installation is suspended, so nothing was published.',
    'nothing: The installation no longer covers the repository, so nothing was published.',
  ]);
});
