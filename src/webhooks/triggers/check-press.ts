import type { IncomingEvent } from '../../contract/event.ts';
import type { VerbName } from '../../contract/verbs.ts';
import { objectAt, stringAt } from './payload-reader.ts';

/**
 * An event of a check run as one of its pull request, whose number stands in the check run's `external_id`: on the head of a
 * fork GitHub names none. Any other event, and a check run without a number, comes back as it is.
 */
export function asPullEvent(event: IncomingEvent): IncomingEvent {
  const check = event.name === 'check_run' ? objectAt(event.payload, 'check_run') : null;
  const external = check && stringAt(check, 'external_id');
  if (check === null || external === null) return event;
  const number = Number(/\/([1-9]\d{0,9})$/u.exec(external)?.[1]);
  if (Number.isNaN(number)) return event;
  const pull_request = {
    number,
    state: 'open',
    head: { sha: stringAt(check, 'head_sha') },
    // GitHub does not say when a button was pressed: what was written after the run ended is not shown.
    updated_at: stringAt(check, 'completed_at') ?? stringAt(check, 'started_at'),
  };
  return { ...event, payload: { ...event.payload, pull_request } };
}

const buttons: readonly VerbName[] = ['retry', 'fix'];

/** What a pressed button stands for; a check run that is to run again does what it did. Null for a button that is none of ours. */
export function pressedVerb({ payload }: IncomingEvent): VerbName | null {
  if (stringAt(payload, 'action') === 'rerequested')
    return stringAt(payload, 'check_run', 'name') === 'anode review' ? 'review' : 'retry';
  const pressed = stringAt(payload, 'requested_action', 'identifier');
  return buttons.find((verb) => verb === pressed) ?? null;
}
