import { labelAnswer } from '../agent/saved-session.ts';
import { ToolError } from '../contract/errors.ts';
import type { Question } from '../contract/run-results.ts';

type Asked = Omit<Question, 'questions'>;

/** Terminal of the person who answers questions. */
export interface AskingPlace {
  /** Returns the next line of standard input without its end; null at the end of input. */
  readonly readLine: () => Promise<string | null>;
  readonly writeError: (text: string) => void;
}

/**
 * Asks the user at the terminal, one question after the other. Returns the answer in the words that
 * a run gives its model. An empty line stands for the default. An invalid answer is requested again
 * unless free text is allowed. Throws `ToolError('unavailable')` if standard input ends first.
 */
export async function askByHand(question: Question, place: AskingPlace): Promise<string> {
  const { questions, ...first } = question;
  if (questions.length === 0) return askOne(first, place);
  const answers: string[] = [];
  for (const one of [first, ...questions]) answers.push(`${one.question}\n${await askOne(one, place)}`);
  return answers.join('\n');
}

async function askOne(question: Asked, place: AskingPlace): Promise<string> {
  place.writeError(shown(question));
  for (;;) {
    const line = await place.readLine();
    if (line === null) throw new ToolError('unavailable', noAnswer);
    const said = line.trim() === '' ? (question.default ?? '') : line.trim();
    const answer = said === '' ? null : answerOf(question, said);
    if (answer !== null) return answer;
    place.writeError(`Give ${question.options.map(({ id }) => id).join(', ') || 'an answer'}.\n`);
  }
}

/** Returns the answer in words; null for an answer that the question does not allow. */
function answerOf(question: Asked, said: string): string | null {
  const chosen = question.multiple === true ? said.split(',').map((part) => part.trim()) : [said];
  const known = chosen.every((part) => isOption(question, part));
  if (!known) return question.allow_freeform ? labelAnswer({ options: [] }, said) : null;
  return chosen.map((part) => labelAnswer(question, part)).join('\n');
}

function isOption({ options }: Asked, said: string): boolean {
  const plain = said.toLowerCase();
  return options.some(({ id, label }, index) =>
    [id.toLowerCase(), label.toLowerCase(), String(index + 1)].includes(plain),
  );
}

function shown({ question, reason, options, default: preset }: Asked): string {
  const lines = options.map(({ id, label, description }, index) => {
    const more = description === undefined ? '' : `: ${description}`;
    return `  ${index + 1}. ${label} (${id})${more}${id === preset ? ' [default]' : ''}`;
  });
  return `${[question, ...(reason === undefined ? [] : [reason]), ...lines].join('\n')}\n`;
}

const noAnswer =
  'Nobody answered: standard input ended. Type the answer on a terminal, or give it there: echo yes | anode tools use ask_user …';
