import * as z from 'zod';
import { noValue } from '../../channel/create-channel.ts';
import type { Config } from '../../config/schema.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { SandboxMode } from '../../contract/levels.ts';
import { StopReason } from '../../contract/limits.ts';
import type { TokenPurpose } from '../../github/app-tokens.ts';

const purposes = [
  'read',
  'react',
  'write',
  'scan',
  'checks',
  'check',
  'status',
] as const satisfies TokenPurpose[];

/**
 * An active run in the front process. `plan` is the JSON of its `RunPlan`, which the front never
 * parses.
 */
export const ActiveRun = z.object({
  run_id: z.string(),
  /** The delivery's repository, as the front process names it. */
  tenant: z.string(),
  /** Number of its thread; null without one. */
  thread: z.number().nullable(),
  plan: z.string(),
});
export type ActiveRun = z.infer<typeof ActiveRun>;

const method = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) => ({
  input,
  output,
});
const key = z.object({ key: z.string() });
const value = key.extend({ value: z.string() });
const run = z.object({ run_id: z.string() });

/** Methods of the front process, called for the current delivery only. */
export const frontMethods = {
  'store.get': method(key, z.string().nullable()),
  'store.set': method(value, noValue),
  'store.claim': method(value, z.boolean()),
  'store.delete': method(key, noValue),
  'store.list': method(z.object({ prefix: z.string() }), z.array(z.string())),
  /** Returns a token for the delivery's repository. */
  token: method(z.object({ purpose: z.enum(purposes), fresh: z.boolean() }), z.string()),
  grants: method(
    noValue,
    z.object({
      permissions: z.record(z.string(), z.string()),
      events: z.array(z.string()),
      suspended: z.boolean(),
    }),
  ),
  'budget.take': method(z.object({ kind: z.enum(['post', 'progress']) }), z.boolean()),
  'budget.rest': method(z.object({ milliseconds: z.number() }), noValue),
  'runs.take': method(ActiveRun, noValue),
  'runs.release': method(run, noValue),
  /** Returns the runs on the delivery's thread. */
  'runs.list': method(noValue, z.array(ActiveRun)),
  'runs.stop': method(run.extend({ reason: StopReason }), z.boolean()),
  /** Writes one log line: JSON and a line feed. */
  log: method(
    z.object({ line: z.string().refine((line) => line.indexOf('\n') === line.length - 1) }),
    noValue,
  ),
};

/** Data that the front process sends with each delivery. It is trusted. */
const Shared = z.object({
  apiUrl: z.string(),
  serverUrl: z.string(),
  /** Absolute path. */
  dataDirectory: z.string(),
  publicUrl: z.string().nullable(),
  /** Key that signs links to reports. */
  reportSecret: z.string(),
  /** The delivery's repository, as it names folders. */
  tenant: z.string(),
  sandbox: SandboxMode,
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  ownLogin: z.string(),
  operatorConfig: z.custom<Config>(),
});
export type Shared = z.infer<typeof Shared>;

const Delivery = z.object({ event: z.custom<IncomingEvent>(), shared: Shared });

/** Result of a delivery: `taken` if the process worked on it, `reusable` if it can take another. */
const Worked = z.object({ taken: z.boolean(), reusable: z.boolean() });
export type Worked = z.infer<typeof Worked>;

/** Methods of a delivery process. */
export const deliveryMethods = {
  /** Decides, runs and publishes. */
  handle: method(
    Delivery.extend({
      attempt: z.object({ attempt: z.int(), last: z.boolean(), lastWhileDown: z.boolean() }),
    }),
    Worked,
  ),
  /** Does the part that cannot wait for its turn on the thread. */
  actAtOnce: method(Delivery, Worked),
  'runs.stop': method(run.extend({ reason: StopReason }), noValue),
  /** Answered immediately if the event loop is free. */
  alive: method(noValue, noValue),
};
