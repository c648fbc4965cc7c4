import type { Question } from '../contract/run-results.ts';

/** One of the questions of a questionnaire. */
export type SingleQuestion = Omit<Question, 'questions'>;

/** All questions of a questionnaire, in order. */
export const questionsOf = (question: Question): readonly SingleQuestion[] => {
  const { questions, ...first } = question;
  return [first, ...questions];
};

/** Names each question: by its topic if no other has it, else by its number from 1. */
export function keysOf(questions: readonly SingleQuestion[]): string[] {
  return questions.map(({ topic }, index) => {
    const isOwn = questions.filter((other) => other.topic === topic).length === 1;
    return topic !== undefined && /^[a-z][\w-]*$/.test(topic) && isOwn ? topic : String(index + 1);
  });
}
