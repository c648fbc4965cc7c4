import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { foldersOfTenant } from '../../pipeline/context/open-event.ts';
import { handleInRepository } from '../../pipeline/worker.ts';
import type { DeliveryAttempt } from '../../webhooks/deliveries/queue.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** Options for handling a delivery besides its context. */
export interface DeliveryOptions {
  readonly operatorConfig: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Handles a queued delivery of the App, with tokens for its repository only. Failures inside a run
 * are reported on the thread and not retried; earlier ones are retried.
 */
export async function handleDelivery(
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  context: DeliveryContext,
  options: DeliveryOptions,
): Promise<void> {
  const { environment, grants, tokenFor: token } = context;
  const folder = (name: string) => path.join(environment.dataDirectory, name);
  await handleInRepository(event, attempt, {
    apiUrl: environment.apiUrl,
    serverUrl: environment.serverUrl,
    readToken: token('read'),
    writeToken: token('write'),
    scanToken: token('scan'),
    checksToken: token('checks'),
    installation: grants,
    checkRight: async () => {
      const { permissions } = await grants();
      if (permissions.checks === 'write') return { kind: 'check', token: token('check') };
      return permissions.statuses === 'write' ? { kind: 'status', token: token('status') } : null;
    },
    store: context.store,
    tenant: context.tenant,
    runs: context.runs,
    budget: context.budget,
    log: context.log,
    ownLogin: context.ownLogin,
    runUrl: null,
    reportLinks: context.reportLinks,
    ...foldersOfTenant(context.tenant, {
      runsFolder: folder('runs'),
      checkoutsFolder: folder('checkouts'),
      mirrorsFolder: folder('mirrors'),
    }),
    setupFolder: folder('set-up'),
    operatorConfig: options.operatorConfig,
    overrides: {},
    environment: options.environment,
    canAsk: true,
    host: 'app',
    sandbox: environment.sandbox,
  });
}
