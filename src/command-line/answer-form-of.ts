import { readFile } from 'node:fs/promises';
import type { AnswerForm } from '../agent/loop/answer-form.ts';
import { answerSchema } from '../run/conversation/answer-schema.ts';
import { unreadable } from './user-files.ts';

/** Reads the schema of the final answer from a file of the user. Throws `ConfigError`. */
export async function answerFormOf(file: string): Promise<AnswerForm> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  return answerSchema(text, file);
}
