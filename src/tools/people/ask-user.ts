import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { type Question, QuestionOption } from '../../contract/run-results.ts';
import { flag, list } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';

const option = z.preprocess(
  optionOf,
  QuestionOption.extend({ description: QuestionOption.shape.description.meta({ hidden: true }) }),
);

const questionFields = {
  question: z.string().min(1),
  reason: z.string().optional().meta({ hidden: true }),
  options: list(z.array(option)).default([]),
  allow_freeform: flag().default(false),
  required: flag().default(false).meta({ hidden: true }),
  topic: z.string().transform(hyphenated).optional().meta({ hidden: true }),
  multiple: flag().default(false).meta({ hidden: true }),
  default: z.string().optional().meta({ hidden: true }),
};

const input = z.preprocess(
  firstOfMany,
  z.object({
    ...questionFields,
    questions: list(z.array(z.preprocess(renamed, z.object(questionFields))).max(3))
      .default([])
      .meta({ hidden: true }),
  }),
);

const yesOrNo = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** Asks a person. Headless, the run ends as waiting and continues with the answer. */
export const askUser = defineTool({
  name: 'ask_user',
  aliases: { confirm: { options: yesOrNo } },
  argumentAliases: { message: 'question' },
  description: 'Ask the user what you cannot decide; it ends this run until they answer.',
  findBy: ['ask|question person|human|people|user|maintainer|author|somebody|someone'],
  input,
  level: 'interactive',
  targets: (args) => ({ what: args.question }),
  async execute(args, context) {
    const question: Question = { ...plain(args), questions: args.questions.map(plain) };
    for (const one of [question, ...question.questions]) {
      const clash = one.options.find(
        ({ id }, index) => one.options.findIndex((other) => other.id === id) !== index,
      );
      if (clash !== undefined)
        throw invalidInput(`Two options of one question have the id "${clash.id}". Give each its own.`);
    }
    const answer = await context.ask(question);
    return { content: answer, data: { answer } };
  },
});

/** Turns a form that is only a list into its first question, followed by the others. */
function firstOfMany(value: unknown): unknown {
  const given = renamed(value);
  if (!isObject(given) || given.question !== undefined || !Array.isArray(given.questions)) return given;
  const [first, ...questions] = given.questions;
  const plainly = typeof first === 'string' ? { question: first } : renamed(first);
  return isObject(plainly) ? { ...given, ...plainly, questions } : given;
}

/** Maps other harnesses' names of fields. */
function renamed(value: unknown): unknown {
  if (!isObject(value)) return typeof value === 'string' ? { question: value } : value;
  const { header, multiSelect, multi_select, ...rest } = value;
  const topic = rest.topic ?? header;
  const multiple = rest.multiple ?? multiSelect ?? multi_select;
  return {
    ...rest,
    ...(topic === undefined ? {} : { topic }),
    ...(multiple === undefined ? {} : { multiple }),
  };
}

/** Turns an option given as text, or without an id, into one named by its text. */
function optionOf(value: unknown): unknown {
  if (typeof value === 'string') return { id: hyphenated(value), label: value };
  return isObject(value) && value.id === undefined && typeof value.label === 'string'
    ? { ...value, id: hyphenated(value.label) }
    : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Builds a question. Without options it allows free text. A default is an option's id, label or
 * number.
 */
function plain(args: Omit<z.output<typeof input>, 'questions'>): Omit<Question, 'questions'> {
  const preset = args.default === undefined ? undefined : defaultOf(args.default, args.options);
  return {
    question: args.question,
    options: args.options,
    allow_freeform: args.allow_freeform || args.options.length === 0,
    required: args.required,
    reason: args.reason,
    topic: args.topic,
    multiple: args.multiple || undefined,
    default: preset,
  };
}

function defaultOf(given: string, options: Question['options']): string {
  const wanted = given.trim().toLowerCase();
  const found = options.find(({ id, label }, index) =>
    [id.toLowerCase(), label.toLowerCase(), String(index + 1)].includes(wanted),
  );
  if (found !== undefined) return found.id;
  const known = options.map(({ id }) => id).join(', ');
  throw invalidInput(`The default "${given}" is none of the options: ${known || 'there are none'}.`);
}

function hyphenated(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, '-');
}
