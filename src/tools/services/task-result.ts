import * as z from 'zod';
import { list, stringList } from '../input/list.ts';
import { unlessNull } from '../input/unless-null.ts';

/** One of the run's own files that a child leaves for its parent. */
export const Artifact = z.object({
  path: z.string().min(1),
  kind: z.string().min(1).describe('markdown, json, text'),
  role: z.string().min(1).describe('draft, outline, evidence'),
});

const strings = () => unlessNull(stringList(z.array(z.string()).max(50)));

/** The result that a delegated child returns. */
export const TaskResult = z.object({
  summary: z.string().min(1).max(20_000),
  status: z.enum(['completed', 'failed']).default('completed'),
  confidence: unlessNull(z.enum(['low', 'medium', 'high'])),
  artifacts: unlessNull(list(z.array(Artifact).max(20))).describe('files of your own: path, kind, role'),
  findings: unlessNull(list(z.array(z.json()).max(100))),
  warnings: strings(),
  suggestedNextActions: strings(),
  questionsForCaller: strings(),
});
export type TaskResult = z.output<typeof TaskResult>;
