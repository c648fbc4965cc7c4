import * as z from 'zod';
import { nothing } from '../../channel/create-channel.ts';
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

/** A run in hand, as far as the front process looks at it; `plan` is the JSON of its `RunPlan`, which it never parses. */
export const HeldRun = z.object({
  run_id: z.string(),
  /** Its repository, as the front process knows it. */
  tenant: z.string(),
  /** The number of its thread; null without one. */
  thread: z.number().nullable(),
  plan: z.string(),
});
export type HeldRun = z.infer<typeof HeldRun>;

const method = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) => ({
  input,
  output,
});
const key = z.object({ key: z.string() });
const value = key.extend({ value: z.string() });
const run = z.object({ run_id: z.string() });

/** What a delivery process can ask the front process for, on behalf of the delivery that it was given and of no other. */
export const frontMethods = {
  'store.get': method(key, z.string().nullable()),
  'store.set': method(value, nothing),
  'store.claim': method(value, z.boolean()),
  'store.delete': method(key, nothing),
  'store.list': method(z.object({ prefix: z.string() }), z.array(z.string())),
  /** A token for the repository of the delivery. */
  token: method(z.object({ purpose: z.enum(purposes), fresh: z.boolean() }), z.string()),
  grants: method(
    nothing,
    z.object({
      permissions: z.record(z.string(), z.string()),
      events: z.array(z.string()),
      suspended: z.boolean(),
    }),
  ),
  'budget.take': method(z.object({ kind: z.enum(['post', 'progress']) }), z.boolean()),
  'budget.rest': method(z.object({ milliseconds: z.number() }), nothing),
  'runs.take': method(HeldRun, nothing),
  'runs.release': method(run, nothing),
  /** Those on the thread of the delivery. */
  'runs.list': method(nothing, z.array(HeldRun)),
  'runs.stop': method(run.extend({ reason: StopReason }), z.boolean()),
  /** One line of the log, as JSON with the end of the line. */
  log: method(
    z.object({ line: z.string().refine((line) => line.indexOf('\n') === line.length - 1) }),
    nothing,
  ),
};

/** What the front process hands over with each delivery. It is trusted. */
const Shared = z.object({
  apiUrl: z.string(),
  serverUrl: z.string(),
  /** An absolute path. */
  dataDirectory: z.string(),
  publicUrl: z.string().nullable(),
  /** What links to reports are signed with. */
  reportSecret: z.string(),
  /** The repository of the delivery, as it names folders. */
  tenant: z.string(),
  sandbox: SandboxMode,
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  ownLogin: z.string(),
  operatorConfig: z.custom<Config>(),
});
export type Shared = z.infer<typeof Shared>;

const Delivery = z.object({ event: z.custom<IncomingEvent>(), shared: Shared });

/** Says whether the process worked on the delivery at all, and whether it may be given another. */
const Worked = z.object({ taken: z.boolean(), reusable: z.boolean() });
export type Worked = z.infer<typeof Worked>;

/** What the front process asks a delivery process for. */
export const deliveryMethods = {
  /** Decides, runs and publishes. */
  handle: method(
    Delivery.extend({
      attempt: z.object({ attempt: z.int(), last: z.boolean(), lastWhileDown: z.boolean() }),
    }),
    Worked,
  ),
  /** What cannot wait for its turn on the thread. */
  actAtOnce: method(Delivery, Worked),
  'runs.stop': method(run.extend({ reason: StopReason }), nothing),
  /** Answered at once by a process whose event loop is free. */
  alive: method(nothing, nothing),
};
