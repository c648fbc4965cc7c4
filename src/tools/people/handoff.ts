import * as z from 'zod';
import { Handoff } from '../../contract/run-results.ts';
import { flag, stringList } from '../input/lenient.ts';
import { parentMailbox } from '../services/mailboxes.ts';
import { defineTool, toJson } from '../tool.ts';

const list = () => stringList().default([]);

const input = z.object({
  target: Handoff.shape.target.default('user').meta({ enum: ['user', 'next_thread'] }),
  reason: z.string().optional().meta({ hidden: true }),
  summary: z.string().min(1),
  goal: z.string().optional().meta({ hidden: true }),
  completed: list(),
  open_questions: list(),
  recommended_next_steps: list(),
  artifacts: list().meta({ hidden: true }),
  relevant_files: list(),
  follow: flag().default(false).meta({ hidden: true }),
});

/** Records the finished and remaining work for the next person or run. */
export const handoff = defineTool({
  name: 'handoff',
  description: 'Pass unfinished work on to a person or a later run.',
  exposure: 'deferred',
  findBy: ['handoff', 'hand over|off', 'open|create|file|new issue|ticket'],
  input,
  level: 'delegated',
  targets: (args) => ({ what: `to ${args.target}: ${args.summary}` }),
  async execute(args, context) {
    const package_: Handoff = args;
    context.record({ type: 'handoff', handoff: package_ });
    if (args.target === 'parent' || args.target === 'aggman') {
      const sender = context.state.name ?? parentMailbox;
      const { target: recipient, summary: message } = package_;
      const metadata = JSON.parse(JSON.stringify(package_));
      context.mailboxes.send({ recipient, type: 'result', from: sender, sender, message, metadata });
    }
    return {
      content: `Handoff recorded. ${delivery(args.target, context.state.name !== undefined)}`,
      data: toJson({ handoff: package_ }),
    };
  },
});

/** Describes the delivery of a handoff: in an issue, or in a mailbox for agents of the run. */
function delivery(target: Handoff['target'], inChild: boolean): string {
  if (target === 'user' || target === 'next_thread')
    return 'It is in the report; a run on GitHub opens an issue when it ends.';
  const report = inChild ? '' : ', and stands in the report';
  return `It waits in the mailbox ${target}, which ends with this run${report}.`;
}
