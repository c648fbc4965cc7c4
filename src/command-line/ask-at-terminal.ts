import { labelAnswer } from '../agent/saved-session.ts';
import { ToolError } from '../contract/errors.ts';
import type { Question } from '../contract/run-results.ts';
import { questionsOf, type SingleQuestion } from './question-keys.ts';
import { allowedAnswers, type QuestionAnswer, readAnswer, renderForTerminal } from './read-answer.ts';

/** Terminal of the person who answers questions. */
export interface AnswerTerminal {
  /** Returns the next line of standard input without its end; null at the end of input. */
  readonly readLine: () => Promise<string | null>;
  readonly writeError: (text: string) => void;
}

/**
 * Asks the user at the terminal, one question after the other. Returns the answer in the form that
 * a run's model gets. An empty line selects the default. Throws `ToolError('unavailable')` if
 * standard input ends first.
 */
export async function askByHand(question: Question, terminal: AnswerTerminal): Promise<string> {
  const all = questionsOf(question);
  const answers: string[] = [];
  for (const one of all) {
    const answer = await askOne(one, terminal);
    if (answer === null) throw new ToolError('unavailable', noAnswer);
    const words = label(one, answer);
    answers.push(all.length === 1 ? words : `${one.question}\n${words}`);
  }
  return answers.join('\n');
}

function label(question: SingleQuestion, answer: QuestionAnswer): string {
  if (answer.kind === 'text') return labelAnswer({ options: [] }, answer.text);
  return answer.options.map(({ id }) => labelAnswer(question, id)).join('\n');
}

/**
 * Asks one question until its answer is one that it allows. Null if standard input ends first.
 */
export async function askOne(
  question: SingleQuestion,
  terminal: AnswerTerminal,
): Promise<QuestionAnswer | null> {
  terminal.writeError(`${renderForTerminal(question)}\n`);
  for (;;) {
    const line = await terminal.readLine();
    if (line === null) return null;
    const answer = readAnswer(question, line);
    if (answer !== null) return answer;
    terminal.writeError(`Give ${allowedAnswers(question)}.\n`);
  }
}

const noAnswer =
  'Nobody answered: standard input ended. Type the answer on a terminal, or give it there: echo yes | anode tools use ask_user …';
