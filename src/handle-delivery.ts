import path from 'node:path';
import type { AppOptions } from './app.ts';
import type { Config } from './config/schema.ts';
import type { IncomingEvent } from './contract/event.ts';
import type { TokenPurpose } from './github/app-tokens.ts';
import type { TokenSource } from './github/create-octokit.ts';
import { integerAt, stringAt } from './webhooks/event/payload-reader.ts';
import { handleEvent } from './worker.ts';

/** What the App's worker has besides the context that the App gives it. */
export interface DeliveryOptions {
  readonly operatorConfig: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process is told to stop: a run in hand ends as cancelled. */
  readonly signal: AbortSignal;
}

/**
 * The App's way to handle a queued delivery, with tokens for its installation and repository alone. What
 * fails inside a run was told on the thread and is not tried again; what fails before one is.
 */
export function handleDelivery(options: DeliveryOptions): AppOptions['handleDelivery'] {
  return async (event, attempt, context) => {
    const place = placeOf(event);
    if (place === null) {
      context.log.info(
        { delivery: event.delivery_id, event: event.name },
        'Not of an installation; ignored.',
      );
      return;
    }
    const { environment, tokens } = context;
    const token =
      (purpose: TokenPurpose): TokenSource =>
      (fresh) =>
        tokens.tokenFor(place.installation, place.repository, purpose, fresh);
    const folder = (name: string) => path.join(environment.dataDirectory, name);
    const signal = AbortSignal.any([attempt.signal, options.signal]);
    await handleEvent(
      event,
      { ...attempt, signal },
      {
        apiUrl: environment.apiUrl,
        serverUrl: environment.serverUrl,
        readToken: token('read'),
        writeToken: token('write'),
        scanToken: token('scan'),
        checksToken: token('checks'),
        installation: () => tokens.grantsOf(place.owner, place.repository),
        checkRight: async () => {
          const { permissions } = await tokens.grantsOf(place.owner, place.repository);
          if (permissions.checks === 'write') return { kind: 'check', token: token('check') };
          return permissions.statuses === 'write' ? { kind: 'status', token: token('status') } : null;
        },
        store: context.store,
        runs: context.runs,
        budget: context.budgetOf(place.installation),
        log: context.log,
        ownLogin: context.ownLogin,
        runUrl: null,
        reportLinks: context.reportLinks,
        runsFolder: folder('runs'),
        checkoutsFolder: folder('checkouts'),
        mirrorsFolder: folder('mirrors'),
        setupFolder: folder('set-up'),
        operatorConfig: options.operatorConfig,
        overrides: {},
        environment: options.environment,
        canAsk: true,
        host: 'app',
        sandbox: environment.sandbox,
      },
    );
  };
}

function placeOf({
  payload,
}: IncomingEvent): { installation: number; owner: string; repository: string } | null {
  const installation = integerAt(payload, 'installation', 'id');
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repository = stringAt(payload, 'repository', 'name');
  return installation === null || owner === null || repository === null
    ? null
    : { installation, owner, repository };
}
