import type { IncomingEvent } from '../../contract/event.ts';
import type { VerbName } from '../../contract/verbs.ts';
import { isBuildEvent, pullOfBuild } from './build-event.ts';
import { objectAt, stringAt } from './payload-reader.ts';

/**
 * Returns a check run's event as one of its pull request, whose number is in `external_id`: GitHub
 * names none for a fork's head. Does the same for a build, which names its pull requests. Other
 * events are returned unchanged.
 */
export function asPullEvent(event: IncomingEvent): IncomingEvent {
  if (isBuildEvent(event.name)) {
    const pull = pullOfBuild(event.name, event.payload);
    return pull === null ? event : { ...event, payload: { ...event.payload, pull_request: pull } };
  }
  const check = event.name === 'check_run' ? objectAt(event.payload, 'check_run') : null;
  const external = check && stringAt(check, 'external_id');
  if (check === null || external === null) return event;
  const number = Number(/\/([1-9]\d{0,9})$/u.exec(external)?.[1]);
  if (Number.isNaN(number)) return event;
  const pull_request = {
    number,
    state: 'open',
    head: { sha: stringAt(check, 'head_sha') },
    // GitHub does not report the click's time. The model sees nothing written after the run ended.
    updated_at: stringAt(check, 'completed_at') ?? stringAt(check, 'started_at'),
  };
  return { ...event, payload: { ...event.payload, pull_request } };
}

const buttons: readonly VerbName[] = ['retry', 'fix'];

/**
 * Returns the verb of a clicked button; null if it is not ours. A rerequested check run repeats its
 * work.
 */
export function clickedVerb({ payload }: IncomingEvent): VerbName | null {
  if (stringAt(payload, 'action') === 'rerequested')
    return stringAt(payload, 'check_run', 'name') === 'anode review' ? 'review' : 'retry';
  const clicked = stringAt(payload, 'requested_action', 'identifier');
  return buttons.find((verb) => verb === clicked) ?? null;
}
