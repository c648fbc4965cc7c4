import type { Question } from '../contract/run-results.ts';
import { type AnswerTerminal, askOne } from './ask-at-terminal.ts';
import { usageError } from './parse-arguments.ts';
import { keysOf, questionsOf, type SingleQuestion } from './question-keys.ts';
import { allowedAnswers, type QuestionAnswer, readAnswer } from './read-answer.ts';

/** The answers on a command line. */
export interface GivenAnswers {
  /** The text after the run; '' for none. */
  readonly text: string;
  /** The values of `--answer`: `key=value`. */
  readonly named: readonly string[];
}

/**
 * Returns the answer to a waiting run's questions, in the form that its model gets. Questions
 * without an answer are asked at the terminal, if there is one; else the default applies. Throws a
 * usage error that lists the answers allowed.
 */
export async function answerQuestions(
  question: Question,
  given: GivenAnswers,
  terminal: AnswerTerminal | null,
): Promise<string> {
  const all = questionsOf(question);
  const [first] = all;
  if (given.text !== '' && given.named.length > 0)
    throw usageError('resume', 'it takes an answer behind the run, or --answer, but not both.');
  const takesAnything = all.length > 1 && all.every((one) => one.allow_freeform);
  const lines = given.text.split('\n').filter((line) => line.trim() !== '');
  if (takesAnything && given.text !== '' && lines.length !== all.length) return given.text;
  const answers = given.text === '' ? byName(all, given.named) : byOrder(all, given.text, lines);
  const whole: (QuestionAnswer | null)[] = [];
  for (const [index, one] of all.entries())
    whole.push(answers[index] ?? (await unanswered(one, all, terminal)));
  if (all.length === 1 && first !== undefined) return single(whole[0] ?? null);
  return all
    .map(
      (one, index) => `${index + 1}. ${one.question.replace(/\n.*/s, '')} ${describe(whole[index] ?? null)}`,
    )
    .join('\n');
}

/** Reads the answers of `--answer`, by key or number; undefined for a question without one. */
function byName(all: readonly SingleQuestion[], named: readonly string[]): (QuestionAnswer | undefined)[] {
  const keys = keysOf(all);
  const answers = new Map<number, QuestionAnswer>();
  for (const pair of named) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(at, 0)).trim();
    const index = keys.includes(key) ? keys.indexOf(key) : Number(key) - 1;
    const question = all[index];
    if (at < 1 || question === undefined)
      throw usageError('resume', `--answer takes key=value, not "${pair}". The keys: ${keys.join(', ')}.`);
    if (answers.has(index)) throw usageError('resume', `--answer ${key} is given twice.`);
    answers.set(index, checked(question, pair.slice(at + 1), key));
  }
  return all.map((_, index) => answers.get(index));
}

/** Reads one text: the answer to the only question, or one line for each. */
function byOrder(all: readonly SingleQuestion[], text: string, lines: readonly string[]): QuestionAnswer[] {
  if (all.length > 1 && lines.length !== all.length)
    throw usageError('resume', `it asks ${all.length} questions. ${howTo(all)}`);
  const keys = keysOf(all);
  return all.map((question, index) =>
    checked(question, all.length === 1 ? text : (lines[index] ?? ''), keys[index] ?? ''),
  );
}

function checked(question: SingleQuestion, text: string, key: string): QuestionAnswer {
  const answer = readAnswer(question, text);
  if (answer !== null) return answer;
  throw usageError(
    'resume',
    `"${text.trim()}" is no answer to ${key}: ${question.question}\nIt takes ${allowedAnswers(question)}.`,
  );
}

/** Asks for an answer that was not given, or takes the default; null for an optional one. */
async function unanswered(
  question: SingleQuestion,
  all: readonly SingleQuestion[],
  terminal: AnswerTerminal | null,
): Promise<QuestionAnswer | null> {
  const asked = terminal === null ? null : await askOne(question, terminal);
  const answer = asked ?? readAnswer(question, '');
  if (answer !== null) return answer;
  const isOnly = all.length === 1;
  if (!question.required && !isOnly) return null;
  throw usageError('resume', `${question.question} has no answer. ${howTo(all)}`);
}

/** Lists each question's option and the answers that it takes. */
function howTo(all: readonly SingleQuestion[]): string {
  const [first] = all;
  if (all.length === 1 && first !== undefined) return `It takes ${allowedAnswers(first)}.`;
  const keys = keysOf(all);
  const lines = all.map((question, index) => {
    const preset = question.default === undefined ? '' : `; default ${question.default}`;
    return `  --answer ${keys[index]}=…   ${allowedAnswers(question)}${preset}`;
  });
  return `Answer each:\n${lines.join('\n')}`;
}

const single = (answer: QuestionAnswer | null): string => {
  const [only, ...more] = answer?.kind === 'chosen' ? answer.options : [];
  return only !== undefined && more.length === 0 ? only.id : describe(answer);
};

function describe(answer: QuestionAnswer | null): string {
  if (answer === null) return 'no answer';
  if (answer.kind === 'text') return answer.text;
  return answer.options.map(({ id, label }) => `${id} (${label})`).join(', ');
}
