import { defaultMention, questionDefaults } from '../../config/defaults.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Question } from '../../contract/run-results.ts';
import type { Box } from '../../contract/thread-records.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { renderQuestionForm } from './render-question.ts';

/** A comment to be posted, with the lines its boxes stand on, and until when it waits. */
export interface QuestionForm {
  readonly text: string;
  readonly boxes: readonly Box[];
  /** ISO 8601; null or left out where it waits for good. */
  readonly deadline?: string | null;
  /** When the thread is reminded of it, ISO 8601; likewise. */
  readonly reminder?: string | null;
}

/**
 * The comment that puts a question, with its deadline. Only the App keeps a clock: elsewhere a question waits until
 * it is answered, as does one that has to be and has no default.
 */
export function questionForm(
  question: Question,
  plan: RunPlan,
  { config, session }: Pick<PublishPorts, 'config' | 'session'>,
): QuestionForm {
  const { deadlineHours, remind, answerers } = questionDefaults(config);
  const all = [question, ...question.questions];
  const endless = all.some((asked) => asked.required && asked.default === undefined);
  const timed = plan.source.kind === 'app' && session !== null && deadlineHours > 0;
  const after = (hours: number) =>
    timed ? new Date(Date.parse(session.saved_at) + hours * 3_600_000).toISOString() : null;
  const deadline = endless ? null : after(deadlineHours);
  const reminder = remind ? after(deadlineHours - Math.min(24, deadlineHours / 3)) : null;
  const mention = config.triggers?.mention ?? defaultMention;
  return { ...renderQuestionForm(question, { mention, answerers, deadline }), deadline, reminder };
}
