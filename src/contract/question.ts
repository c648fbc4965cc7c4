import * as z from 'zod';

export const QuestionOption = z.object({
  id: z.string().min(1),
  label: z.string().min(1),
  description: z.string().optional(),
});

const asked = {
  question: z.string().min(1),
  reason: z.string().optional(),
  options: z.array(QuestionOption),
  allow_freeform: z.boolean(),
  required: z.boolean(),
  topic: z.string().optional(),
  /** True where more than one option may be chosen. */
  multiple: z.boolean().optional(),
  /** The id of the option that holds where nobody answers in time. */
  default: z.string().optional(),
};

/** How the answer begins that a question gets when its time is over. */
export const unanswered = 'Nobody answered in time.';

/** What `ask_user` asks: one question, and up to three that are asked with it. */
export const Question = z.object({ ...asked, questions: z.array(z.object(asked)).max(3) });
export type Question = z.infer<typeof Question>;
