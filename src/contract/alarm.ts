import * as z from 'zod';

/** A time at which something is to be done about a question that waits; the App looks for those that are due. */
export const Alarm = z.object({
  version: z.literal(1),
  kind: z.enum(['reminder', 'deadline']),
  /** ISO 8601. */
  due: z.iso.datetime(),
  /** The run that asked. */
  run_id: z.string(),
  installation_id: z.int().nullable(),
  repository: z.object({ owner: z.string(), name: z.string() }),
  thread: z.object({ kind: z.enum(['pull_request', 'issue']), number: z.int() }),
  /** Who asked for the run: it goes on as theirs where nobody answers. */
  requester: z.object({ login: z.string(), id: z.int(), type: z.string() }),
});
export type Alarm = z.infer<typeof Alarm>;

/** The name of the event that an alarm becomes when it is due; GitHub has none like it. */
export const alarmEvent = 'anode_alarm';

const folder = 'alarm/';

/** Where all alarms are kept, in the order in which they are due. */
export const alarmPrefix = folder;

/** Where an alarm is kept, as the JSON of an `Alarm`. */
export function alarmKey({ due, kind, run_id }: Pick<Alarm, 'due' | 'kind' | 'run_id'>): string {
  return `${folder}${due}/${kind}/${run_id}`;
}

/** When the alarm at a key is due, ISO 8601. */
export function dueOf(key: string): string {
  return key.slice(folder.length).split('/')[0] ?? '';
}
