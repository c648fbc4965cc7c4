import { createHmac, randomUUID } from 'node:crypto';
import { complete } from '../protocol/complete.ts';
import { installationShape, installedRepositories } from '../rest/apps.ts';
import { accountShape } from '../shapes/account.ts';
import { apiBase, repositoryShape } from '../shapes/repository.ts';
import { type App, type Happening, nodeId, type World } from '../world.ts';

export type Payload = Record<string, unknown>;

/** One webhook sent; `status` null where the receiver could not be reached, with the reason in `error`. */
export interface Delivery {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly url: string;
  readonly payload: Payload;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface DeliveryOptions {
  /** Signs the body; without it the delivery carries no signature. */
  readonly secret?: string;
  readonly guid?: string;
  readonly hookId?: number;
  /** Sent instead of the payload's JSON, to try what is not JSON. The signature is of this. */
  readonly body?: string;
  /** Over the headers that GitHub sends; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** Observed: deliveries overtake each other. No page of GitHub's promises an order. */
export type Order = 'in order' | 'shuffled';

interface Subscription {
  readonly app: App;
  readonly url: string;
  readonly order: Order;
  /** Deliveries of the next batch, where there is no order. */
  readonly batch: (() => Promise<void>)[];
  queue: Promise<unknown>;
}

/** Sends in order, or everything of one turn of the event loop at the same time, newest first. */
function enqueue(subscription: Subscription, send: () => Promise<void>): void {
  const { order, batch } = subscription;
  if (order === 'in order') {
    subscription.queue = subscription.queue.then(send);
    return;
  }
  batch.push(send);
  if (batch.length > 1) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  const flushed = promise.then(() =>
    Promise.all(
      batch
        .splice(0)
        .reverse()
        .map((one) => one()),
    ),
  );
  subscription.queue = Promise.all([subscription.queue, flushed]);
}

export interface Webhooks {
  readonly emit: (happening: Happening) => void;
  readonly subscribe: (app: App, url: string, order: Order) => void;
  readonly deliver: (
    url: string,
    event: string,
    payload: Payload,
    options?: DeliveryOptions,
  ) => Promise<Delivery>;
  readonly deliveries: Delivery[];
  /** Every payload in order, without an app's installation: what a workflow's event file holds. */
  readonly payloads: { readonly event: string; readonly payload: Payload }[];
  /** Faults of the payloads by the description's schemas; empty unless checking is on and one is wrong. */
  readonly problems: string[];
  /** Resolves when all that was emitted so far is delivered. */
  readonly settled: () => Promise<void>;
}

/** GitHub gives up on a receiver after ten seconds (GitHub Docs, "Handling failed webhook deliveries"). */
const patience = 10_000;

/** Makes payloads of what happens and delivers them to the subscribed apps, in order for each. */
export function createWebhooks(world: World, options: { check: boolean; changed: () => void }): Webhooks {
  const { description, check } = world.api;
  const subscriptions: Subscription[] = [];
  const deliveries: Delivery[] = [];
  const payloads: { event: string; payload: Payload }[] = [];
  const problems: string[] = [];

  const deliver: Webhooks['deliver'] = async (url, event, payload, how = {}) => {
    const body = how.body ?? JSON.stringify(payload);
    const guid = how.guid ?? randomUUID();
    const started = performance.now();
    const action = typeof payload.action === 'string' ? payload.action : null;
    const answer = await post(url, body, headersOf(event, guid, body, how));
    const delivery = {
      guid,
      event,
      action,
      url,
      payload,
      ...answer,
      durationMs: performance.now() - started,
    };
    deliveries.push(delivery);
    options.changed();
    return delivery;
  };

  const emit = (happening: Happening) => {
    const payload = payloadOf(world, happening);
    const schema = description.webhookSchema(happening.event, happening.action);
    const name = `${happening.event}.${happening.action ?? ''}`;
    if (options.check && schema === undefined) problems.push(`${name}: the description has no such event`);
    if (options.check && schema !== undefined)
      problems.push(...check(schema, payload).map((problem) => `${name}: ${problem}`));
    payloads.push({ event: happening.event, payload });
    const { repository } = happening;
    for (const subscription of subscriptions) {
      const { app, url } = subscription;
      const reaches = repository === null || installedRepositories(world, app).includes(repository);
      if (!reaches || app.suspendedAt !== null || !app.events.includes(happening.event)) continue;
      const installation = { id: app.installationId, node_id: nodeId('MDIzOk', app.installationId) };
      const own = { ...payload, installation };
      enqueue(subscription, async () => {
        await deliver(url, happening.event, own, { secret: app.webhookSecret, hookId: app.id });
      });
    }
    options.changed();
  };

  const settled = async () => {
    for (let before = -1; before !== payloads.length + deliveries.length; ) {
      before = payloads.length + deliveries.length;
      await Promise.all(subscriptions.map(({ queue }) => queue));
    }
  };

  return {
    emit,
    subscribe: (app, url, order) =>
      subscriptions.push({ app, url, order, batch: [], queue: Promise.resolve() }),
    deliver,
    deliveries,
    payloads,
    problems,
    settled,
  };
}

function payloadOf(world: World, { event, action, repository, sender, data }: Happening): Payload {
  const owner = repository?.owner;
  const raw = {
    ...(action === null ? {} : { action }),
    ...data,
    ...(repository === null ? {} : { repository: repositoryShape(world, repository) }),
    ...(owner?.type === 'Organization' ? { organization: organizationShape(world, owner) } : {}),
    sender: accountShape(world, sender),
  };
  const schema = world.api.description.webhookSchema(event, action);
  if (schema === undefined) return raw;
  const url = repository === null ? world.url : apiBase(world, repository);
  return { ...(complete(world.api.description, schema, raw, url) as Payload) };
}

function organizationShape(world: World, account: Parameters<typeof accountShape>[1]) {
  const api = `${world.url}/orgs/${account.login}`;
  const { login, id, node_id, avatar_url } = accountShape(world, account);
  return {
    login,
    id,
    node_id,
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url,
    description: null,
  };
}

/** The payload of an installation event, which names no repository but carries the installation. */
export const installationPayload = (world: World, app: App, action: string): Payload => ({
  action,
  installation: installationShape(world, app),
  repositories: installedRepositories(world, app).map((repository) => ({
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
  })),
  requester: null,
  sender: accountShape(world, app.owner),
});

function headersOf(event: string, guid: string, body: string, how: DeliveryOptions): Record<string, string> {
  const { secret, hookId = 1 } = how;
  const sign = (algorithm: string, key: string) =>
    `${algorithm}=${createHmac(algorithm, key).update(body).digest('hex')}`;
  const headers: Record<string, string | null> = {
    'content-type': 'application/json',
    'user-agent': `GitHub-Hookshot/${guid.slice(0, 7)}`,
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(hookId),
    'x-github-hook-installation-target-id': String(hookId),
    'x-github-hook-installation-target-type': 'integration',
    ...(secret === undefined
      ? {}
      : { 'x-hub-signature': sign('sha1', secret), 'x-hub-signature-256': sign('sha256', secret) }),
    ...how.headers,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

async function post(url: string, body: string, headers: Record<string, string>) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(patience),
    });
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (cause) {
    return {
      status: null,
      error: cause instanceof Error ? `${cause.message}: ${String(cause.cause)}` : String(cause),
    };
  }
}
