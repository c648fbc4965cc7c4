import type { IncomingEvent } from '../../contract/event.ts';
import { type InstalledRepository, readTenant } from '../../contract/state-store.ts';
import { installedRepository } from '../../pipeline/context/open-event.ts';
import { integerAt, threadIn } from '../../webhooks/triggers/payload-reader.ts';
import type { ActiveRun } from './delivery-methods.ts';

/** Repository and thread of a delivery. */
interface DeliveryTarget {
  readonly repository: InstalledRepository;
  /** Number of the issue or pull request; null if the event has none. */
  readonly thread: number | null;
}

/** Returns the target of a delivery; null without an installation. */
export function deliveryTarget(event: IncomingEvent): DeliveryTarget | null {
  const repository = installedRepository(event);
  if (repository === null) return null;
  const thread = threadIn(event.payload);
  return { repository, thread: thread && integerAt(thread, 'number') };
}

/** Returns true if a run belongs to the target's thread. */
export function isRunOnTarget(
  run: Pick<ActiveRun, 'tenant' | 'thread'>,
  { repository, thread }: DeliveryTarget,
): boolean {
  const tenant = readTenant(run.tenant);
  return (
    run.thread === thread &&
    tenant?.repository === repository.repository &&
    tenant.installation === repository.installation
  );
}
