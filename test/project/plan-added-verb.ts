/** Plans a run of the verb `translate`, in a copy of the sources whose tables have the added rows. */
import { triggerDefaults } from '../../src/config/defaults.ts';
import { parseRepositoryConfig } from '../../src/config/parse-repository-config.ts';
import type { IncomingEvent } from '../../src/contract/event.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { plannedRun } from '../../src/pipeline/context/planned-run.ts';
import type { TriggerSettings } from '../../src/webhooks/commands/trigger.ts';
import { makePlan } from '../../src/webhooks/plan/make-plan.ts';
import { planPrompt } from '../../src/webhooks/plan/plan-prompt.ts';
import { findTrigger } from '../../src/webhooks/triggers/events.ts';
import { findCandidate } from '../../src/webhooks/triggers/find-candidate.ts';

const config = parseRepositoryConfig('triggers: { label: { words: translate } }', 'anode.yml', 'app');
const settings: TriggerSettings = {
  ...triggerDefaults(config),
  autoReview: true,
  reviewDrafts: false,
  ownLogins: [],
  waiting: null,
};
const sender = { login: 'ada', id: 7, type: 'User' } as const;
const repository = { name: 'shop', owner: { login: 'acme' } };
const issue = { number: 4, updated_at: '2026-01-01T00:00:00Z', state: 'open' };
const event = (action: string, more: JsonObject = {}): IncomingEvent => ({
  name: 'issues',
  delivery_id: null,
  payload: { action, issue, repository, sender, ...more },
});

const label = findTrigger(event('labeled', { label: { name: 'words' } }), settings);
if (label.kind === 'ignored') throw new Error(label.reason);
const plan = makePlan({
  trigger: label,
  source: { kind: 'app', delivery_id: null },
  repository: {
    owner: 'acme',
    name: 'shop',
    default_branch: 'main',
    clone_url: 'https://x/y.git',
    private: false,
  },
  baseBranch: 'main',
  baseHead: 'a'.repeat(40),
  pull: null,
  title: 'T',
  requester: { ...sender, permission: 'write' },
  config,
  configSource: null,
  sandbox: null,
  prompt: planPrompt(
    label,
    (text) => text,
    (text) => text,
  ),
  threadContext: '',
  attachments: [],
  waiting: null,
  ids: { runId: 'run_1', sessionId: 'sess_1' },
  now: new Date(0),
});
const onPull = { ...plan, thread: { kind: 'pull_request', number: 4, title: 'T' } } as const;
console.log(
  JSON.stringify({
    candidate: findCandidate(event('opened')).kind,
    opened: findTrigger(event('opened'), settings).kind,
    verb: plan.verb,
    prompt: plan.prompt,
    profile: plan.profile,
    push: plan.push,
    readOnly: plan.read_only,
    diffBytes: plannedRun(onPull).diffBytes,
  }),
);
