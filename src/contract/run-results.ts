import * as z from 'zod';

export const QuestionOption = z.object({
  id: z.string().min(1),
  label: z.string().min(1),
  description: z.string().optional(),
});

const questionFields = {
  question: z.string().min(1),
  reason: z.string().optional(),
  options: z.array(QuestionOption),
  allow_freeform: z.boolean(),
  required: z.boolean(),
  topic: z.string().optional(),
  /** True where more than one option may be chosen. */
  multiple: z.boolean().optional(),
  /** The id of the option that applies if no one answers in time. */
  default: z.string().optional(),
};

/** Beginning of the answer to a question whose time is over. */
export const unanswered = 'No one answered in time.';

/** Questions of `ask_user`: one, and up to three beside it. */
export const Question = z.object({ ...questionFields, questions: z.array(z.object(questionFields)).max(3) });
export type Question = z.infer<typeof Question>;

/** A command that failed before the first change of a run and passed after the last. */
export const ProvenCommand = z.object({
  command: z.string().max(500),
  /** Exit codes. */
  before: z.int(),
  after: z.int(),
});
export type ProvenCommand = z.infer<typeof ProvenCommand>;

/** One item of the agent's own list, as displayed in the progress comment. */
export const Todo = z.object({
  id: z.string().min(1),
  content: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'completed']),
  active_form: z.string().optional(),
});
export type Todo = z.infer<typeof Todo>;

/** Choices of a triage, from the repository at planning time. */
export const TriageChoices = z.object({
  /** Names of labels. */
  labels: z.array(z.string()).max(300),
  /** Threads that may be the same, by number. */
  candidates: z.array(z.int().positive()).max(20),
});
export type TriageChoices = z.infer<typeof TriageChoices>;

/** Proposals of a triage: labels to add, and duplicate threads. */
export const Triage = z.object({
  labels: z.array(z.string().min(1).max(100)).max(10),
  duplicates: z.array(z.int().positive()).max(5),
});
export type Triage = z.infer<typeof Triage>;

/** Proposed description of a pull request, in Markdown. The title is one line. */
export const PullDescription = z.object({
  title: z.string().min(1).max(256).optional(),
  body: z.string().min(1).max(20_000),
});
export type PullDescription = z.infer<typeof PullDescription>;

/** Summary by `handoff` for a person or the next run. */
export const Handoff = z.object({
  target: z.enum(['user', 'next_thread', 'parent', 'aggman']),
  reason: z.string().optional(),
  summary: z.string().min(1),
  goal: z.string().optional(),
  completed: z.array(z.string()),
  open_questions: z.array(z.string()),
  recommended_next_steps: z.array(z.string()),
  artifacts: z.array(z.string()),
  relevant_files: z.array(z.string()),
  follow: z.boolean(),
});
export type Handoff = z.infer<typeof Handoff>;
