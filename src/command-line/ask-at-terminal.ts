import { labelAnswer } from '../agent/saved-session.ts';
import { ToolError } from '../contract/errors.ts';
import type { Question } from '../contract/run-results.ts';

type SingleQuestion = Omit<Question, 'questions'>;

/** Terminal of the person who answers questions. */
export interface AnswerTerminal {
  /** Returns the next line of standard input without its end; null at the end of input. */
  readonly readLine: () => Promise<string | null>;
  readonly writeError: (text: string) => void;
}

/**
 * Asks the user at the terminal, one question after the other. Returns the answer in the words that
 * a run gives its model. An empty line stands for the default. An invalid answer is requested again
 * unless free text is allowed. Throws `ToolError('unavailable')` if standard input ends first.
 */
export async function askByHand(question: Question, terminal: AnswerTerminal): Promise<string> {
  const { questions, ...first } = question;
  if (questions.length === 0) return askOne(first, terminal);
  const answers: string[] = [];
  for (const one of [first, ...questions]) answers.push(`${one.question}\n${await askOne(one, terminal)}`);
  return answers.join('\n');
}

async function askOne(question: SingleQuestion, terminal: AnswerTerminal): Promise<string> {
  terminal.writeError(renderQuestion(question));
  for (;;) {
    const line = await terminal.readLine();
    if (line === null) throw new ToolError('unavailable', noAnswer);
    const text = line.trim() === '' ? (question.default ?? '') : line.trim();
    const answer = text === '' ? null : answerOf(question, text);
    if (answer !== null) return answer;
    terminal.writeError(`Give ${question.options.map(({ id }) => id).join(', ') || 'an answer'}.\n`);
  }
}

/** Returns the answer in words; null for an answer that the question does not allow. */
function answerOf(question: SingleQuestion, text: string): string | null {
  const chosen = question.multiple === true ? text.split(',').map((part) => part.trim()) : [text];
  const isKnown = chosen.every((part) => isOption(question, part));
  if (!isKnown) return question.allow_freeform ? labelAnswer({ options: [] }, text) : null;
  return chosen.map((part) => labelAnswer(question, part)).join('\n');
}

function isOption({ options }: SingleQuestion, text: string): boolean {
  const plain = text.toLowerCase();
  return options.some(({ id, label }, index) =>
    [id.toLowerCase(), label.toLowerCase(), String(index + 1)].includes(plain),
  );
}

function renderQuestion({ question, reason, options, default: preset }: SingleQuestion): string {
  const lines = options.map(({ id, label, description }, index) => {
    const more = description === undefined ? '' : `: ${description}`;
    return `  ${index + 1}. ${label} (${id})${more}${id === preset ? ' [default]' : ''}`;
  });
  return `${[question, ...(reason === undefined ? [] : [reason]), ...lines].join('\n')}\n`;
}

const noAnswer =
  'Nobody answered: standard input ended. Type the answer on a terminal, or give it there: echo yes | anode tools use ask_user …';
