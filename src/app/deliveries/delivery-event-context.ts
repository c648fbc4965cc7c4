import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { EventContext } from '../../pipeline/context/broker-context.ts';
import { foldersOfTenant } from '../../pipeline/context/open-event.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** Options for handling a delivery besides its context. */
export interface DeliveryOptions {
  readonly operatorConfig: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the surroundings of a delivery's event: tokens, state and folders of its repository. */
export function deliveryEventContext(context: DeliveryContext, options: DeliveryOptions): EventContext {
  const { environment, grants, tokenFor: token } = context;
  const folder = (name: string) => path.join(environment.dataDirectory, name);
  return {
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
  };
}
