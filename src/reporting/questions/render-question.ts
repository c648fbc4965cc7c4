import { append } from '../../contract/lists.ts';
import type { Question } from '../../contract/run-results.ts';
import type { Box } from '../../contract/thread-records.ts';
import { codeSpan, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

type QuestionPart = Omit<Question, 'questions'>;

/** The text of the comment besides the question. */
export interface QuestionFrame {
  /** The word of the commands: `anode`. */
  readonly mention: string;
  /**
   * People who may answer besides those with write permission: `author` for the thread's, and
   * logins.
   */
  readonly answerers: readonly string[];
  /** Until when it waits, ISO 8601; null where it has no end. */
  readonly deadline: string | null;
}

const mostOptions = 30;

/**
 * Renders a question as a comment: reason, options as boxes, how to answer and who may. Up to three
 * related questions follow. Boxes are identified by line, since a model's text may contain some.
 */
export function renderQuestionForm(question: Question, frame: QuestionFrame): { text: string; boxes: Box[] } {
  const all: QuestionPart[] = [question, ...question.questions];
  const lines: string[] = [];
  const boxes: Box[] = [];
  const addText = (text: string): void => {
    if (text !== '') append(lines, `${text}\n`.split('\n'));
  };
  const addBox = (text: string, means: Box['means']): void => {
    boxes.push({ line: lines.length, means });
    lines.push(`- [ ] ${text}`);
  };
  addText('**A question before this can go on**');
  for (const [index, part] of all.entries()) {
    addText(textOf(part, all.length > 1 ? index + 1 : null));
    addText(reasonOf(part));
    if (part.options.length === 0) continue;
    for (const [at, option] of part.options.slice(0, mostOptions).entries())
      addBox(`${at + 1}. ${nameOf(option)}${part.default === option.id ? ' *(default)*' : ''}`, {
        question: index,
        option: option.id,
      });
    lines.push('');
  }
  if (boxes.length > 0 && needsSending(question)) {
    addBox('**Send what is ticked above**', null);
    lines.push('');
  }
  addText(howToAnswer(question, frame));
  return { text: lines.join('\n').trimEnd(), boxes };
}

/** Renders a question to read only, with numbers instead of boxes, if it could not be posted. */
export function renderQuestion(question: Question): string {
  const all: QuestionPart[] = [question, ...question.questions];
  const parts = all.map((one, index) => {
    const options = one.options
      .slice(0, mostOptions)
      .map((option, at) => `${at + 1}. ${nameOf(option)}`)
      .join('\n');
    const texts = [textOf(one, all.length > 1 ? index + 1 : null), reasonOf(one), options];
    return texts.filter((text) => text !== '').join('\n\n');
  });
  return ['**A question before this can go on**', ...parts].join('\n\n');
}

/** True if a separate box must confirm the ticked ones. */
function needsSending(question: Question): boolean {
  return question.questions.length > 0 || question.multiple === true;
}

/** Renders an answered question: closed, with the answer and its author. */
export function renderAnswered(question: Question, answer: string, by: string | null): string {
  const all: QuestionPart[] = [question, ...question.questions];
  const option = question.options.find(({ id }) => id === answer.trim());
  const choice = inlineBlock(option === undefined ? answer : nameOf(option));
  const who = by === null ? '**No one answered in time.**' : `**Answered by ${codeSpan(by)}.**`;
  const parts = all.map((one, index) => textOf(one, all.length > 1 ? index + 1 : null));
  return [who, ...parts, choice].filter((part) => part !== '').join('\n\n');
}

function textOf(part: QuestionPart, number: number | null): string {
  const text = publicCut(part.question.trim(), 8_000, '…');
  const many = part.multiple === true ? ' (several may be chosen)' : '';
  return `${number === null ? text : `**${number}.** ${text}`}${many}`;
}

function reasonOf({ reason }: QuestionPart): string {
  return reason === undefined ? '' : `Why: ${inline(reason, 1_000)}`;
}

function nameOf(option: QuestionPart['options'][number]): string {
  const description = option.description === undefined ? '' : `: ${inline(option.description, 500)}`;
  return `**${inline(option.label, 200)}** (${codeSpan(option.id)})${description}`;
}

function instructionsFor(question: Question, command: string): string {
  const boxed = [question, ...question.questions].some(({ options }) => options.length > 0);
  if (question.questions.length > 0) {
    const tick = boxed ? 'Tick what fits and then the last box, or answer' : 'Answer';
    return `${tick} all of it in one comment, one line a question: ${codeSpan(`${command} …`)}.`;
  }
  if (question.options.length === 0)
    return `Answer with ${codeSpan(`${command} …`)}, or quote this and write below it.`;
  const tick = question.multiple === true ? 'Tick what fits and then the last box' : 'Tick one';
  const free = question.allow_freeform ? '; your own words are welcome too' : '';
  return `${tick}, or answer with ${codeSpan(`${command} 1`)}, or just with the number or name of an option${free}.`;
}

function howToAnswer(question: Question, { mention, answerers, deadline }: QuestionFrame): string {
  const how = instructionsFor(question, `/${mention} answer`);
  const others = answerers.map((one) => (one === '@author' ? 'the author of this thread' : codeSpan(one)));
  const who = ['People with write permission to this repository', ...others].join(', ');
  return `<sub>${how} ${who} may answer.${deadline === null ? '' : ` ${untilWhen(question, deadline)}`}</sub>`;
}

function untilWhen(question: Question, deadline: string): string {
  const all: QuestionPart[] = [question, ...question.questions];
  const time = `${deadline.slice(0, 16).replace('T', ' ')} UTC`;
  const what = all.some((part) => part.default !== undefined) ? 'with the default' : 'without an answer';
  return `After ${time} the run goes on ${what}.`;
}

function inline(text: string, length: number): string {
  return publicCut(oneLine(text), length, '…');
}

function inlineBlock(text: string): string {
  const lines = publicCut(text.trim(), 2_000, '…').split('\n');
  return lines.map((line) => `> ${line}`).join('\n');
}
