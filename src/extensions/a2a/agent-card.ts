import * as z from 'zod';
import { visibleLine } from '../../tools/text/visible-text.ts';

const text = z.string().catch('');
const texts = z.array(z.string()).catch([]);

/** The fields of a card that are read here; others stay for the protocol's library. */
const Card = z.looseObject({
  name: z.string().min(1),
  description: text,
  version: text,
  provider: z.looseObject({ organization: text }).optional().catch(undefined),
  supportedInterfaces: z
    .array(z.looseObject({ url: z.string(), protocolBinding: z.string(), protocolVersion: text }))
    .min(1),
  capabilities: z.looseObject({ streaming: z.boolean().optional().catch(undefined) }).catch({}),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: z
    .array(
      z.looseObject({
        id: text,
        name: text,
        description: text,
        tags: texts,
        examples: texts,
        inputModes: texts,
        outputModes: texts,
      }),
    )
    .catch([]),
});

/** A card of an agent (A2A 1.0, 4.4.1), as far as it is read here. */
export type AgentCard = z.infer<typeof Card>;

/** Reads a card in the library's form. A problem is a clause with the card as its subject. */
export function readAgentCard(value: unknown): AgentCard | { readonly problem: string } {
  const { data, error } = Card.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  return { problem: `is no valid agent card: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? ''}` };
}

const mostSkills = 50;

/** Describes a card for the model. */
export function describeCard(called: string, card: AgentCard): string {
  const { name, description, version, provider, capabilities, skills } = card;
  const by =
    provider === undefined || provider.organization === ''
      ? ''
      : `, by ${visibleLine(provider.organization, 100)}`;
  const rest = skills.length - mostSkills;
  return [
    `${called}: ${visibleLine(name, 100)}${version === '' ? '' : ` ${visibleLine(version, 40)}`}${by}`,
    ...(description === '' ? [] : [visibleLine(description, 1_000)]),
    `Takes ${modes(card.defaultInputModes)}, gives ${modes(card.defaultOutputModes)}${capabilities.streaming === true ? ', in pieces' : ''}.`,
    ...(skills.length === 0 ? [] : ['Skills:']),
    ...skills.slice(0, mostSkills).map((skill) => {
      const tags = skill.tags.length === 0 ? '' : ` [${visibleLine(skill.tags.join(', '), 100)}]`;
      const examples = skill.examples
        .slice(0, 3)
        .map((example) => `\n    such as: ${visibleLine(example, 200)}`);
      return `- ${visibleLine(skill.name || skill.id, 100)}${tags}: ${visibleLine(skill.description, 500)}${examples.join('')}`;
    }),
    ...(rest > 0 ? [`[… ${rest} more skills …]`] : []),
  ].join('\n');
}

const modes = (named: readonly string[]): string =>
  named.length === 0 ? 'text' : visibleLine(named.join(', '), 200);
