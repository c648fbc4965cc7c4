import type { IncomingEvent } from './contract/event.ts';
import type { HeldRun } from './delivery-methods.ts';
import { integerAt, objectAt, stringAt } from './webhooks/event/payload-reader.ts';

/** Where a delivery belongs: the repository that it may be given tokens for, and its thread. */
export interface DeliveryPlace {
  readonly installation: number;
  readonly owner: string;
  readonly repository: string;
  /** The number of the issue or pull request; null where the event names none. */
  readonly thread: number | null;
}

/** The place of a delivery; null where it is not of an installation. */
export function deliveryPlace({ payload }: IncomingEvent): DeliveryPlace | null {
  const installation = integerAt(payload, 'installation', 'id');
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repository = stringAt(payload, 'repository', 'name');
  if (installation === null || owner === null || repository === null) return null;
  const thread = objectAt(payload, 'issue') ?? objectAt(payload, 'pull_request');
  return { installation, owner, repository, thread: thread && integerAt(thread, 'number') };
}

/** Whether a run answers on the thread of a place. */
export function isOnPlace(
  run: Pick<HeldRun, 'repository' | 'thread'>,
  { owner, repository, thread }: DeliveryPlace,
): boolean {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return run.thread === thread && same(run.repository.owner, owner) && same(run.repository.name, repository);
}
