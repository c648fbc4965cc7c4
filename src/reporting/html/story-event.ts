import type { RunEntry } from '../../contract/run-ledger.ts';
import { describePermission } from '../../permissions/policy/match-rules.ts';
import { countOf, oneLine, sentence } from '../text/markdown.ts';
import { clipText } from './clip.ts';
import type { StoryEvent } from './run-story.ts';

/**
 * An entry of the ledger that is told in one line of the timeline; null for what is told elsewhere. A kind that is not
 * known here is shown as it stands in the ledger.
 */
export function storyEvent(entry: RunEntry): StoryEvent | null {
  const event = (tone: StoryEvent['tone'], words: string, more = ''): StoryEvent => ({
    kind: 'event',
    tone,
    words: clipText(oneLine(words)).head,
    more: more.trim() === '' ? null : clipText(more),
  });
  switch (entry.type) {
    case 'approval.required': {
      const { tool, what, hash, reason, waits, diff } = entry.approval;
      const words = waits === true ? 'Asked a person to approve' : 'Proposed, not done';
      return event('warning', `${words}: ${tool} ${what} (${hash})`, [reason, diff ?? ''].join('\n\n'));
    }
    case 'approval.decided': {
      const { verdict, tool, what, hash, by, note } = entry.decided;
      const word = { approved: 'Approved', denied: 'Denied', lapsed: 'Approved, but lapsed' }[verdict];
      return event(
        verdict === 'approved' ? 'good' : 'warning',
        `${word} by ${by}: ${tool} ${what} (${hash})`,
        note,
      );
    }
    case 'grant': {
      const rules = entry.grant.permissions.map(describePermission);
      return event('good', `${entry.grant.by} granted ${rules.join('; ')}`, entry.grant.reason);
    }
    case 'question': {
      const { question, options } = entry.question;
      return event(
        'warning',
        `Asked: ${question}`,
        options.map(({ id, label }) => `${id}: ${label}`).join('\n'),
      );
    }
    case 'handoff':
      return event(
        'plain',
        `Handed over to ${entry.handoff.target}: ${entry.handoff.summary}`,
        entry.handoff.goal ?? '',
      );
    case 'answer.committed':
      return event(
        'plain',
        `${entry.mode === 'append' ? 'Added' : 'Made'} ${entry.path} ${entry.mode === 'append' ? 'to' : 'into'} the message of the run`,
        entry.reason ?? '',
      );
    case 'instructions': {
      const { ref, applies, text } = entry.activated;
      return event('plain', `Instructions hold for ${applies}: ${ref}`, text);
    }
    case 'findings':
      return event('plain', `Reported ${countOf(entry.findings.length, 'finding')}`);
    case 'experiment': {
      const { experiment, runs } = entry;
      const logged = runs.map(({ number, status }) => `run ${number} ${status}`).join(', ');
      const { pending } = experiment;
      const state = pending === null ? (logged === '' ? 'begun' : logged) : `run ${pending.number} measured`;
      return event('plain', `Experiment ${experiment.name}: ${state}`);
    }
    case 'todos': {
      const done = entry.todos.filter(({ status }) => status === 'completed').length;
      const now = entry.todos.find(({ status }) => status === 'in_progress');
      const next = now === undefined ? '' : `; now: ${now.active_form ?? now.content}`;
      return event('plain', `List: ${done} of ${countOf(entry.todos.length, 'step')} done${next}`);
    }
    case 'compaction': {
      const { before_tokens: before, after_tokens: after, note, kept } = entry;
      const numbers = [before, after].map((tokens) => tokens.toLocaleString('en-US'));
      return event(
        'plain',
        `Made room in the conversation: ${numbers.join(' → ')} tokens. ${sentence(note)}`,
        kept,
      );
    }
    case 'model.waiting':
      return event('plain', entry.message);
    case 'diagnostic':
      return event(tones[entry.level], entry.message);
    case 'limit':
      return event('warning', `Stopped at a limit: ${entry.stop.message}`);
    case 'run.started':
    case 'run.finished':
    case 'message':
    case 'turn.started':
    case 'usage':
    case 'tool.call':
    case 'tool.result':
    case 'change':
    case 'refusal':
    case 'child_run.started':
    case 'child_run.result':
      return null;
    default:
      return unknownEvent(entry);
  }
}

/** Kinds that came into the ledger after this file was written. */
function unknownEvent(entry: { readonly type: string }): StoryEvent {
  const { type, ...rest } = entry;
  return { kind: 'event', tone: 'plain', words: type, more: clipText(JSON.stringify(rest, null, 2)) };
}

const tones = { info: 'plain', warning: 'warning', error: 'bad' } as const;
