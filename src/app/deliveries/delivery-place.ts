import type { IncomingEvent } from '../../contract/event.ts';
import { type InstalledRepository, readTenant } from '../../contract/state-store.ts';
import { installedRepository } from '../../pipeline/context/open-event.ts';
import { integerAt, objectAt } from '../../webhooks/triggers/payload-reader.ts';
import type { HeldRun } from './delivery-methods.ts';

/** Where a delivery belongs: the repository that it may be given tokens for, and its thread. */
export interface DeliveryPlace {
  readonly repository: InstalledRepository;
  /** The number of the issue or pull request; null where the event names none. */
  readonly thread: number | null;
}

/** The place of a delivery; null where it is not of an installation. */
export function deliveryPlace(event: IncomingEvent): DeliveryPlace | null {
  const repository = installedRepository(event);
  if (repository === null) return null;
  const thread = objectAt(event.payload, 'issue') ?? objectAt(event.payload, 'pull_request');
  return { repository, thread: thread && integerAt(thread, 'number') };
}

/** Whether a run answers on the thread of a place. */
export function isOnPlace(
  run: Pick<HeldRun, 'tenant' | 'thread'>,
  { repository, thread }: DeliveryPlace,
): boolean {
  const tenant = readTenant(run.tenant);
  return (
    run.thread === thread &&
    tenant?.repository === repository.repository &&
    tenant.installation === repository.installation
  );
}
